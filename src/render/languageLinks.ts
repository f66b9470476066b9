/** Interlanguage links: `[[de:Haus]]` in a page names the page on the same subject in another wiki's language. */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { decodePercent } from '../domain/percent.js'
import { redirectEnd } from '../domain/redirect.js'
import { type ForeignTitle, isPlain, parseForeignTitle, parseTitle, prefixedKey } from '../domain/title.js'
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
export interface WikiOfLinks {
  readonly namespaces: Namespaces
  readonly interwiki: InterwikiMap
  /** Code of the wiki's own language, whose prefix leads to no other wiki. */
  readonly language: string
}

/** The same, prepared for many links. */
export interface LinkRules extends WikiOfLinks {
  /** Names of other languages by prefix. */
  readonly languages: ReadonlyMap<string, string>
}

export function linkRules(wiki: WikiOfLinks): LinkRules {
  const { namespaces, interwiki, language: own } = wiki
  const languages = new Map<string, string>()
  for (const [prefix, { language }] of interwiki) {
    const isOther = prefix !== own && namespaces.idByName(prefix) === undefined
    if (language !== undefined && isOther) languages.set(prefix, language)
  }
  return { ...wiki, languages }
}

/** Signs that end a link's target: its label, its own end, or a sign that no title contains. */
const TARGET_END = /[[\]|{}<>\n]/g
/** A target with a prefix contains one of these: a colon, or an escape or character reference for one. */
const PERHAPS_PREFIXED = /[:%&]/
const BAR = 124
/** Of `[[:de:Haus]]`: a link to a page of another language, but no interlanguage link. */
const BLANKS = /^\s*$/
/** A prefix that only needs lower case. */
const PLAIN_PREFIX = /^[A-Za-z-]+$/

/**
 * The interlanguage links of a wikitext, sorted by code. Only the first link of each language counts. It hides later
 * ones even when its title is invalid, as in `[[de:]]`.
 *
 * Ignored are the link of a redirect, links in comments, `nowiki` and similar tags, and links to the wiki's own
 * language. Templates are not expanded, so pass expanded text to include their links. Titles follow the rules of this
 * wiki, as in MediaWiki: `[[de:image:x]]` has the key `File:X`.
 */
export function languageLinks(wikitext: string, rules: LinkRules): LanguageLink[] {
  const first = new Map<string, FoundLink>()
  for (const target of linkTargets(wikitext)) {
    const link = readLink(target, rules)
    if (link !== undefined && !first.has(link.code)) first.set(link.code, link)
  }
  return listed([...first.values()])
}

/**
 * Links from the database of a wiki: titles, with spaces, by language code. Sorted by code. Ignored are unknown
 * languages, the wiki's own one, and titles that are not valid.
 */
export function languageLinksOf(
  titles: Iterable<readonly [code: string, title: string]>,
  rules: LinkRules,
): LanguageLink[] {
  const links: FoundLink[] = []
  for (const [code, title] of titles) {
    const link = linkTo(code, title, rules)
    if (link !== undefined) links.push(link)
  }
  return listed(links)
}

/** A link whose title may turn out to be invalid. */
type FoundLink = LanguageLink | { readonly code: string; readonly key: undefined }

function listed(links: FoundLink[]): LanguageLink[] {
  return links
    .sort((one, other) => (one.code < other.code ? -1 : 1))
    .filter((link): link is LanguageLink => link.key !== undefined)
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
function readLink(target: string, rules: LinkRules): FoundLink | undefined {
  const text = decodePercent(target)
  const colon = text.indexOf(':')
  if (colon < 0) return linkOf(text, rules)
  return linkTo(text.slice(0, colon), text.slice(colon + 1), rules)
}

/** A link to `prefix:rest`. Most need no more than a look at the prefix. */
function linkTo(prefix: string, rest: string, rules: LinkRules): FoundLink | undefined {
  const { languages } = rules
  const name = languages.get(prefix)
  if (name !== undefined && isPlain(rest)) return describe(prefix, name, rest.replaceAll(' ', '_'))
  if (BLANKS.test(prefix)) return undefined
  if (PLAIN_PREFIX.test(prefix) && !languages.has(prefix.toLowerCase())) return undefined
  return linkOf(`${prefix}:${rest}`, rules)
}

/** Undefined when the text has no prefix of another language. */
function linkOf(text: string, rules: LinkRules): FoundLink | undefined {
  const { namespaces, interwiki, languages } = rules
  const link = parseForeignTitle(text, namespaces, (prefix) => interwiki.has(prefix))
  const name = link && languages.get(link.prefix)
  if (link === undefined || name === undefined) return undefined
  const key = keyOf(link, rules)
  return key === undefined ? { code: link.prefix, key } : describe(link.prefix, name, key)
}

const describe = (code: string, name: string, key: string): LanguageLink => ({
  code,
  name,
  key,
  title: key.replaceAll('_', ' '),
})

function keyOf({ rest, fragment }: ForeignTitle, { namespaces, interwiki }: LinkRules): string | undefined {
  if (rest === '') return fragment === '' ? undefined : ''
  const isInterwiki = (prefix: string): boolean => interwiki.has(prefix)
  const parsed = parseTitle(rest, namespaces, isInterwiki)
  if (parsed.ok) return prefixedKey(parsed.title, namespaces)
  const further = parsed.error === 'interwiki' ? parseForeignTitle(rest, namespaces, isInterwiki) : undefined
  return further && `${further.prefix}:${further.rest}`
}
