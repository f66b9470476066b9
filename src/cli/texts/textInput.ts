/** What the comparison reads: texts in UTF-8. */

/** What was to be compared cannot be read; the message says where and why. */
export class DiffInputError extends Error {
  override readonly name = 'DiffInputError'
}

/** Throws a TypeError when the bytes are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
