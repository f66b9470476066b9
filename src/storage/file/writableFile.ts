/** The store's file, open for plain writes. Only bytes that neither LMDB nor its readers use may be written. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { StoreFile } from './storeFile.js'

/** Bytes to read or write at once. */
const PART = 2 ** 20
const ZEROS = Buffer.alloc(PART)

export class WritableFile extends StoreFile {
  readonly #writes: number
  /** Bytes that were overwritten. */
  written = 0

  constructor(path: string) {
    super(path)
    this.#writes = openSync(path, 'r+')
  }

  override close(): void {
    closeSync(this.#writes)
    super.close()
  }

  /** Writes zeros. */
  overwrite(offset: number, length: number): void {
    for (let at = 0; at < length;) {
      at += writeSync(this.#writes, ZEROS, 0, Math.min(PART, length - at), offset + at)
    }
    this.written += length
  }

  /** Writes zeros where there are others. Holes of a sparse file stay holes. */
  clear(offset: number, length: number): void {
    for (let at = 0; at < length; at += PART) {
      const part = this.read(offset + at, Math.min(PART, length - at))
      if (!part.equals(ZEROS.subarray(0, part.length))) this.overwrite(offset + at, part.length)
    }
  }

  flush(): void {
    fsyncSync(this.#writes)
  }
}
