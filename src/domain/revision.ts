/** Revisions as the wiki knows them. Times are seconds since 1970 (UTC); sizes are bytes of UTF-8. */
export interface Editor {
  /** Positive id of a registered user; null for an anonymous editor or a name without an account. */
  readonly id: number | null
  readonly name: string
}

/** One revision as an importer hands it over: absent parts are hidden or unknown. */
export interface IncomingRevision {
  readonly id: number
  /** Parent as stated; undefined when the source does not say. */
  readonly parentId: number | undefined
  readonly timestamp: number
  /** Undefined: the editor is hidden. */
  readonly editor: Editor | undefined
  /** Undefined: the summary is hidden. Empty: there is none. */
  readonly comment: string | undefined
  readonly minor: boolean
  readonly contentModel: string
  /** Undefined: the text is hidden. */
  readonly text: string | undefined
  /** Size that the source states, used when the text is hidden; undefined or negative when unknown. */
  readonly statedSizeBytes: number | undefined
  /** SHA-1 that the source states, base 36, 31 digits; undefined when it does not say. */
  readonly statedSha1: string | undefined
  /** It is saved here; else it comes from another wiki. */
  readonly madeHere?: true
}

/** Bytes of what a revision was written with, as it is held in memory until it is stored: all that can be long. */
export function heldBytes({ text, comment, editor, contentModel }: IncomingRevision): number {
  const parts = [text, comment, editor?.name, contentModel]
  return parts.reduce((sum, part) => sum + (part === undefined ? 0 : Buffer.byteLength(part)), 0)
}

export const HISTORY_FILTERS = ['anonymous', 'bot', 'minor', 'reverted'] as const
export type HistoryFilter = (typeof HISTORY_FILTERS)[number]
