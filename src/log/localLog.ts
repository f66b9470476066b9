/** The log of one machine: rows that `apply` writes together with each change, in the same transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../storage/entries.js'
import type { Position } from '../storage/meta.js'
import type { Store } from '../storage/store.js'
import { type EditLog, LogCutError, type LogItem, type LogState } from './editLog.js'
import type { EntryWriter } from './entryWriter.js'

/** Interval at which a reader at the end looks for entries of other processes. */
const POLL_MS = 100

export class LocalLog implements EditLog {
  readonly #store: Store
  readonly #writer: EntryWriter
  readonly #closing = new AbortController()

  constructor(store: Store, writer: EntryWriter) {
    this.#store = store
    this.#writer = writer
  }

  /**
   * Entry and change are durable together: one transaction holds both. An entry without effect gets no new position.
   */
  async append(entry: Entry): Promise<number> {
    const verdict = await this.#writer.write(entry)
    this.#store.refresh()
    const sequence = this.#store.log.getSequence(entry.id)
    if (sequence !== undefined) return sequence
    if (verdict.result === 'invalid') throw new Error(`not an entry of the log: ${verdict.reason}`)
    return this.#store.log.bounds().last
  }

  async *read(after: number, signal?: AbortSignal): AsyncGenerator<LogItem, void> {
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    for (let sequence = after + 1; !ends.aborted;) {
      const entry = this.#store.log.getEntry(sequence)
      if (entry !== undefined) {
        yield { sequence, entry }
        sequence++
      } else if (!(await this.#grewBeyond(sequence, ends))) return
    }
  }

  check(at: Position): Promise<LogState> {
    this.#store.refresh()
    const { first, last } = this.#store.log.bounds()
    if (at.sequence > last) return Promise.resolve('behind')
    if (at.sequence < first - 1) return Promise.resolve('truncated')
    return Promise.resolve(this.#store.log.goesThrough(at) ? 'same' : 'forked')
  }

  bounds(): Promise<{ readonly first: number; readonly last: number }> {
    this.#store.refresh()
    return Promise.resolve(this.#store.log.bounds())
  }

  close(): Promise<void> {
    this.#closing.abort()
    return Promise.resolve()
  }

  /** Waits until the log reaches a position; false when the read ends first. */
  async #grewBeyond(sequence: number, ends: AbortSignal): Promise<boolean> {
    while (!ends.aborted) {
      this.#store.refresh()
      const { first, last } = this.#store.log.bounds()
      if (sequence < first) throw new LogCutError(`the log begins at ${first}: ${sequence} was cut off`)
      if (sequence <= last) return true
      await sleep(POLL_MS, undefined, { signal: ends }).catch(ignoreAbort)
    }
    return false
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error
}
