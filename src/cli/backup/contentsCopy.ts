/** Copies file contents into an unfinished backup, while files are added and removed. */
import { constants, rmSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFile, flushFolder } from '../../files/flush.js'
import { originalPath } from '../../files/originals.js'

export class ContentsCopy {
  readonly #dataDir: string
  readonly #target: string
  readonly #copied = new Set<string>()

  /** Copies from one data folder into another. */
  constructor(dataDir: string, target: string) {
    this.#dataDir = dataDir
    this.#target = target
  }

  /** Copies contents that are not copied yet, by their SHA-256. Returns those that are missing. */
  async add(wanted: ReadonlySet<string>): Promise<string[]> {
    const gone: string[] = []
    for (const sha256 of wanted) {
      if (this.#copied.has(sha256)) continue
      if (await this.#copy(sha256)) this.#copied.add(sha256)
      else gone.push(sha256)
    }
    return gone
  }

  /** Deletes all copies except these. */
  keepOnly(wanted: ReadonlySet<string>): void {
    for (const sha256 of this.#copied) {
      if (wanted.has(sha256)) continue
      rmSync(originalPath(this.#target, sha256))
      this.#copied.delete(sha256)
    }
  }

  /** Flushes the folders of all copies, so that their names are durable. `add` has already flushed the bytes. */
  flush(): void {
    const folders = new Set<string>()
    for (const sha256 of this.#copied) {
      for (let folder = dirname(originalPath(this.#target, sha256)); folder.length > this.#target.length;) {
        folders.add(folder)
        folder = dirname(folder)
      }
    }
    for (const folder of folders) flushFolder(folder)
  }

  async #copy(sha256: string): Promise<boolean> {
    const path = originalPath(this.#target, sha256)
    await mkdir(dirname(path), { recursive: true })
    try {
      await copyFile(originalPath(this.#dataDir, sha256), path, constants.COPYFILE_FICLONE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await rm(path, { force: true })
      return false
    }
    flushFile(path)
    return true
  }
}
