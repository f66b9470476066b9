/** Makes the outline of a finished document, in one walk over its elements. */
import { createHash } from 'node:crypto'
import { displayTitleHtml } from '../domain/displayTitle.js'
import type { Namespaces } from '../domain/namespaces.js'
import type { Outline } from '../domain/outline.js'
import { decodePercent } from '../domain/percent.js'
import { parseTitle, prefixedKey, type Title, titleId } from '../domain/title.js'
import { type DomDocument, type DomElement, elementsOf } from './html/dom.js'
import type { RenderSource } from './html/sources.js'
import { leadText, leadPicture, shownText } from './html/lead.js'
import { hasVariants } from '../domain/variants.js'

const HEADING = /^h([1-6])$/
/** Bounds of what a hostile page may put into an outline. */
const MAX_HEADINGS = 2000
const MAX_HEADING_LENGTH = 300
const MAX_LINKS = 1000
const MAX_STYLES = 1000

export interface OutlineFacts {
  /** Of the page. */
  readonly title: Title
  readonly namespaces: Namespaces
  readonly source: Pick<RenderSource, 'pageExists'>
  /** Whether the page of a category hides it from readers. Absent: none does. */
  readonly isHidden?: (category: Title) => boolean
}

interface Parts {
  readonly headings: [number, string, string][]
  readonly categories: Map<string, 0 | 1>
  /** Keys of categories that readers do not see. */
  readonly hidden: string[]
  readonly languages: string[]
  readonly styles: Set<string>
  hidesContents: boolean
  forcesContents: boolean
  isUnlisted: boolean
  displayTitle: string | undefined
}

/** The outline of a document, and of its HTML as the serialiser wrote it. */
export function outlineOf(
  document: DomDocument,
  html: string,
  facts: OutlineFacts,
): Outline & Required<Pick<Outline, 'languages'>> {
  const parts: Parts = {
    headings: [],
    categories: new Map(),
    hidden: [],
    languages: [],
    styles: new Set(),
    hidesContents: false,
    forcesContents: false,
    isUnlisted: false,
    displayTitle: undefined,
  }
  for (const element of elementsOf(document.body)) readElement(element, parts, facts)
  const picture = leadPicture(document.body)
  return {
    body: bodyRange(html),
    headings: parts.headings,
    categories: [...parts.categories],
    languages: parts.languages,
    styles: [...parts.styles],
    lead: leadText(document.body, facts.namespaces),
    ...(parts.displayTitle !== undefined && { displayTitle: parts.displayTitle }),
    ...(picture !== undefined && { picture }),
    ...(parts.hidden.length > 0 && { hiddenCategories: parts.hidden }),
    ...(parts.forcesContents ? { forcesContents: true } : parts.hidesContents && { hidesContents: true }),
    ...(parts.isUnlisted && { isUnlisted: true }),
    ...(hasVariantMarkup(html, facts.namespaces) && { variants: true }),
  }
}

/** An attribute may have the markup as it was written. */
const hasVariantMarkup = (html: string, { language }: Namespaces): boolean =>
  hasVariants(language.code) && (html.includes('mw:LanguageVariant') || html.includes('-{'))

function readElement(element: DomElement, parts: Parts, facts: OutlineFacts): void {
  const { localName } = element
  if (localName === 'link') readLink(element, parts, facts)
  else if (localName === 'meta') readSwitch(element, parts, facts)
  else if (localName === 'style') {
    if (parts.styles.size < MAX_STYLES) parts.styles.add(sha256(element.textContent))
  } else {
    const [, level] = HEADING.exec(localName) ?? []
    const id = element.getAttribute('id') ?? ''
    if (level === undefined || id === '' || parts.headings.length >= MAX_HEADINGS) return
    parts.headings.push([Number(level), id, shownText(element, MAX_HEADING_LENGTH)])
  }
}

/** Categories and languages are links without text. */
function readLink(link: DomElement, parts: Parts, { namespaces, source, isHidden }: OutlineFacts): void {
  const relation = link.getAttribute('rel') ?? ''
  const href = link.getAttribute('href') ?? ''
  if (relation === 'mw:PageProp/Language' && parts.languages.length < MAX_LINKS) parts.languages.push(href)
  if (relation !== 'mw:PageProp/Category' || parts.categories.size >= MAX_LINKS) return
  const [, name = ''] = /^\.\/([^#?]*)/.exec(href) ?? []
  const parsed = parseTitle(decodePercent(name), namespaces)
  if (!parsed.ok || parsed.title.namespace < 0) return
  const key = prefixedKey(parsed.title, namespaces)
  if (parts.categories.has(key)) return
  const exists = source.pageExists(parsed.title)
  parts.categories.set(key, exists ? 1 : 0)
  if (exists && isHidden?.(parsed.title) === true) parts.hidden.push(key)
}

function readSwitch(meta: DomElement, parts: Parts, facts: OutlineFacts): void {
  const property = meta.getAttribute('property')
  if (property === 'mw:PageProp/notoc') parts.hidesContents = true
  if (property === 'mw:PageProp/toc' || property === 'mw:PageProp/forcetoc') parts.forcesContents = true
  if (property === 'mw:PageProp/noindex') parts.isUnlisted = true
  if (property === 'mw:PageProp/displaytitle') parts.displayTitle = shownTitle(meta, facts)
}

/** Authors change the look of a title, not what it says. */
function shownTitle(meta: DomElement, { title, namespaces }: OutlineFacts): string | undefined {
  const html = displayTitleHtml(meta.getAttribute('content') ?? '')
  const parsed = html === undefined ? undefined : parseTitle(html.replace(/<[^>]*>/g, ''), namespaces)
  return parsed?.ok === true && titleId(parsed.title) === titleId(title) ? html : undefined
}

/** Browsers hash the text between the tags, which is the text of the element. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** One tag at a time. The serialiser quotes attributes, and escapes their quotes. */
const TAG = /<(\/?[a-z!][^\s>]*)(?:"[^"]*"|'[^']*'|[^'">])*>[^<]*/giy

/** Where the inside of the body begins and ends, in bytes. */
function bodyRange(html: string): [number, number] {
  TAG.lastIndex = 0
  let start = 0
  for (let tag = TAG.exec(html); tag !== null; tag = TAG.exec(html)) {
    if (tag[1] !== 'body') continue
    const [open] = /^<body(?:"[^"]*"|'[^']*'|[^'">])*>/.exec(tag[0])!
    start = tag.index + open.length
    break
  }
  const end = html.lastIndexOf('</body>')
  if (start === 0 || end < start) throw new Error('a document has no body')
  const startByte = Buffer.byteLength(html.slice(0, start))
  return [startByte, startByte + Buffer.byteLength(html.slice(start, end))]
}
