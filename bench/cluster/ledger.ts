/** All edits of clients with their answers. The stores are compared with it at the end. */

/** The answer to an edit. Unknown: no answer, or one that says that the edit may be saved. */
export type Outcome = 'saved' | 'refused' | 'unknown'

export interface Sent {
  readonly title: string
  readonly marker: string
  readonly outcome: Outcome
  /** 201: the edit made the page. */
  readonly isNew: boolean
  /** Undefined unless it was saved. */
  readonly revisionId: number | undefined
  /** Status and error key, or why there was no answer. */
  readonly answer: string
  readonly tookMs: number
}

export class Ledger {
  readonly sent: Sent[] = []
  /** Reads that did not show what the same client had saved before, by what was wrong. */
  readonly faults: string[] = []
  /** Reads that named a position, and those of them that showed an older page after the longest wait. */
  readsChecked = 0
  readsLate = 0
  /** Edits whose base was not the latest revision any more: they were merged. */
  merges = 0
  #rounds = 0
  #startMs = 0
  #workedMs = 0

  add(sent: Sent): void {
    this.sent.push(sent)
  }

  /** A load begins. Returns its number. */
  start(): number {
    this.#startMs = performance.now()
    return ++this.#rounds
  }

  /** The load has ended. */
  end(): void {
    this.#workedMs += performance.now() - this.#startMs
  }

  /** Time of all loads. */
  get seconds(): number {
    return this.#workedMs / 1000
  }

  count(outcome: Outcome): number {
    return this.sent.filter((each) => each.outcome === outcome).length
  }

  /** Numbers of answers, most frequent first. */
  answers(): [answer: string, count: number][] {
    const counts = new Map<string, number>()
    for (const { answer } of this.sent) counts.set(answer, (counts.get(answer) ?? 0) + 1)
    return [...counts].toSorted((a, b) => b[1] - a[1])
  }

  /** Times of saved edits in milliseconds, in ascending order. */
  savedTimes(): number[] {
    return this.sent
      .filter(({ outcome }) => outcome === 'saved')
      .map(({ tookMs }) => tookMs)
      .toSorted((a, b) => a - b)
  }
}
