/** Changes of links in stored HTML, byte for byte and without parsing. */

/** Replaces each `from` by `to`. */
export interface Replacement {
  readonly from: string
  readonly to: string
}

/*
 * The serialiser escapes "<" in texts and attributes. So "<a " begins a link wherever it stands, and these beginnings
 * of links occur nowhere else. The first is of links in references, the second of links to pages. A value with more
 * double than single quotes stands in single quotes.
 */
const REFERENCE_LINK = '<a href='
const PAGE_LINK = '<a rel="mw:WikiLink" href='
const QUOTES = [
  { quote: '"', escape: (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;') },
  { quote: "'", escape: (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&apos;') },
] as const

/** Links to sections and notes of the page itself then stay on the page as it is shown, such as an old revision. */
export function ownSections(key: string, path: string): Replacement[] {
  return [REFERENCE_LINK, PAGE_LINK].flatMap((start) =>
    changes(start, `./${engineEncoded(key)}#`, `${path}#`),
  )
}

/** Links to pages lead to another server. `base` ends with a slash. */
export function pagesElsewhere(base: string): Replacement[] {
  return changes(PAGE_LINK, './', base)
}

const changes = (start: string, from: string, to: string): Replacement[] =>
  QUOTES.map(({ quote, escape }) => ({
    from: start + quote + escape(from),
    to: start + quote + escape(to),
  }))

/** A key as the engine writes it into links. */
const engineEncoded = (key: string): string => key.replace(/[%? [\]#|<>]/g, encodeURIComponent)

export function replaceBytes(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  let result = bytes
  for (const { from, to } of replacements) result = replaceAll(result, Buffer.from(from), Buffer.from(to))
  return result
}

function replaceAll(bytes: Uint8Array, from: Buffer, to: Buffer): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let start = 0
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, start)) {
    parts.push(text.subarray(start, at), to)
    start = at + from.length
  }
  if (parts.length === 0) return bytes
  parts.push(text.subarray(start))
  return Buffer.concat(parts)
}
