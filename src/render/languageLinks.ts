/** Interlanguage links: `[[de:Haus]]` in a page names the page on the same subject in another wiki's language. */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { decodePercent } from '../domain/percent.js'
import { redirectEnd } from '../domain/redirect.js'
import { type ForeignTitle, parseForeignTitle, parseTitle, prefixedKey } from '../domain/title.js'
import { visibleWikitext } from './visibleText.js'

export interface LanguageLink {
  readonly code: string
  /** The language's own name. */
  readonly name: string
  /** Title in the other wiki, with underscores and without `#section`. */
  readonly key: string
  /** The same title with spaces. */
  readonly title: string
}

/** Settings of the wiki that decide the meaning of a link. */
export interface LinkRules {
  readonly namespaces: Namespaces
  readonly interwiki: InterwikiMap
  /** Code of the wiki's own language, whose prefix leads to no other wiki. */
  readonly language: string
}

/** Signs that end a link's target: its label, its own end, or a sign that no title contains. */
const TARGET_END = /[[\]|{}<>\n]/g
/** A target with a prefix contains one of these: a colon, or an escape or character reference for one. */
const PERHAPS_PREFIXED = /[:%&]/
const BAR = 124
const LEADING_COLON = /^\s*:/

/**
 * The interlanguage links of a wikitext, sorted by code. Only the first link of each language counts. It hides later
 * ones even when its title is invalid, as in `[[de:]]`.
 *
 * Ignored are the link of a redirect, links in comments, `nowiki` and similar tags, and links to the wiki's own
 * language. Templates are not expanded, so pass expanded text to include their links. Titles follow the rules of this
 * wiki, as in MediaWiki: `[[de:image:x]]` has the key `File:X`.
 */
export function languageLinks(wikitext: string, rules: LinkRules): LanguageLink[] {
  const first = new Map<string, ForeignTitle>()
  for (const target of linkTargets(wikitext)) {
    const link = readLink(target, rules)
    if (link !== undefined && !first.has(link.prefix)) first.set(link.prefix, link)
  }
  return [...first.values()]
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
    .flatMap((link) => describe(link, rules) ?? [])
}

/**
 * Links from the database of a wiki: titles, with spaces, by language code. Sorted by code. Ignored are unknown
 * languages, the wiki's own one, and titles that are not valid.
 */
export function languageLinksOf(
  titles: Iterable<readonly [code: string, title: string]>,
  rules: LinkRules,
): LanguageLink[] {
  const links = Array.from(titles, ([code, title]) => foreignTitle(`${code}:${title}`, rules))
  return links
    .filter((link) => link !== undefined)
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
    .flatMap((link) => describe(link, rules) ?? [])
}

/** The target of each link. A link contains no other link, so it ends before the next `[[`. */
function* linkTargets(wikitext: string): Iterable<string> {
  if (!wikitext.includes(']]')) return
  const text = visibleWikitext(wikitext.slice(redirectEnd(wikitext)))
  for (let at = text.indexOf('[['), next; at >= 0; at = next) {
    next = text.indexOf('[[', at + 2)
    TARGET_END.lastIndex = at + 2
    if (!TARGET_END.test(text)) return
    const end = TARGET_END.lastIndex - 1
    const target = text.slice(at + 2, end)
    if (PERHAPS_PREFIXED.test(target) && isClosed(text, end, next < 0 ? text.length : next)) yield target
  }
}

/** True if a link ends at `from`, or ends after a label before position `before`. A label has at least one letter. */
function isClosed(text: string, from: number, before: number): boolean {
  if (text.startsWith(']]', from)) return true
  return text.charCodeAt(from) === BAR && text.slice(from + 2, before).includes(']]')
}

/** Undefined when the link is not an interlanguage link. */
function readLink(target: string, rules: LinkRules): ForeignTitle | undefined {
  const text = decodePercent(target)
  return LEADING_COLON.test(text) ? undefined : foreignTitle(text, rules)
}

/** A title with the prefix of another language; undefined for all others. */
function foreignTitle(
  text: string,
  { namespaces, interwiki, language }: LinkRules,
): ForeignTitle | undefined {
  const link = parseForeignTitle(text, namespaces, (prefix) => interwiki.has(prefix))
  if (link === undefined || link.prefix === language) return undefined
  return interwiki.get(link.prefix)?.language === undefined ? undefined : link
}

/** Undefined when the text after the prefix is not a title. */
function describe(link: ForeignTitle, rules: LinkRules): LanguageLink | undefined {
  const code = link.prefix
  const name = rules.interwiki.get(code)?.language
  const key = keyOf(link, rules)
  return name === undefined || key === undefined
    ? undefined
    : { code, name, key, title: key.replaceAll('_', ' ') }
}

function keyOf({ rest, fragment }: ForeignTitle, { namespaces, interwiki }: LinkRules): string | undefined {
  if (rest === '') return fragment === '' ? undefined : ''
  const isInterwiki = (prefix: string): boolean => interwiki.has(prefix)
  const parsed = parseTitle(rest, namespaces, isInterwiki)
  if (parsed.ok) return prefixedKey(parsed.title, namespaces)
  const further = parsed.error === 'interwiki' ? parseForeignTitle(rest, namespaces, isInterwiki) : undefined
  return further && `${further.prefix}:${further.rest}`
}
