/**
 * The queue of the writer thread. Its length and its batches are limited by the number of entries and by their text.
 */
import { type Entry, textLength, type Verdict } from '../../storage/entries/entries.js'
import { errorOf, WriteError } from './writeErrors.js'
import type { DerivedAnswer, WriteResult } from './writerMessages.js'

/**
 * Limits of the queue. Beyond them the disk is so far behind that clients had better try again. Text is counted in
 * UTF-16 units. Writing a million takes some 0.2 s, so the last entry in a full queue waits some seconds.
 */
const MAX_WAITING = 1000
const MAX_WAITING_TEXT = 32 * 2 ** 20
/** Limits of one transaction. A text of the largest size that an edit may have goes alone. */
const MAX_BATCH = 200
const MAX_BATCH_TEXT = 2 * 2 ** 20

export interface Waiting {
  readonly entry: Entry
  /** Time of arrival, in milliseconds of `performance.now()`. */
  readonly sinceMs: number
  /** Number of times that the entry was sent to a thread. */
  attempts: number
}

/** An entry of the writer, with those who wait for it. */
export interface WaitingEntry extends Waiting {
  resolve(verdict: Verdict): void
  reject(error: Error): void
}

/** Those who wait for work on derived tables. */
export interface WaitingDerived {
  resolve(answer: DerivedAnswer): void
  reject(error: Error): void
}

/** Tells those who wait for an entry how it ended. */
export function settle(waiting: WaitingEntry, result: WriteResult | undefined): void {
  if (result === undefined) waiting.reject(new WriteError('the writer thread gave no verdict'))
  else if ('verdict' in result) waiting.resolve(result.verdict)
  else waiting.reject(errorOf(result))
}

export class WriteQueue<Item extends Waiting> {
  #items: Item[] = []
  #text = 0

  get length(): number {
    return this.#items.length
  }

  /** Tells if another entry may wait. One that exceeds the limit for text is accepted only by an empty queue. */
  hasRoomFor(entry: Waiting['entry']): boolean {
    if (this.#items.length === 0) return true
    return this.#items.length < MAX_WAITING && this.#text + textLength(entry) <= MAX_WAITING_TEXT
  }

  push(item: Item): void {
    this.#items.push(item)
    this.#text += textLength(item.entry)
  }

  /** Puts taken items back, in front of all others. */
  putBack(items: readonly Item[]): void {
    this.#items = [...items, ...this.#items]
    for (const { entry } of items) this.#text += textLength(entry)
  }

  /**
   * Takes the items of the next transaction, at least one unless the queue is empty. An item from a thread that ended
   * goes alone: it may have ended the thread, and must not take others with it.
   */
  takeBatch(): Item[] {
    const isSecond = this.#items[0] !== undefined && this.#items[0].attempts > 0
    const most = Math.min(isSecond ? 1 : MAX_BATCH, this.#items.length)
    let count = 0
    let text = 0
    while (count < most) {
      const length = textLength(this.#items[count]!.entry)
      if (count > 0 && text + length > MAX_BATCH_TEXT) break
      text += length
      count++
    }
    this.#text -= text
    return this.#items.splice(0, count)
  }

  /** Takes the items that came before a time. */
  takeOlderThan(sinceMs: number): Item[] {
    const old = this.#items.filter((item) => item.sinceMs < sinceMs)
    if (old.length === 0) return old
    this.#items = this.#items.filter((item) => item.sinceMs >= sinceMs)
    for (const { entry } of old) this.#text -= textLength(entry)
    return old
  }

  takeAll(): Item[] {
    this.#text = 0
    return this.#items.splice(0)
  }
}
