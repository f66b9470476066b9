/** Text functions: case, padding, encoding. They leave extension tags alone. */
import { costlyText, type FunctionCall, type FunctionTable } from '../functionCall.js'
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { escapeHtml } from '../../../domain/html.js'
import { aroundMarkers, withoutMarkers } from '../stripMarkers.js'
import { encodePath, encodeQuery, encodeTitle } from './encoding.js'

const MAX_PADDED = 500
const LINK = /\[\[:?[^[\]|]*\|([^[\]]*)\]\]|\[\[:?([^[\]|]*)\]\]/g
const TAG = /<\/?[a-z][^<>]{0,1000}>/gi
const QUOTES = /'{2,5}/g
const EXTERNAL_LINK = /(?<!\[)\[(?:https?:\/\/|ftp:\/\/|mailto:|\/\/)[^\s[\]<>"]{1,2000}[ \t]+([^[\]]*)\]/gi
const BLANKS = /[ _\t\u00a0\u2000-\u200a]+/g
/** A percent sign that a browser would decode. */
const ESCAPE = /%(?=[0-9a-f]{2})/gi
/** Signs that wikitext would read: brackets, and what makes an address or a number a link. */
const LIVE_SIGNS = /[[\]{|}]|(?<=https?|ftps?|ircs?|git|ssh|mailto|news|tel|urn):|R(?=FC)|I(?=SBN)|P(?=MID)/g
const FIRST_LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

export const TEXT_FUNCTIONS: FunctionTable = {
  lc: (call) => aroundMarkers(call.text(0), lowerCase),
  uc: (call) => aroundMarkers(call.text(0), (text) => text.toUpperCase()),
  lcfirst: (call) => changeFirst(call.text(0), (letter) => call.expander.locale.facts.smallLetter(letter)),
  ucfirst: (call) => changeFirst(call.text(0), (letter) => call.expander.locale.facts.capital(letter)),
  padleft: (call) => padding(call) + call.text(0),
  padright: (call) => call.text(0) + padding(call),
  urlencode: encodeUrl,
  anchorencode: encodeAnchor,
  bidi: (call) => isolated(call.text(0)),
}

/** A sigma stays the same letter at the end of a word. */
export function lowerCase(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase()
}

/** Embeds a text in the direction of its first letter. */
function isolated(text: string): string {
  const letter = FIRST_LETTER.exec(withoutMarkers(text))?.[0]
  if (letter === undefined) return text
  return `${RIGHT_TO_LEFT.test(letter) ? '\u202b' : '\u202a'}${text}\u202c`
}

function changeFirst(text: string, change: (letter: string) => string): string {
  const first = text.codePointAt(0)
  if (first === undefined || first === 0x7f) return text
  const letter = String.fromCodePoint(first)
  return change(letter) + text.slice(letter.length)
}

/** Padding up to the wanted length, made of the third argument or of zeros. */
function padding(call: FunctionCall): string {
  const filler = withoutMarkers(call.count > 2 ? call.text(2) : '0')
  const length = Math.min(parseInt(call.text(1), 10) || 0, MAX_PADDED)
  const missing = length - lengthOf(call.text(0), length)
  if (filler === '' || missing <= 0) return ''
  const letters = Array.from(filler.slice(0, 2 * MAX_PADDED))
  return Array.from({ length: missing }, (_, index) => letters[index % letters.length]).join('')
}

/** Number of characters, counted up to a limit. */
function lengthOf(text: string, limit: number): number {
  if (text.length > 2 * limit) return limit
  return Array.from(text).length
}

/** Encodes for a query unless the second argument is `PATH` or `WIKI`. */
function encodeUrl(call: FunctionCall): string {
  const text = withoutMarkers(costlyText(call, 0))
  const kind = call.text(1)
  const { facts } = call.expander.locale
  if (facts.means('url_path', kind)) return encodePath(text)
  if (facts.means('url_wiki', kind)) return encodeTitle(text.replaceAll(' ', '_'))
  return encodeQuery(text)
}

/** The fragment of links to a heading with this text, with signs of wikitext escaped. */
function encodeAnchor(call: FunctionCall): string {
  const text = withoutMarkers(costlyText(call, 0))
    .replace(EXTERNAL_LINK, (_link, label: string) => label)
    .replace(LINK, (_link, label?: string, target?: string) => label ?? target ?? '')
    .replace(TAG, '')
    .replace(QUOTES, (quotes) => (quotes.length === 4 ? "'" : ''))
  const id = decodeCharacterReferences(text).replace(BLANKS, ' ').trim().replaceAll(' ', '_')
  return escapeHtml(id.replace(ESCAPE, '%25')).replace(LIVE_SIGNS, (sign) => `&#${sign.charCodeAt(0)};`)
}
