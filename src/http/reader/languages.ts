/** The page in other languages: from the imported table of links, else from links in the text. */
import type { InterwikiMap } from '../../domain/interwiki.js'
import type { Outline } from '../../domain/outline.js'
import { encodeTitle } from '../../reader/links.js'
import type { LanguageLink } from '../../reader/shell.js'
import { decodePercent } from '../../domain/percent.js'
import type { HttpContext } from '../routing/route.js'

/** Languages of the page of an outline, of which each counts once. */
export interface PageLanguages {
  of(outline: Outline): LanguageLink[]
}

const PROTOCOL = /^https?:/

/** Reads what the store has; the outline may come later. */
export function pageLanguages(pageId: number, { store }: Pick<HttpContext, 'store'>): PageLanguages {
  const interwiki = store.interwiki()
  const imported = store.imported.languageLinks(pageId)?.map(({ code, name, key, title }) => {
    const url = interwiki.get(code)?.url ?? ''
    return { code, name, title, href: url.replace('$1', () => encodeTitle(key)) }
  })
  return { of: ({ languages }) => imported ?? linksOf(languages, interwiki) }
}

function linksOf(urls: readonly string[], interwiki: InterwikiMap): LanguageLink[] {
  if (urls.length === 0) return []
  const prefixes = prefixesOf(interwiki)
  const found = new Map<string, LanguageLink>()
  for (const href of urls) {
    const url = href.replace(PROTOCOL, '')
    const known = prefixIn(url, prefixes)
    if (known === undefined || found.has(known.code)) continue
    const title = decodePercent(url.slice(known.length)).replaceAll('_', ' ')
    found.set(known.code, { code: known.code, name: known.name, title, href })
  }
  return [...found.values()].sort((one, other) => (one.code < other.code ? -1 : 1))
}

interface LanguagePrefix {
  readonly code: string
  readonly name: string
  /** Of the part of the URL before the title. */
  readonly length: number
}

const PREFIXES = new WeakMap<InterwikiMap, ReadonlyMap<string, LanguagePrefix>>()

/** Languages by the part of their URLs before the title. */
function prefixesOf(interwiki: InterwikiMap): ReadonlyMap<string, LanguagePrefix> {
  const known = PREFIXES.get(interwiki)
  if (known !== undefined) return known
  const prefixes = new Map<string, LanguagePrefix>()
  for (const { prefix, url, language } of interwiki.values()) {
    const start = url.replace(PROTOCOL, '').split('$1', 1)[0]!
    if (language !== undefined) prefixes.set(start, { code: prefix, name: language, length: start.length })
  }
  PREFIXES.set(interwiki, prefixes)
  return prefixes
}

const SLASH = 0x2f
const EQUALS = 0x3d
const QUESTION_MARK = 0x3f

/** A prefix ends before a title: after a slash, or in a query. */
function prefixIn(url: string, prefixes: ReadonlyMap<string, LanguagePrefix>): LanguagePrefix | undefined {
  for (let n = 0; n < url.length; n++) {
    const sign = url.charCodeAt(n)
    if (sign !== SLASH && sign !== EQUALS && sign !== QUESTION_MARK) continue
    const found = prefixes.get(url.slice(0, n + 1))
    if (found !== undefined) return found
  }
  return undefined
}
