/** A term as a search reads it, with its postings. */
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
