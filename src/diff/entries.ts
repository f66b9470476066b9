/** The entries of a comparison, in the form that the API sends. */

/** Kinds of entries. */
export const ENTRY = { context: 0, added: 1, deleted: 2, changed: 3, movedAway: 4, movedHere: 5 } as const
export type EntryType = (typeof ENTRY)[keyof typeof ENTRY]

/** A marked range of an entry's text. `start` and `length` are in bytes of UTF-8. Type 0 is added, 1 is deleted. */
export interface HighlightRange {
  readonly start: number
  readonly length: number
  readonly type: 0 | 1
}

export interface MoveInfo {
  /** Id of this line; `linkId` is the id of the other end of the move. */
  readonly id: string
  readonly linkId: string
  /** 0: the other end is further down the list. 1: it is further up. */
  readonly linkDirection: 0 | 1
}

/** One compared line. */
export interface DiffEntry {
  readonly type: EntryType
  /** Number of the line in the new text, from 1; absent for lines that the new text lacks (deleted, moved away). */
  readonly lineNumber?: number
  /** Only for lines moved away and moved here. */
  readonly moveInfo?: MoveInfo
  /** The line. A merged line spells common words as the old text does. */
  readonly text: string
  /** Byte offset (UTF-8) of the line in both texts; null in a text that lacks the line at this position. */
  readonly offset: { readonly from: number | null; readonly to: number | null }
  /** Only for changed lines and lines moved here. Empty when all words are equal. */
  readonly highlightRanges?: readonly HighlightRange[]
}
