/**
 * Scaled pictures on the disk, in bounded room. They are kept by when they were last used, in two generations:
 *
 *     thumbnails/young/ab/abcd…-800.png      made or used lately
 *     thumbnails/old/…                       the young ones of before: what is used goes back to the young
 *     thumbnails/making/…                    what is being written
 *
 * When the young fill half of the room they become the old, and the old are deleted. All processes of a server share
 * the folder, and all of it can be deleted at any time.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** How often the young are measured, in parts of the half: other processes add to them too. */
const MEASURES_PER_HALF = 8

export class ThumbnailCache {
  readonly #folder: string
  readonly #halfBytes: number
  /** Bytes that may come before the young are measured again. The first time is at once. */
  #untilMeasured = 0
  #turning: Promise<void> | undefined

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#halfBytes = maxBytes / 2
  }

  /** Opens a picture, or gives undefined when there is none. The name begins with two hex digits. */
  async find(name: string): Promise<FileHandle | undefined> {
    return (await openIfThere(this.#path('young', name))) ?? (await this.#revive(name))
  }

  /** A path to write a new picture to. */
  async placeToWrite(): Promise<string> {
    const folder = join(this.#folder, 'making')
    await mkdir(folder, { recursive: true })
    return join(folder, randomBytes(12).toString('hex'))
  }

  /** Takes over a whole picture that was written. */
  async keep(written: string, name: string): Promise<void> {
    const { size } = await stat(written)
    await this.#move(written, name)
    this.#untilMeasured -= size
    if (this.#untilMeasured <= 0)
      await (this.#turning ??= this.#turn().finally(() => (this.#turning = undefined)))
  }

  async #revive(name: string): Promise<FileHandle | undefined> {
    const path = this.#path('old', name)
    const file = await openIfThere(path)
    if (file !== undefined) await this.#move(path, name).catch(ignoreMissing)
    return file
  }

  async #move(from: string, name: string): Promise<void> {
    const target = this.#path('young', name)
    await mkdir(dirname(target), { recursive: true })
    await rename(from, target).catch(async (error: unknown) => {
      ignoreMissing(error)
      // The young were just made old, folders and all.
      await mkdir(dirname(target), { recursive: true })
      await rename(from, target)
    })
  }

  /** Measures the young, and makes them the old when they fill their half. */
  async #turn(): Promise<void> {
    const [young, old] = [join(this.#folder, 'young'), join(this.#folder, 'old')]
    const isFull = (await sizeOf(young)) > this.#halfBytes
    this.#untilMeasured = this.#halfBytes / MEASURES_PER_HALF
    if (!isFull) return
    const gone = join(this.#folder, `gone-${randomBytes(12).toString('hex')}`)
    // Another process may be at the same: each step is whole, whoever takes it.
    await rename(old, gone).catch(ignoreMissing)
    await rename(young, old).catch(ignoreMissing)
    await rm(gone, { recursive: true, force: true })
  }

  #path(generation: 'young' | 'old', name: string): string {
    return join(this.#folder, generation, name.slice(0, 2), name)
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    ignoreMissing(error)
    return undefined
  }
}

/** Bytes of all files two folders down. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0
  for (const part of await readdir(folder).catch(noNames)) {
    for (const name of await readdir(join(folder, part)).catch(noNames)) {
      size += (await stat(join(folder, part, name)).catch(ignoreMissing))?.size ?? 0
    }
  }
  return size
}

function noNames(error: unknown): string[] {
  ignoreMissing(error)
  return []
}

/** Other processes move and delete too: what is no longer there, or is there already, is no fault. */
function ignoreMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  return undefined
}
