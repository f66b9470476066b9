/**
 * Disk cache of scaled pictures, in bounded space. It evicts by last use, in two generations:
 *
 *     thumbnails/young/ab/abcd…-800.png      made or used recently
 *     thumbnails/old/…                       the previous young ones; a used picture moves back
 *     thumbnails/making/…                    being written
 *
 * When the young ones exceed half the space, they become the old ones, and the previous old ones are deleted. All
 * processes of a server share the folder. Anyone may delete it at any time.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Measurements per half of the space. They are repeated because other processes add pictures too. */
const MEASURES_PER_HALF = 8

export class ThumbnailCache {
  readonly #folder: string
  readonly #halfBytes: number
  /** Bytes until the next measurement. The first one is immediate. */
  #untilMeasured = 0
  #turning: Promise<void> | undefined

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#halfBytes = maxBytes / 2
  }

  /** Opens a picture; undefined when it is not in the cache. The name begins with two hex digits. */
  async find(name: string): Promise<FileHandle | undefined> {
    return (await openIfThere(this.#path('young', name))) ?? (await this.#revive(name))
  }

  /** Temporary path for a new picture. */
  async placeToWrite(): Promise<string> {
    const folder = join(this.#folder, 'making')
    await mkdir(folder, { recursive: true })
    return join(folder, randomBytes(12).toString('hex'))
  }

  /** Adds a complete picture, moving it from its temporary path. */
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
      // A turnover just moved the young generation away, with its folders.
      await mkdir(dirname(target), { recursive: true })
      await rename(from, target)
    })
  }

  /** Measures the young generation, and turns over when it exceeds half the space. */
  async #turn(): Promise<void> {
    const [young, old] = [join(this.#folder, 'young'), join(this.#folder, 'old')]
    const isFull = (await sizeOf(young)) > this.#halfBytes
    this.#untilMeasured = this.#halfBytes / MEASURES_PER_HALF
    if (!isFull) return
    const gone = join(this.#folder, `gone-${randomBytes(12).toString('hex')}`)
    // Another process may do the same now. Each step is atomic, whichever process does it.
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

/** Total size of all files two levels down. */
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

/** Other processes move and delete files too, so missing and existing targets are normal. */
function ignoreMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  return undefined
}
