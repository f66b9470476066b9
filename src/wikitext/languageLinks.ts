/** Interlanguage links: `[[de:Haus]]` in a page names the page on the same subject in another wiki's language. */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { decodePercent } from '../domain/percent.js'
import { isPlain } from '../domain/plainTitle.js'
import { type ForeignTitle, parseForeignTitle, parseTitle, prefixedKey } from '../domain/title.js'

/** Another language. */
export interface Language {
  readonly code: string
  /** In the language itself. */
  readonly name: string
  /** Its place among all languages, by code. */
  readonly order: number
  /** The beginning of each of its links as JSON: `{"code":"de","name":"Deutsch"`. */
  readonly json: string
}

export interface LanguageLink {
  readonly language: Language
  /** Title in the other wiki, with underscores and without `#section`. */
  readonly key: string
  /** The same title with spaces. */
  readonly title: string
}

/** Settings of the wiki that decide the meaning of a link. */
interface WikiOfLinks {
  readonly namespaces: Namespaces
  readonly interwiki: InterwikiMap
  /** Code of the wiki's own language, whose prefix leads to no other wiki. */
  readonly language: string
}

/** The same, prepared for many links. */
export interface LinkRules extends WikiOfLinks {
  /** Other languages by prefix. */
  readonly languages: ReadonlyMap<string, Language>
}

export function linkRules(wiki: WikiOfLinks): LinkRules {
  const { namespaces, interwiki, language: own } = wiki
  const isOther = (prefix: string): boolean => prefix !== own && namespaces.idByName(prefix) === undefined
  const codes = [...interwiki.keys()].filter(isOther).sort()
  const languages = new Map<string, Language>()
  for (const code of codes) {
    const name = interwiki.get(code)!.language
    if (name === undefined) continue
    const json = JSON.stringify({ code, name }).slice(0, -1)
    languages.set(code, { code, name, order: languages.size, json })
  }
  return { ...wiki, languages }
}

/** Signs that end a link's target: its label, its own end, or a sign that no title contains. */
const TARGET_END = /[[\]|{}<>\n]/
/** A target with a prefix contains one of these: a colon, or an escape or character reference for one. */
const PERHAPS_PREFIXED = /[:%&]/
const BAR = 124
/** JSON escapes these. */
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/
/** Of `[[:de:Haus]]`: a link to a page of another language, but no interlanguage link. */
const BLANKS = /^\s*$/
/** A prefix that only needs lower case. */
const PLAIN_PREFIX = /^[A-Za-z-]+$/

/**
 * Links from the database of a wiki: titles, with spaces, by language code. Sorted by code. Ignored are unknown
 * languages, the wiki's own one, and titles that are not valid.
 */
export function languageLinksOf(
  titles: Iterable<readonly [code: string, title: string]>,
  rules: LinkRules,
): LanguageLink[] {
  const found = new FirstLinks(rules)
  for (const [code, title] of titles) found.add(linkTo(code, title, rules))
  return found.valid()
}

/** The list of links that clients get, as JSON: objects with `code`, `name`, `key` and `title`. */
export function languageLinksJson(links: readonly LanguageLink[]): string {
  let json = ''
  for (const { language, key, title } of links) {
    const quotedKey = quoted(key)
    const quotedTitle = title === key ? quotedKey : quoted(title)
    json += `${json === '' ? '' : ','}${language.json},"key":${quotedKey},"title":${quotedTitle}}`
  }
  return `[${json}]`
}

/** A link whose title may turn out to be invalid. */
type FoundLink = LanguageLink | { readonly language: Language; readonly key: undefined }

/** The first link of each language. */
class FirstLinks {
  /** By the order of its language. */
  readonly #links: (FoundLink | undefined)[]

  constructor({ languages }: LinkRules) {
    this.#links = new Array<FoundLink | undefined>(languages.size)
  }

  add(link: FoundLink | undefined): void {
    if (link !== undefined) this.#links[link.language.order] ??= link
  }

  valid(): LanguageLink[] {
    return this.#links.filter((link) => link?.key !== undefined)
  }
}

/**
 * The link whose target begins a text; undefined if that is no interlanguage link. The text ends before the next `[[`,
 * since a link contains no other one.
 */
export function linkAt(text: string, rules: LinkRules): FoundLink | undefined {
  const end = text.search(TARGET_END)
  if (end < 0) return undefined
  const target = text.slice(0, end)
  return PERHAPS_PREFIXED.test(target) && isClosed(text, end) ? readLink(target, rules) : undefined
}

/** True if a link ends at `from`, or ends after a label. A label has at least one letter. */
function isClosed(text: string, from: number): boolean {
  if (text.startsWith(']]', from)) return true
  if (text.charCodeAt(from) !== BAR) return false
  return text.includes(']]', from + 2)
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
  const language = languages.get(prefix)
  if (language !== undefined && isPlain(rest)) return plainTitled(language, rest)
  if (BLANKS.test(prefix)) return undefined
  if (PLAIN_PREFIX.test(prefix) && !languages.has(prefix.toLowerCase())) return undefined
  return linkOf(`${prefix}:${rest}`, rules)
}

/** Undefined when the text has no prefix of another language. */
function linkOf(text: string, rules: LinkRules): FoundLink | undefined {
  const { namespaces, interwiki, languages } = rules
  const link = parseForeignTitle(text, namespaces, (prefix) => interwiki.has(prefix))
  const language = link && languages.get(link.prefix)
  if (link === undefined || language === undefined) return undefined
  const key = keyOf(link, rules)
  return key === undefined ? { language, key } : { language, key, title: key.replaceAll('_', ' ') }
}

/** A link with a plain title, in which spaces and underscores may be mixed. */
function plainTitled(language: Language, text: string): LanguageLink {
  // A search costs less than a replacement, and most titles are one word.
  const key = text.includes(' ') ? text.replaceAll(' ', '_') : text
  return { language, key, title: key.includes('_') ? key.replaceAll('_', ' ') : key }
}

function keyOf({ rest, fragment }: ForeignTitle, { namespaces, interwiki }: LinkRules): string | undefined {
  if (rest === '') return fragment === '' ? undefined : ''
  const isInterwiki = (prefix: string): boolean => interwiki.has(prefix)
  const parsed = parseTitle(rest, namespaces, isInterwiki)
  if (parsed.ok) return prefixedKey(parsed.title, namespaces)
  const further = parsed.error === 'interwiki' ? parseForeignTitle(rest, namespaces, isInterwiki) : undefined
  return further && `${further.prefix}:${further.rest}`
}

/** A string as JSON. Most titles need no escape. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)
