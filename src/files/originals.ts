/**
 * Contents of files on disk, each stored once under its SHA-256:
 *
 *     files/ab/cd/abcd…      64 hex digits
 *     files/incoming/…       contents being received; anything else there is left over
 *
 * Contents are written under a temporary name, flushed and then renamed, so a file with its final name is complete.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sha1Base36 } from '../domain/file.js'
import { flushFolder } from './flush.js'

/** Received contents without a final name. */
export interface Received {
  readonly path: string
  readonly sizeBytes: number
  readonly sha1: string
  readonly sha256: string
}

/** The contents exceed the size limit. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/** Path of the contents with this SHA-256. */
export function originalPath(dataDir: string, sha256: string): string {
  return join(dataDir, 'files', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

/** Stores and removes contents. Only the process that holds the lock of the data folder may use it. */
export class Originals {
  readonly #dataDir: string
  readonly #incoming: string
  #count = 0

  constructor(dataDir: string) {
    this.#dataDir = dataDir
    this.#incoming = join(dataDir, 'files', 'incoming')
  }

  /** Starts to receive contents of at most `maxBytes`. */
  receive(maxBytes: number): Receiver {
    if (this.#count === 0) this.clean()
    mkdirSync(this.#incoming, { recursive: true })
    return new Receiver(join(this.#incoming, String(++this.#count)), maxBytes)
  }

  /** Gives received contents their final name. When it returns, they are durable. */
  keep({ path, sha256 }: Received): void {
    const target = originalPath(this.#dataDir, sha256)
    if (existsSync(target)) {
      rmSync(path)
      return
    }
    mkdirSync(dirname(target), { recursive: true })
    renameSync(path, target)
    for (let folder = dirname(target); folder.length > this.#dataDir.length; folder = dirname(folder))
      flushFolder(folder)
  }

  /** Deletes received contents. */
  discard({ path }: Received): void {
    rmSync(path)
  }

  /** Deletes contents that no file uses any more. */
  remove(sha256: string): void {
    rmSync(originalPath(this.#dataDir, sha256), { force: true })
  }

  /** The same, unless a server is about to name them: then returns false. */
  removeUnclaimed(sha256: string): boolean {
    const found = statSync(originalPath(this.#dataDir, sha256), { throwIfNoEntry: false })
    if (found !== undefined && found.nlink > 1) return false
    this.remove(sha256)
    return true
  }

  /** Deletes all incoming contents. */
  clean(): void {
    rmSync(this.#incoming, { recursive: true, force: true })
  }
}

/** Writes and hashes contents chunk by chunk. */
export class Receiver {
  readonly #path: string
  readonly #maxBytes: number
  readonly #file: number
  readonly #sha1: Hash = createHash('sha1')
  readonly #sha256: Hash = createHash('sha256')
  #sizeBytes = 0

  constructor(path: string, maxBytes: number) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#file = openSync(path, 'wx')
  }

  /** Throws a FileTooLargeError at the size limit; call `discard` then. */
  write(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes > this.#maxBytes)
      throw new FileTooLargeError(`is larger than ${this.#maxBytes} bytes`)
    this.#sha1.update(bytes)
    this.#sha256.update(bytes)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
  }

  /** Ends the contents and flushes them to disk. */
  finish(): Received {
    fsyncSync(this.#file)
    closeSync(this.#file)
    return {
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      sha1: sha1Base36(this.#sha1.digest('hex')),
      sha256: this.#sha256.digest('hex'),
    }
  }

  /** Deletes unfinished contents. */
  discard(): void {
    closeSync(this.#file)
    rmSync(this.#path)
  }
}
