/** Scaled pictures on demand, from the cache or made once for all simultaneous requests. */
import { rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ThumbnailOrder } from '../../files/makeThumbnail.js'
import { ThumbnailCache } from '../../files/thumbnailCache.js'
import { type FileProcesses, FileTaskError } from './fileProcesses.js'

/** A file that could not be scaled is not tried again for this long, since it may have used up its whole time limit. */
const FAILURE_MS = 300_000
const MAX_FAILURES = 1000

export interface ThumbnailsOptions {
  readonly dataDir: string
  readonly cacheBytes: number
  /** Scale pictures of all wikis of the server. */
  readonly processes: Pick<FileProcesses, 'run'>
  readonly nowMs: () => number
}

export class Thumbnails {
  readonly #cache: ThumbnailCache
  readonly #processes: Pick<FileProcesses, 'run'>
  readonly #nowMs: () => number
  readonly #making = new Map<string, Promise<void>>()
  /** Recent failures by name, oldest first. */
  readonly #failures = new Map<string, { readonly message: string; readonly untilMs: number }>()

  constructor({ dataDir, cacheBytes, processes, nowMs }: ThumbnailsOptions) {
    this.#cache = new ThumbnailCache(join(dataDir, 'thumbnails'), cacheBytes)
    this.#processes = processes
    this.#nowMs = nowMs
  }

  /**
   * Opens the picture with a name. The name begins with two hex digits, and differs for other contents or sizes. Throws
   * a FileTaskError if the file is at fault, and a PoolFullError or TaskTimeoutError under overload.
   */
  async open(name: string, order: Omit<ThumbnailOrder, 'target'>): Promise<FileHandle> {
    const found = await this.#cache.find(name)
    if (found !== undefined) return found
    const failure = this.#failures.get(name)
    if (failure !== undefined && failure.untilMs > this.#nowMs()) throw new FileTaskError(failure.message)
    await this.#makeOnce(name, order)
    const made = await this.#cache.find(name)
    if (made === undefined) throw new Error(`the cache has lost ${name} already: it is too small`)
    return made
  }

  #makeOnce(name: string, order: Omit<ThumbnailOrder, 'target'>): Promise<void> {
    const making = this.#making.get(name)
    if (making !== undefined) return making
    const made = this.#make(name, order).finally(() => this.#making.delete(name))
    this.#making.set(name, made)
    return made
  }

  async #make(name: string, order: Omit<ThumbnailOrder, 'target'>): Promise<void> {
    const target = await this.#cache.placeToWrite()
    try {
      await this.#processes.run('thumbnail', { ...order, target })
    } catch (error) {
      await rm(target, { force: true })
      if (error instanceof FileTaskError) this.#noteFailure(name, error.message)
      throw error
    }
    await this.#cache.keep(target, name)
  }

  #noteFailure(name: string, message: string): void {
    this.#failures.delete(name)
    this.#failures.set(name, { message, untilMs: this.#nowMs() + FAILURE_MS })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest)
  }
}
