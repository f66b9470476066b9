/** The entries of a comparison, in the shape in which they travel. */

/** What an entry says of its line. */
export const ENTRY = { context: 0, added: 1, deleted: 2, changed: 3, movedAway: 4, movedHere: 5 } as const
export type EntryType = (typeof ENTRY)[keyof typeof ENTRY]

/** A marked stretch of an entry's text. `start` and `length` are in bytes of UTF-8; type 0 is added, 1 deleted. */
export interface HighlightRange {
  readonly start: number
  readonly length: number
  readonly type: 0 | 1
}

export interface MoveInfo {
  /** Names this place, `linkId` the other end of the move. */
  readonly id: string
  readonly linkId: string
  /** 0: the other end comes further down the list, 1: it came before. */
  readonly linkDirection: 0 | 1
}

/** One compared line. */
export interface DiffEntry {
  readonly type: EntryType
  /** Number of the line in the new text, from 1; left out for lines that are not there (deleted, moved away). */
  readonly lineNumber?: number
  /** Only for lines moved away and moved here. */
  readonly moveInfo?: MoveInfo
  /** The line; where old and new line are merged, common words stand as in the old text. */
  readonly text: string
  /** Where the line starts in both texts, in bytes of UTF-8; null in a text that does not have it at this place. */
  readonly offset: { readonly from: number | null; readonly to: number | null }
  /** Only for changed lines and lines moved here; empty when no word differs. */
  readonly highlightRanges?: readonly HighlightRange[]
}
