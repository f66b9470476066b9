/**
 * Styles must load nothing, since a request to another site reveals the reader. All escapes are decoded in which an
 * author can write the names of functions that load.
 */

const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|\r\n|([^]))/gi
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g
/** Functions that take a URL, with browser prefixes, and constructs that run code in old browsers. */
const LOADING =
  /(?:url|src|image|image-set|cross-fade|element|paint|expression)\s*\(|@import|behaviou?r\s*:|-moz-binding|javascript:|attr\s*\([^)]*\burl/i

/**
 * True if a browser would load something. Checks the text both with and without comments, since strings may contain
 * comment signs.
 */
export function loads(css: string): boolean {
  const decoded = decodeEscapes(css)
  return LOADING.test(decoded) || LOADING.test(decoded.replace(COMMENT, ''))
}

function decodeEscapes(css: string): string {
  return css.replace(ESCAPE, (_escape, hex: string | undefined, sign: string | undefined) => {
    if (hex === undefined) return sign === '\n' || sign === '\r' || sign === '\f' ? '' : (sign ?? '')
    const code = Number.parseInt(hex, 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}
