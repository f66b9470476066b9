/**
 * Size limits for work on the event loop. Up to them the work takes less than a millisecond. Larger work becomes a task
 * of the compute pool. For sources of edits, `isQuickToPrepare` (`src/edit`) sets the limit, in characters.
 */
export const MAX_INLINE_BYTES = {
  /** Parsing a body: 200 kB take about a millisecond. */
  body: 64 * 1024,
  /** Reading the latest text of a page for the summary of an edit. */
  editedText: 32 * 1024,
  /** Unpacking HTML and converting it to a JSON string, which takes 0.6 ms. */
  jsonString: 64 * 1024,
  /** Compressing a body, which takes 0.2 ms with brotli. */
  compression: 8 * 1024,
  /** Searching a text for links. */
  linkSearch: 64 * 1024,
  /** Unpacking HTML, which takes 0.2 ms. */
  unpacking: 64 * 1024,
  /** Unpacking and patching the text of an older revision. */
  olderText: 32 * 1024,
} as const
