/** Categories of a page, from its wikitext or from its HTML. */
import { firstBytes } from '../domain/utf8.js'
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { CATEGORY } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { decodePercent } from '../domain/percent.js'
import { redirectEnd } from '../domain/redirect.js'
import { parseTitle } from '../domain/title.js'
import type { Language } from '../language/language.js'
import { prefixEnd } from './linkPrefix.js'
import { VisibleText } from './visibleText.js'

export interface CategoryLink {
  /** Dbkey of the category's page, which need not exist. */
  readonly category: string
  /** The page's place in the category comes from this text, before the page's title. Empty: from the title alone. */
  readonly sortKey: string
}

/** Further categories of a page do not count. */
export const MAX_CATEGORIES = 1000
/** Links to look at. A hostile text may have very many that name no category, or the same. */
const MAX_LINKS = 20_000
const MAX_SORT_KEY_BYTES = 255

/** Every repetition excludes brackets or is short, so a text of `[[` alone takes linear time. */
const LINK = /\[\[([^[\]|{}<>\n:]{1,100}):([^[\]|{}<>\n]{1,1000})(?:\|([^[\]]{0,1000}))?\]\]/y
const MAX_PREFIX_LENGTH = 100
const TAG = /<(?:link|meta)\s((?:[^<>"']|"[^"]*"|'[^']*')*)>/g
const ATTRIBUTE = /([a-z-]+)=(?:"([^"]*)"|'([^']*)')/g
const CONTROLS = /[\0-\x1f\x7f]+/g

/**
 * Categories that a wikitext names itself, ordered by name, at most MAX_CATEGORIES. Without a sort key of its own, a
 * link takes that of `{{DEFAULTSORT:…}}`, which languages have other words for. Ignored are links to the pages of
 * categories (`[[:Category:X]]`), comments, `nowiki` and similar tags. Categories of templates are not included.
 */
export function categoryLinks(wikitext: string, namespaces: Namespaces): CategoryLink[] {
  const found = new Map<string, string>()
  let visible: VisibleText | undefined
  const from = wikitext.includes('[[') ? redirectEnd(wikitext) : wikitext.length
  for (const match of prefixedLinks(wikitext, from)) {
    if (found.size >= MAX_CATEGORIES) break
    const [, prefix = '', name = '', key = ''] = match
    if (namespaces.idByName(prefix) !== CATEGORY) continue
    visible ??= new VisibleText(wikitext)
    if (!visible.holds(match.index)) continue
    const category = categoryNamed(decodePercent(name), namespaces)
    if (category !== undefined) found.set(category, key.includes('{') ? '' : sortKeyOf(key))
  }
  return found.size === 0 ? [] : ordered(found, defaultSort(wikitext, namespaces.language))
}

/** The first MAX_LINKS links with a prefix. */
function* prefixedLinks(wikitext: string, from: number): Iterable<RegExpExecArray> {
  let links = 0
  for (let at = wikitext.indexOf('[[', from); at >= 0; at = wikitext.indexOf('[[', at + 1)) {
    if (prefixEnd(wikitext, at + 2, MAX_PREFIX_LENGTH) === undefined) continue
    LINK.lastIndex = at
    const match = LINK.exec(wikitext)
    if (match === null) continue
    yield match
    if (++links === MAX_LINKS) return
  }
}

/** Categories that a page's HTML names, with those of its templates, ordered by name, at most MAX_CATEGORIES. */
export function categoriesOfHtml(html: string, namespaces: Namespaces): CategoryLink[] {
  const found = new Map<string, string>()
  let sortKey = ''
  for (const [, attributes = ''] of html.matchAll(TAG)) {
    if (!attributes.includes('mw:PageProp/')) continue
    const values = new Map(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, name, one, other]) => [name, one ?? other ?? '']),
    )
    if (values.get('property') === 'mw:PageProp/categorydefaultsort')
      sortKey = sortKeyOf(values.get('content') ?? '')
    if (values.get('rel') !== 'mw:PageProp/Category' || found.size >= MAX_CATEGORIES) continue
    const [name = '', key = ''] = splitAtHash(decodeCharacterReferences(values.get('href') ?? ''))
    const category = categoryOfTitle(decodePercent(name.replace(/^\.\//, '')), namespaces)
    if (category !== undefined) found.set(category, sortKeyOf(decodePercent(key)))
  }
  return ordered(found, sortKey)
}

/** A sort key as it is kept: without line breaks and other control characters, at most 255 bytes. */
export function sortKeyOf(text: string): string {
  const plain = decodeCharacterReferences(text).replace(CONTROLS, '').toWellFormed()
  return firstBytes(plain, MAX_SORT_KEY_BYTES)
}

const categoryNamed = (name: string, namespaces: Namespaces): string | undefined =>
  categoryOfTitle(namespaces.keyPrefix(CATEGORY) + name, namespaces)

function categoryOfTitle(text: string, namespaces: Namespaces): string | undefined {
  const parsed = parseTitle(text, namespaces)
  return parsed.ok && parsed.title.namespace === CATEGORY ? parsed.title.dbkey : undefined
}

/** How a language writes `{{DEFAULTSORT:key|noreplace}}`. */
interface SortSyntax {
  readonly words: readonly string[]
  readonly call: RegExp
}

const syntaxes = new WeakMap<Language, SortSyntax>()

function sortSyntax(language: Language): SortSyntax {
  const known = syntaxes.get(language)
  if (known !== undefined) return known
  const wordsOf = (name: string): string[] =>
    (language.magicWords.get(name)?.words ?? []).map((word) => word.replace(/:$/, ''))
  const anyOf = (words: readonly string[]): string =>
    words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const words = wordsOf('defaultsort')
  const options = `(?:\\|\\s*(${anyOf(wordsOf('defaultsort_noreplace'))})\\s*)?`
  const call = new RegExp(`\\{\\{\\s*(?:${anyOf(words)})\\s*:([^{}|\\n]{0,1000})${options}\\}\\}`, 'g')
  const syntax = { words, call }
  syntaxes.set(language, syntax)
  return syntax
}

/** The last sort key for all categories in a wikitext; empty if there is none. */
function defaultSort(wikitext: string, language: Language): string {
  let sortKey = ''
  if (!wikitext.includes('{{')) return sortKey
  const { words, call } = sortSyntax(language)
  if (!words.some((word) => wikitext.includes(word))) return sortKey
  const visible = new VisibleText(wikitext)
  for (const match of wikitext.matchAll(call)) {
    const [, key = '', keepsFirst] = match
    if (!visible.holds(match.index)) continue
    const trimmed = sortKeyOf(key.trim())
    if (trimmed !== '' && (keepsFirst === undefined || sortKey === '')) sortKey = trimmed
  }
  return sortKey
}

function splitAtHash(text: string): readonly [string, string] {
  const hash = text.indexOf('#')
  return hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)]
}

const ordered = (found: ReadonlyMap<string, string>, defaultKey: string): CategoryLink[] =>
  Array.from(found, ([category, sortKey]) => ({
    category,
    sortKey: sortKey === '' ? defaultKey : sortKey,
  })).sort((one, other) => (one.category < other.category ? -1 : 1))
