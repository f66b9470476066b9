/** Percent-encoding of path segments and query strings. */

/**
 * Decodes percent escapes to UTF-8. Invalid escapes such as `100%` and `%zz` stay as written. Bytes that are not UTF-8
 * become U+FFFD, which no title holds.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return decodeLeniently(text)
  }
}

/** Encodes everything as UTF-8 except ASCII letters, digits and `- . _ ~` (RFC 3986). Throws for a lone surrogate. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function decodeLeniently(text: string): string {
  const bytes: Buffer[] = []
  for (const [part, escape] of text.matchAll(/%([0-9A-Fa-f]{2})|%|[^%]+/g)) {
    bytes.push(escape === undefined ? Buffer.from(part) : Buffer.from(escape, 'hex'))
  }
  return Buffer.concat(bytes).toString('utf8')
}
