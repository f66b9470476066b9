/** What waits for the writer thread: bounded by number and by text, and handed out in batches that are too. */
import { type Entry, textLength } from '../../storage/entries.js'

/**
 * What may wait: at more the disk is far behind, and asking again is better than waiting. Text is counted in UTF-16
 * units; a million of them takes some 0.2 s to write, so that the last in a full queue waits some seconds.
 */
const MAX_WAITING = 1000
const MAX_WAITING_TEXT = 32 * 2 ** 20
/** What goes into one transaction; a text of the largest size that an edit may have goes alone. */
const MAX_BATCH = 200
const MAX_BATCH_TEXT = 2 * 2 ** 20

export interface Waiting {
  readonly entry: Entry
  /** When it came, in milliseconds. */
  readonly sinceMs: number
  /** How often it was handed to a thread. */
  attempts: number
}

export class WriteQueue<Item extends Waiting> {
  #items: Item[] = []
  #text = 0

  get length(): number {
    return this.#items.length
  }

  /** Whether one more may wait: one that is longer than all that may wait has the queue to itself. */
  hasRoomFor(entry: Waiting['entry']): boolean {
    if (this.#items.length === 0) return true
    return this.#items.length < MAX_WAITING && this.#text + textLength(entry) <= MAX_WAITING_TEXT
  }

  push(item: Item): void {
    this.#items.push(item)
    this.#text += textLength(item.entry)
  }

  /** Puts items back that were taken, before all others. */
  putBack(items: readonly Item[]): void {
    this.#items = [...items, ...this.#items]
    for (const { entry } of items) this.#text += textLength(entry)
  }

  /**
   * Takes out what goes into the next transaction: at least one item, unless there is none. What was in a thread that
   * ended goes alone: whichever entry ended it must not take others with it again.
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

  /** Takes out those that came before a time. */
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
