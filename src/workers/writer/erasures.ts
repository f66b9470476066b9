/** Finishes erasures, and removes contents without a file, in a thread that writes, between its other work. */
import { removeContents } from '../../files/removeContents.js'
import { removeUnused } from '../../files/removeUnused.js'
import type { EraseChange } from '../../storage/entries/administration.js'
import type { Verdict } from '../../storage/entries/entries.js'
import { eraseAll, type EraseStep, hasErasures } from '../../storage/erase/eraser.js'
import { notedContents } from '../../storage/apply/eraseRequests.js'
import type { Store } from '../../storage/store.js'

/** Erasures of other processes are looked for this often, and pages that readers still see. */
const PAUSE_MS = 5000

export interface ErasuresOptions {
  readonly store: Store
  /** Applies a change as an entry with a new id and the present time; later, in a cluster. */
  readonly apply: (change: EraseChange) => Verdict | Promise<unknown>
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
    if (hasWork(store)) for (const _step of this.#begin());
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #look(): void {
    if (this.#isClosed) return
    const { store } = this.#options
    store.refresh()
    if (hasWork(store)) this.#step(this.#begin())
    else this.#lookLater()
  }

  #lookLater(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#look(), PAUSE_MS)
  }

  *#begin(): Generator<EraseStep, void> {
    const { store, apply, dataDir } = this.#options
    for (const _step of removeUnused(store, dataDir)) yield 'file'
    if (!hasErasures(store)) return
    yield* eraseAll({
      store,
      apply,
      removeContents: (sha256s) => removeContents(store, dataDir, sha256s),
    })
  }

  #step(steps: Generator<EraseStep, void>): void {
    try {
      const step = this.#isClosed ? undefined : steps.next()
      if (step?.done === false) {
        this.#goOn(steps, step.value)
        return
      }
      steps.return()
      this.#hasFailed = false
    } catch (error) {
      this.#fail(error)
    }
    this.#lookLater()
  }

  #goOn(steps: Generator<EraseStep, void>, step: EraseStep): void {
    if (!(step instanceof Promise)) setImmediate(() => this.#step(steps))
    else
      step.then(
        () => this.#step(steps),
        (error: unknown) => {
          this.#fail(error)
          this.#lookLater()
        },
      )
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#options.onFailure(error instanceof Error ? error : new Error(String(error)))
    this.#hasFailed = true
  }
}

const hasWork = (store: Store): boolean => hasErasures(store) || notedContents(store).length > 0
