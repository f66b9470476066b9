/** HTML character references in titles and wikitext: numeric ones and the names of HTML. */
import { characterEntities } from 'character-entities'

const NAMED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(characterEntities),
  // MediaWiki's own names of the right-to-left mark.
  ['רלמ', '\u200f'],
  ['رلم', '\u200f'],
])
const REFERENCE = /&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}|רלמ|رلم));/g
/** Anything that is not a character of XML, and control characters beyond ASCII. */
const NO_CHARACTER = /[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const REPLACEMENT = '\ufffd'
const MAX_CODE_POINT = 0x10ffff

/**
 * Decodes character references once. A number that is no character becomes U+FFFD. References that are unknown, beyond
 * Unicode or without a semicolon stay as written.
 */
export function decodeCharacterReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? reference
    const code = decimal !== undefined ? Number(decimal) : parseInt(hex ?? '', 16)
    if (code > MAX_CODE_POINT) return reference
    const character = String.fromCodePoint(code)
    return NO_CHARACTER.test(character) ? REPLACEMENT : character
  })
}
