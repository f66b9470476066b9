/** Merges the changes that several threads have found in one area. */
import type { JoinedChanges } from './bulkIndex.js'
import type { TermChanges } from './termChanges.js'

/** The changes of one thread, and how far they are merged. */
class Part {
  readonly changes: JoinedChanges
  readonly #terms: readonly string[]
  #at = 0
  /** The next change of the present term, and the end of its changes. */
  next = 0
  end = 0

  constructor(changes: JoinedChanges) {
    this.changes = changes
    this.#terms = changes.terms === '' ? [] : changes.terms.split(' ')
  }

  /** The present term; undefined after the last. */
  get term(): string | undefined {
    return this.#terms[this.#at]
  }

  /** Goes to the next term, and opens the changes of the present one. */
  open(): void {
    this.next = this.changes.offsets[this.#at]!
    this.end = this.changes.offsets[++this.#at]!
  }
}

/** Merges changes of disjoint pages, without those of stale pages. */
export function mergeChanges(joined: readonly JoinedChanges[], stale: ReadonlySet<number>): TermChanges {
  const parts = joined.map((changes) => new Part(changes))
  const count = joined.reduce((sum, { pages }) => sum + pages.length, 0)
  const merged = { pages: new Uint32Array(count), slots: new Uint8Array(count) }
  const terms: string[] = []
  const offsets: number[] = [0]
  let size = 0
  for (let term = firstTerm(parts); term !== undefined; term = firstTerm(parts)) {
    const having = parts.filter((part) => part.term === term)
    for (const part of having) part.open()
    size = mergePages(having, stale, merged, size)
    terms.push(term)
    offsets.push(size)
  }
  return { terms, offsets: Uint32Array.from(offsets), pages: merged.pages, slots: merged.slots }
}

function firstTerm(parts: readonly Part[]): string | undefined {
  let first: string | undefined
  for (const { term } of parts) if (term !== undefined && (first === undefined || term < first)) first = term
  return first
}

/** Appends the changes of one term in the order of pages. Returns the number of all changes so far. */
function mergePages(
  parts: readonly Part[],
  stale: ReadonlySet<number>,
  into: { readonly pages: Uint32Array; readonly slots: Uint8Array },
  size: number,
): number {
  for (;;) {
    let first: Part | undefined
    for (const part of parts) {
      if (part.next === part.end) continue
      if (first === undefined || part.changes.pages[part.next]! < first.changes.pages[first.next]!)
        first = part
    }
    if (first === undefined) return size
    const { pages, slots } = first.changes
    const at = first.next++
    if (stale.size > 0 && stale.has(pages[at]!)) continue
    into.pages[size] = pages[at]!
    into.slots[size++] = slots[at]!
  }
}
