/**
 * What the event loop does itself. Up to these sizes the work stays below a millisecond; anything larger is a task of
 * the compute pool. `isQuickToPrepare` (`src/edit`) is the limit for sources of edits, in characters.
 */
export const MAX_INLINE_BYTES = {
  /** A body that is parsed: 200 kB take about a millisecond. */
  body: 64 * 1024,
  /** The latest text of a page that is edited: the summary of the edit may need to read it. */
  editedText: 32 * 1024,
  /** HTML that becomes a JSON string: this takes less than half a millisecond. */
  jsonString: 64 * 1024,
  /** A text that is searched for links. */
  linkSearch: 64 * 1024,
  /** The text of an older revision, which is unpacked and patched. */
  olderText: 32 * 1024,
} as const
