/**
 * Style attributes must load nothing, since a request to another site reveals the reader. The package looks for
 * functions that load, but decodes only some of the escapes in which an author can write their names.
 */
import type { Load } from './patches/load.js'

interface Sanitizer {
  checkCss(text: string): string
  decodeCharReferences(text: string): string
  decodeEntity(name: string): string
}

/** Replaces a removed style, as MediaWiki writes it. */
const INSECURE = '/* insecure input */'
const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|\r\n|([^]))/gi
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g
/** Functions that take a URL, with browser prefixes, and constructs that run code in old browsers. */
const LOADING =
  /(?:url|src|image|image-set|cross-fade|element|paint|expression)\s*\(|@import|behaviou?r\s*:|-moz-binding|javascript:|attr\s*\([^)]*\burl/i

export function patchStyles(load: Load): void {
  const { Sanitizer } = load<{ Sanitizer: Sanitizer }>('lib/wt2html/tt/Sanitizer.js')
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with their class as `this` below
  const { checkCss, decodeEntity } = Sanitizer
  Sanitizer.checkCss = function (text) {
    const checked = checkCss.call(Sanitizer, text)
    return loads(Sanitizer.decodeCharReferences(text)) || loads(checked) ? INSECURE : checked
  }
  // The package's table of entities is an object, so it also finds inherited names such as `constructor`.
  Sanitizer.decodeEntity = function (name) {
    return name in Object.prototype ? `&${name};` : decodeEntity.call(Sanitizer, name)
  }
}

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
