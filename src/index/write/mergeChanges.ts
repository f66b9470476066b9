/** Merges the changes that several threads have found in one area. */
import { Postings } from '../rows/postingRow.js'
import type { JoinedChanges } from './bulkIndex.js'
import type { TermChange } from './termChanges.js'

/** The changes of one thread, and how far they are merged. */
class Part {
  readonly changes: JoinedChanges
  /** The present term; undefined after the last. Terms are cut off one by one: strings for all take megabytes. */
  term: string | undefined
  #termEnd = -1
  #at = 0
  /** The next change of the term that was opened last, and the end of its changes. */
  next = 0
  end = 0

  constructor(changes: JoinedChanges) {
    this.changes = changes
    this.#cutTerm()
  }

  /** Opens the changes of the present term, and goes to the next one. */
  open(): void {
    this.next = this.changes.offsets[this.#at]!
    this.end = this.changes.offsets[++this.#at]!
    this.#cutTerm()
  }

  #cutTerm(): void {
    const { terms } = this.changes
    const start = this.#termEnd + 1
    if (start >= terms.length) {
      this.term = undefined
      return
    }
    const space = terms.indexOf(' ', start)
    this.#termEnd = space < 0 ? terms.length : space
    this.term = terms.slice(start, this.#termEnd)
  }
}

/**
 * Merges changes of disjoint pages, without those of stale pages, term by term in order. The caller must be done with a
 * term's changes before it takes the next.
 */
export function* mergeChanges(
  joined: readonly JoinedChanges[],
  stale: ReadonlySet<number>,
): Generator<TermChange, void> {
  const parts = joined.map((changes) => new Part(changes))
  const merged = new Postings()
  for (let term = firstTerm(parts); term !== undefined; term = firstTerm(parts)) {
    const having = parts.filter((part) => part.term === term)
    for (const part of having) part.open()
    const [first] = having
    if (having.length === 1 && stale.size === 0) {
      const { changes, next, end } = first!
      yield { term, pages: changes.pages, slots: changes.slots, from: next, to: end }
    } else {
      mergePages(having, stale, merged)
      yield { term, pages: merged.pages, slots: merged.slots, from: 0, to: merged.length }
    }
  }
}

function firstTerm(parts: readonly Part[]): string | undefined {
  let first: string | undefined
  for (const { term } of parts) if (term !== undefined && (first === undefined || term < first)) first = term
  return first
}

/** Merges the changes of one term in the order of pages. */
function mergePages(parts: readonly Part[], stale: ReadonlySet<number>, into: Postings): void {
  into.clear()
  for (;;) {
    let first: Part | undefined
    for (const part of parts) {
      if (part.next === part.end) continue
      if (first === undefined || part.changes.pages[part.next]! < first.changes.pages[first.next]!)
        first = part
    }
    if (first === undefined) return
    const { pages, slots } = first.changes
    const at = first.next++
    if (stale.size === 0 || !stale.has(pages[at]!)) into.push(pages[at]!, slots[at]!)
  }
}
