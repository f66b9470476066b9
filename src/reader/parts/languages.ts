/** Links to the page in other languages. */
import type { InterwikiMap } from '../../domain/interwiki.js'
import { decodePercent } from '../../domain/percent.js'
import { encodeTitle } from '../links.js'
import type { LanguageLink } from './shell.js'

/** A link of the imported table `langlinks`. */
export interface TableLink {
  readonly language: { readonly code: string; readonly name: string }
  readonly key: string
  readonly title: string
}

export function linksOfTable(links: readonly TableLink[], interwiki: InterwikiMap): LanguageLink[] {
  return links.map(({ language: { code, name }, key, title }) => {
    const url = interwiki.get(code)?.url ?? ''
    return { code, name, title, href: url.replace('$1', () => encodeTitle(key)) }
  })
}

/** Links as a text gives them, sorted by code. Each language counts once, and other URLs do not count. */
export function linksOfUrls(urls: readonly string[], interwiki: InterwikiMap): LanguageLink[] {
  if (urls.length === 0) return []
  const prefixes = prefixesOf(interwiki)
  const found = new Map<string, LanguageLink>()
  for (const href of urls) {
    const start = startOf(href)
    const known = prefixIn(href, start, prefixes)
    if (known === undefined || found.has(known.code)) continue
    const title = decodePercent(href.slice(start + known.length)).replaceAll('_', ' ')
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

/** Languages by the part of their URLs before the title, without the protocol. */
interface Prefixes {
  readonly languages: ReadonlyMap<string, LanguagePrefix>
  /** Length of the shortest. */
  readonly shortest: number
}

const PREFIXES = new WeakMap<InterwikiMap, Prefixes>()

function prefixesOf(interwiki: InterwikiMap): Prefixes {
  const known = PREFIXES.get(interwiki)
  if (known !== undefined) return known
  const languages = new Map<string, LanguagePrefix>()
  for (const { prefix, url, language } of interwiki.values()) {
    const start = url.slice(startOf(url)).split('$1', 1)[0]!
    if (language !== undefined) languages.set(start, { code: prefix, name: language, length: start.length })
  }
  const prefixes = {
    languages,
    shortest: Math.min(...[...languages.keys()].map(({ length }) => length)),
  }
  PREFIXES.set(interwiki, prefixes)
  return prefixes
}

const SLASH = 0x2f
const EQUALS = 0x3d
const QUESTION_MARK = 0x3f

/** Where a URL begins after its protocol. */
const startOf = (url: string): number => (url.startsWith('https:') ? 6 : url.startsWith('http:') ? 5 : 0)

/** A prefix ends before a title: after a slash, or in a query. */
function prefixIn(url: string, start: number, { languages, shortest }: Prefixes): LanguagePrefix | undefined {
  for (let n = start + shortest - 1; n < url.length; n++) {
    const sign = url.charCodeAt(n)
    if (sign !== SLASH && sign !== EQUALS && sign !== QUESTION_MARK) continue
    const found = languages.get(url.slice(start, n + 1))
    if (found !== undefined) return found
  }
  return undefined
}
