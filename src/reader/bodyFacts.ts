/** What the HTML of a page names: links, files, categories and headings. Attributes are quoted; time is linear. */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { decodePercent } from '../domain/percent.js'

export interface BodyFacts {
  /** Titles in URL form, each once. */
  readonly links: readonly string[]
  readonly external: readonly string[]
  /** URLs of the page in other languages. */
  readonly languages: readonly string[]
  /** Titles of other wikis with their prefix, and their URLs. */
  readonly interwiki: readonly { readonly title: string; readonly url: string }[]
  /** Titles in URL form of the templates that the page itself names. */
  readonly templates: readonly string[]
  /** Names of files with their namespace, in URL form. */
  readonly files: readonly string[]
  readonly categories: readonly { readonly key: string; readonly sortKey: string }[]
  readonly headings: readonly { readonly level: number; readonly id: string; readonly line: string }[]
}

const ELEMENT = /<(a|link|img|video|audio|span)\s((?:"[^"]*"|'[^']*'|[^'"<>])*)>/g
const HEADING = /<h([1-6])((?:\s(?:"[^"]*"|[^"<>])*)?)>/g
/** In `data-mw`, an attribute in single quotes. */
const TARGET = /"target":\{"wt":"[^"]*","href":"\.\/([^"]*)"\}/g
const MAX_HEADING = 2000

export function bodyFacts(html: string): BodyFacts {
  const links = new Set<string>()
  const external = new Set<string>()
  const files = new Set<string>()
  const categories = new Map<string, string>()
  const languages = new Set<string>()
  const interwiki = new Map<string, string>()
  for (const [, name, attributes = ''] of html.matchAll(ELEMENT)) {
    const relation = attributeOf(attributes, 'rel')
    const href = attributeOf(attributes, 'href')
    const resource = attributeOf(attributes, 'resource')
    // A missing file is a span in place of its picture.
    if (name !== 'a' && name !== 'link' && resource.startsWith('./')) files.add(titleOf(resource))
    else if (relation === 'mw:PageProp/Language') languages.add(href)
    else if (relation === 'mw:WikiLink/Interwiki') interwiki.set(attributeOf(attributes, 'title'), href)
    else if (relation === 'mw:PageProp/Category') {
      const [key = '', sortKey = ''] = href.replace(/^\.\//, '').split('#')
      categories.set(decodePercent(key), decodePercent(sortKey))
    } else if (relation === 'mw:PageProp/redirect' && href.startsWith('./')) links.add(titleOf(href))
    else if (name === 'a' && relation === 'mw:WikiLink' && href.startsWith('./')) links.add(titleOf(href))
    else if (name === 'a' && relation === 'mw:ExtLink') external.add(href)
  }
  return {
    links: [...links],
    external: [...external],
    languages: [...languages],
    interwiki: Array.from(interwiki, ([title, url]) => ({ title, url })),
    templates: [...new Set(Array.from(html.matchAll(TARGET), ([, href = '']) => decodePercent(href)))],
    files: [...files],
    categories: [...categories].map(([key, sortKey]) => ({ key, sortKey })),
    headings: headingsOf(html),
  }
}

/** Title in URL form of a path such as `./File:A.png?x`. */
export const titleOf = (href: string): string => decodePercent(href.slice(2).replace(/[?#].*$/s, ''))

/** The value of a quoted attribute; empty if it is absent. */
export function attributeOf(attributes: string, name: string): string {
  const at = ` ${attributes}`.indexOf(` ${name}="`)
  if (at < 0) return ''
  const start = at + name.length + 2
  return decodeCharacterReferences(attributes.slice(start, attributes.indexOf('"', start)))
}

function headingsOf(html: string): BodyFacts['headings'] {
  const headings: { level: number; id: string; line: string }[] = []
  for (const { 0: tag, 1: level, 2: attributes = '', index } of html.matchAll(HEADING)) {
    const start = index + tag.length
    const end = html.indexOf(`</h${level}>`, start)
    if (end < 0 || headings.length >= MAX_HEADING) break
    const line = html.slice(start, end).replace(/<\/?(?:a|span|sup|section)(?:\s[^<>]*)?>/g, '')
    headings.push({ level: Number(level), id: attributeOf(attributes.trim(), 'id'), line: line.trim() })
  }
  return headings
}
