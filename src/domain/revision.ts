/** Revisions as the wiki knows them. Times are seconds since 1970 (UTC); sizes are bytes of UTF-8. */
export interface Editor {
  /** Positive id of a registered user; null for an anonymous editor or a name without an account. */
  readonly id: number | null
  readonly name: string
}

/** One revision as an importer hands it over. Absent parts are hidden or unknown. */
export interface IncomingRevision {
  /** `NO_ID` of page.ts: not stated. */
  readonly id: number
  /** Parent as stated; undefined when the source does not say. */
  readonly parentId: number | undefined
  readonly timestamp: number
  /** Undefined: the editor is hidden. */
  readonly editor: Editor | undefined
  /** Undefined: the summary is hidden. Empty: the editor wrote no summary. */
  readonly comment: string | undefined
  readonly minor: boolean
  readonly contentModel: string
  /** Undefined: the text is hidden. */
  readonly text: string | undefined
  /** Size of the text that the source states, used when the text is hidden. Undefined or negative: unknown. */
  readonly statedSizeBytes: number | undefined
  /** Bytes of the texts in slots other than main, which count in the revision's size; absent without such slots. */
  readonly otherSlotsBytes?: number
  /** SHA-1 that the source states, as 31 digits in base 36; undefined when it does not say. */
  readonly statedSha1: string | undefined
  /** True for a revision whose id was given here, since it was saved here or came without one; else absent. */
  readonly madeHere?: true
}

/** Bytes that a revision occupies in memory until it is stored. Counts only the parts that can be long. */
export function heldBytes({ text, comment, editor, contentModel }: IncomingRevision): number {
  const parts = [text, comment, editor?.name, contentModel]
  return parts.reduce((sum, part) => sum + (part === undefined ? 0 : Buffer.byteLength(part)), 0)
}

export const HISTORY_FILTERS = ['anonymous', 'bot', 'minor', 'reverted'] as const
export type HistoryFilter = (typeof HISTORY_FILTERS)[number]
