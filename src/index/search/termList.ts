/** Terms as a search reads them: their postings, and the terms with a beginning. */
import type { Postings } from '../rows/postingRow.js'

/** Document frequency of a term, and the postings of its first row. */
export interface TermList {
  readonly term: string
  readonly frequency: number
  /** The first postings, or all of them when `hasMore` is false. */
  readonly first: Postings
  readonly hasMore: boolean
  /** Whether a search has read further rows, for a list that is kept from search to search. */
  wasRead?: boolean
  /** All postings of such a list with further rows, once two searches have read them. */
  whole?: Postings
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
