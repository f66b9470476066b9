/** The terms of an area that begin with a prefix. */
import type { IndexTable, PostingKey } from '../rows/tables.js'

/** A term with the given prefix, and its document frequency. */
export interface Completion {
  readonly term: string
  readonly frequency: number
}

/** Limits for the expansion of a prefix. */
export interface CompletionBounds {
  /** Number of terms to look at, in the order of their keys. */
  readonly scanned: number
  /** Number of the most frequent of these to use. */
  readonly taken: number
}

/** For an explicit prefix, `word*`. */
export const WIDE: CompletionBounds = { scanned: 500, taken: 50 }
/** For the last word of a query, which may be complete. */
export const NARROW: CompletionBounds = { scanned: 96, taken: 16 }

const KEYS_AT_ONCE = 32
const LAST_CHARACTER = '\u{10ffff}'
/** Sorts after all rows of a term, and before those of longer terms. */
export const AFTER = '\u0001'

type PostingTable = IndexTable<PostingKey>

/** The first terms with a prefix, in the order of code points: `count`, or a few more. */
export function listTerms(table: PostingTable, area: number, prefix: string, count: number): string[] {
  const terms: string[] = []
  let from = prefix
  for (let scanned = 0; scanned < count;) {
    const batch = termsFrom(table, area, from, prefix)
    terms.push(...batch.terms)
    scanned += Math.max(1, batch.terms.length)
    if (batch.next === undefined) break
    from = batch.next
  }
  return terms
}

/** The first term at or after `from`, in the order of code points. */
export function nextTerm(table: PostingTable, area: number, from: string): string | undefined {
  const range = { start: [area, from, 0], end: [area, LAST_CHARACTER, 0] } as const
  for (const [, term] of table.getKeys({ ...range, limit: 1 })) return term
  return undefined
}

/** The most frequent of these terms, in that order. */
export function mostFrequent(
  terms: readonly string[],
  count: number,
  frequencyOf: (term: string) => number,
): readonly Completion[] {
  const found = terms.map((term) => ({ term, frequency: frequencyOf(term) }))
  found.sort((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
  return found.slice(0, count)
}

/** The next terms from `from` on, and where to continue. A term with many rows takes one step. */
function termsFrom(
  table: PostingTable,
  area: number,
  from: string,
  prefix: string,
): { readonly terms: string[]; readonly next: string | undefined } {
  const terms: string[] = []
  const start: PostingKey = [area, from, 0]
  const end: PostingKey = [area, prefix + LAST_CHARACTER, 0]
  let keys = 0
  for (const [, term] of table.getKeys({ start, end, limit: KEYS_AT_ONCE })) {
    keys++
    if (term !== terms.at(-1)) terms.push(term)
  }
  const next = keys < KEYS_AT_ONCE ? undefined : `${terms.at(-1) ?? from}${AFTER}`
  return { terms, next }
}
