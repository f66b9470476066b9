/** Text functions: case, padding, encoding. They leave extension tags alone. */
import { costlyText, type FunctionCall } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { aroundMarkers, withoutMarkers } from '../stripMarkers.js'
import { encodePath, encodeQuery, encodeTitle } from './encoding.js'
import type { FunctionTable } from './table.js'

const MAX_PADDED = 500
const LINK = /\[\[:?[^[\]|]*\|([^[\]]*)\]\]|\[\[:?([^[\]|]*)\]\]/g
const TAG = /<\/?[a-z][^<>]{0,1000}>/gi
const QUOTES = /'{2,5}/g
const BLANKS = /[ _]+/g

export const TEXT_FUNCTIONS: FunctionTable = {
  lc: (call) => aroundMarkers(call.text(0), (text) => text.toLowerCase()),
  uc: (call) => aroundMarkers(call.text(0), (text) => text.toUpperCase()),
  lcfirst: (call) => changeFirst(call.text(0), (letter) => letter.toLowerCase()),
  ucfirst: (call) => changeFirst(call.text(0), (letter) => letter.toUpperCase()),
  padleft: (call) => padding(call) + call.text(0),
  padright: (call) => call.text(0) + padding(call),
  urlencode: encodeUrl,
  anchorencode: encodeAnchor,
  bidi: (call) => call.text(0),
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
  const kind = call.text(1).toUpperCase()
  if (kind === 'PATH') return encodePath(text)
  if (kind === 'WIKI') return encodeTitle(text.replaceAll(' ', '_'))
  return encodeQuery(text)
}

/** The id of a heading with this text. */
function encodeAnchor(call: FunctionCall): string {
  const text = withoutMarkers(costlyText(call, 0))
    .replace(LINK, (_link, label?: string, target?: string) => label ?? target ?? '')
    .replace(TAG, '')
    .replace(QUOTES, '')
  return escapeHtml(text.replace(BLANKS, ' ').trim().replaceAll(' ', '_'))
}
