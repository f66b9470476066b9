/** Texts that must fit into a number of bytes. */

/** The longest beginning of a text that has at most so many bytes as UTF-8. */
export function firstBytes(text: string, maxBytes: number): string {
  // No sign of a string takes more than three.
  if (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes) return text
  // A streaming decoder leaves out a character that was cut.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes), { stream: true })
}
