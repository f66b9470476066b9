/** HTML: escaping of text, and versions of documents. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

const ESCAPED = /[&<>"']/
const ALL_ESCAPED = new RegExp(ESCAPED, 'g')

/** Text that is safe as content and in quoted attribute values. Uses the character references that MediaWiki writes. */
export function escapeHtml(text: string): string {
  // Most texts have no such sign, and a search for one takes half the time of a replacement.
  return ESCAPED.test(text) ? text.replace(ALL_ESCAPED, (sign) => ESCAPES[sign]!) : text
}

/** Elements that have no content and no end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** A value of an attribute may have the sign that ends a tag. */
const TAG = /<(?:"[^"]*"|'[^']*'|[^'">])*>/g

/** The texts of HTML as a serialiser writes it, with their character references. */
export const withoutTags = (html: string): string => html.replace(TAG, '')

/** Version of the specification that a document follows: major, minor, patch. */
export type HtmlVersion = readonly [number, number, number]

const VERSION = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/
const MAX_PART = 255

/** Undefined for what is no version, or a part above 255. */
export function parseHtmlVersion(text: string): HtmlVersion | undefined {
  const [, ...parts] = VERSION.exec(text) ?? []
  const [major, minor, patch] = parts.map(Number)
  if (major === undefined || minor === undefined || patch === undefined) return undefined
  return Math.max(major, minor, patch) > MAX_PART ? undefined : [major, minor, patch]
}

/** One number for a version: major · 2¹⁶ + minor · 2⁸ + patch. */
export const numberOfVersion = ([major, minor, patch]: HtmlVersion): number =>
  major * 65_536 + minor * 256 + patch

/** Writes such a number as `2.8.0`. */
export const formatVersion = (number: number): string =>
  [number >>> 16, (number >>> 8) & 0xff, number & 0xff].join('.')

/** A document states its version in its head. */
const HEAD_LENGTH = 16_384
const STATED_VERSION = /<meta\s+property="mw:html(?:V|:v)ersion"\s+content="([^"]*)"/

/** The version that a document states; undefined if it states none. */
export const statedHtmlVersion = (html: string): HtmlVersion | undefined =>
  parseHtmlVersion(STATED_VERSION.exec(html.slice(0, HEAD_LENGTH))?.[1] ?? '')
