/** Terms as a search reads them: their postings, and the terms with a beginning. */
import type { Postings } from '../rows/postingRow.js'
import type { SlotTable } from './slotTable.js'

/** Document frequency of a term, and the postings of its first row. */
export interface TermList {
  readonly term: string
  readonly frequency: number
  /** The first postings, or all of them when `hasMore` is false. Empty if all are kept in another form. */
  first: Postings
  readonly hasMore: boolean
  /** For a list that stays in memory from search to search. */
  readonly kept: KeptPostings | undefined
}

/** Forms of all postings of a list, which searches make when they need them. */
export interface KeptPostings {
  /** Whether a search has read further rows. */
  wasRead: boolean
  /** All postings of a list with further rows, once two searches have read them. */
  whole: Postings | undefined
  /** Undefined until a search needs it, and null if few pages have the term. */
  table: SlotTable | null | undefined
}

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
