/** Finishes erasures in a thread that writes, between its other work. */
import { removeContents } from '../../files/removeContents.js'
import type { Applier } from '../../storage/apply/applier.js'
import { randomEntryId } from '../../storage/entryIds.js'
import { eraseAll, hasErasures } from '../../storage/erase/eraser.js'
import type { Store } from '../../storage/store.js'

/** Erasures of other processes are looked for this often, and pages that readers still see. */
const PAUSE_MS = 5000

export interface ErasuresOptions {
  readonly store: Store
  readonly applier: Applier
  readonly dataDir: string
  /** Called once for errors in a row, such as those of a full disk. */
  readonly onFailure: (error: Error) => void
}

export class Erasures {
  readonly #options: ErasuresOptions
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false
  #isClosed = false

  constructor(options: ErasuresOptions) {
    this.#options = options
    this.#look()
  }

  /** Does at once what is left. Free pages that readers of old snapshots see stay for another process. */
  finish(): void {
    this.close()
    const { store } = this.#options
    store.refresh()
    if (hasErasures(store)) for (const _step of this.#begin());
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #look(): void {
    if (this.#isClosed) return
    const { store } = this.#options
    store.refresh()
    if (hasErasures(store)) this.#step(this.#begin())
    else this.#lookLater()
  }

  #lookLater(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#look(), PAUSE_MS)
  }

  #begin(): Generator<unknown, number> {
    const { store, applier, dataDir } = this.#options
    return eraseAll({
      store,
      apply: (change) =>
        applier.submit({ id: randomEntryId(), time: Math.floor(Date.now() / 1000), ...change }),
      removeContents: (sha256s) => removeContents(store, dataDir, sha256s),
    })
  }

  #step(steps: Generator<unknown, number>): void {
    try {
      if (!this.#isClosed && steps.next().done !== true) {
        setImmediate(() => this.#step(steps))
        return
      }
      steps.return(0)
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#options.onFailure(error instanceof Error ? error : new Error(String(error)))
      this.#hasFailed = true
    }
    this.#lookLater()
  }
}
