/** The log of one machine: rows that `apply` writes together with each change, in the same transaction. */
import { pause } from '../runtime/pause.js'
import type { Entry } from '../storage/entries/entries.js'
import type { LogMark } from '../storage/entries/logReader.js'
import type { Store } from '../storage/store.js'
import { type EditLog, EntryRefusedError, type LogBatch, LogCutError, type LogState } from './editLog.js'
import type { EntryWriter } from './entryWriter.js'
import type { LogBounds } from './logEngine.js'

/** Entries that are read together. */
const MAX_BATCH = 100
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

  async append(entries: readonly Entry[]): Promise<readonly number[]> {
    return Promise.all(entries.map((entry) => this.#appendOne(entry)))
  }

  /**
   * Entry and change are durable together: one transaction holds both. An entry without effect gets no new position.
   */
  async #appendOne(entry: Entry): Promise<number> {
    const verdict = await this.#writer.write(entry)
    this.#store.refresh()
    const sequence = this.#store.log.getSequence(entry.id)
    if (sequence !== undefined) return sequence
    if (verdict.result === 'invalid')
      throw new EntryRefusedError(`not an entry of the log: ${verdict.reason}`)
    return this.#store.log.bounds().last
  }

  async *read(after: number, signal?: AbortSignal): AsyncGenerator<LogBatch, void> {
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    for (let sequence = after; !ends.aborted;) {
      const items = this.#store.log.take(sequence, MAX_BATCH)
      sequence += items.length
      if (items.length > 0) yield { items, last: this.#store.log.bounds().last }
      else if (!(await this.#grewBeyond(sequence + 1, ends))) return
    }
  }

  check(at: LogMark): Promise<LogState> {
    this.#store.refresh()
    const { first, last } = this.#store.log.bounds()
    if (at.sequence > last) return Promise.resolve('behind')
    if (at.sequence < first - 1) return Promise.resolve('truncated')
    return Promise.resolve(this.#store.log.goesThrough(at) ? 'same' : 'forked')
  }

  bounds(): Promise<LogBounds> {
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
      await pause(POLL_MS, ends)
    }
    return false
  }
}
