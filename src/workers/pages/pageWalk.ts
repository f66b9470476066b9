/** The walk over all pages of the store's file after a start: keys of damaged pages are not read from then on. */
import { Worker } from 'node:worker_threads'
import type { DamagedPages } from '../../storage/file/damagedPages.js'
import type { Store } from '../../storage/store.js'
import { compiledFile } from '../../runtime/packageFiles.js'

const THREAD_FILE = compiledFile('workers/pages/pageWalkThread.ts')

export interface PageWalkOptions {
  readonly store: Store
  /** Told what was found, after the store has taken over the ranges. */
  readonly onEnd: (found: DamagedPages) => void
  readonly onThreadError: (error: Error) => void
}

export class PageWalk {
  readonly #thread: Worker
  readonly #release: () => void

  constructor({ store, onEnd, onThreadError }: PageWalkOptions) {
    this.#release = once(store.holdSnapshot())
    this.#thread = new Worker(THREAD_FILE, { workerData: store.file })
    this.#thread.unref()
    this.#thread.once('message', (found: DamagedPages) => {
      this.#release()
      store.avoid(found.ranges)
      onEnd(found)
    })
    this.#thread.once('error', (error: Error) => {
      this.#release()
      onThreadError(error)
    })
  }

  /** Ends the walk, if it still goes on. Call it before the store closes. */
  async close(): Promise<void> {
    this.#thread.removeAllListeners('message')
    await this.#thread.terminate()
    this.#release()
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
