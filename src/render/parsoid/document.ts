/** Finishes a document of the engine: its head, and the links to missing pages. */
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import { hasVariants } from '../../domain/variants.js'
import type { RenderedPage, RenderSource } from '../html/sources.js'
import { titlesInVariants } from '../variants/titles.js'
import { INDICATOR_HTML } from '../tags/simpleTags.js'
import { elementsOf, type DomDocument, type DomElement } from '../html/dom.js'

// The query of the link from a picture to its page, with the shown page (`page=`) or language (`lang=`) of the file.
// The engine omits the query, and on the way back it would treat a link with one as a link to elsewhere.

/** The query, with its parameters in MediaWiki's order and without others. */
const QUERY = /\?(?:page=[^&]*(?:&lang=[^&]*)?|lang=[^&]*)$/

/** Adds the query to the link of a picture that leads to the picture's own page. */
function addFileQuery(image: DomElement): void {
  const resource = image.getAttribute('resource')
  const link = image.parentNode as DomElement
  if (resource === null || link.nodeName !== 'A' || link.getAttribute('href') !== resource) return
  if (!isInFigure(link)) return
  const query = [
    ...parameter('page', pageOf(link.parentNode as DomElement)),
    ...parameter('lang', image.getAttribute('lang')),
  ].join('&')
  if (query !== '') link.setAttribute('href', `${resource}?${query}`)
}

function isInFigure(element: DomElement): boolean {
  for (let node = element.parentNode; node !== null; node = node.parentNode)
    if (node.nodeName === 'FIGURE' || node.nodeName === 'FIGURE-INLINE') return true
  return false
}

/** Removes the query again for the engine. */
export function dropFileQueries({ body }: DomDocument): void {
  for (const media of Array.from(
    body.querySelectorAll('figure img[resource], figure-inline img[resource]'),
  )) {
    const link = media.parentNode as DomElement
    const href = link.getAttribute('href') ?? ''
    const plain = href.replace(QUERY, '')
    if (plain !== href && plain === media.getAttribute('resource')) link.setAttribute('href', plain)
  }
}

function parameter(name: string, value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
}

/** The option `page` of a picture. It stays in the element's description, since no attribute shows it. */
function pageOf(container: DomElement): string | undefined {
  const described = container.getAttribute('data-mw')
  if (described === null) return undefined
  const { attribs = [] } = JSON.parse(described) as { readonly attribs?: readonly (readonly unknown[])[] }
  const option = attribs.find(
    ([name]) => name === 'page' || (name as { readonly txt?: string }).txt === 'page',
  )
  return (option?.[1] as { readonly txt?: string } | undefined)?.txt
}

const ELEMENT_NODE = 1

/** Facts of the page and the wiki that this step needs. */
export interface DocumentFacts {
  readonly page: Pick<RenderedPage, 'title' | 'pageId'>
  readonly namespaces: Namespaces
  readonly source: RenderSource
}

export function finishDocument(document: DomDocument, facts: DocumentFacts): void {
  finishHead(document.head, facts)
  const links: DomElement[] = []
  const mayHaveTexts = hasVariants(facts.namespaces.language.code)
  for (const element of elementsOf(document.body)) {
    const { localName } = element
    if (localName === 'a') links.push(element)
    else if (localName === 'img') addFileQuery(element)
    else if (localName === 'meta') describeIndicator(element)
    else if (localName === 'li' || localName === 'div') roundLengths(element)
    if (mayHaveTexts && element.hasAttribute(VARIANT_TEXTS)) markInTexts(element, facts)
  }
  markMissing(links, facts)
}

/**
 * Removes links to styles and scripts that the server does not have. Writes the page's own URL and id as MediaWiki
 * does.
 */
function finishHead(head: DomElement, { page, namespaces }: DocumentFacts): void {
  for (let node = head.firstChild; node !== null;) {
    const next = node.nextSibling
    const element = node.nodeType === ELEMENT_NODE ? (node as DomElement) : undefined
    if (element === undefined || isAsset(element)) head.removeChild(node)
    else if (element.getAttribute('rel') === 'dc:isVersionOf')
      setPageUrl(element, prefixedKey(page.title, namespaces))
    else if (element.getAttribute('property') === 'mw:pageId')
      element.setAttribute('content', String(page.pageId))
    node = next
  }
}

function isAsset(element: DomElement): boolean {
  return element.nodeName === 'SCRIPT' || element.getAttribute('rel') === 'stylesheet'
}

/** The engine writes spaces as escapes, so the last part is replaced. The parts before it are the wiki's base URL. */
function setPageUrl(link: DomElement, key: string): void {
  const path = key.split('/').map((part) => encodeURIComponent(part).replaceAll('%3A', ':'))
  const base = (link.getAttribute('href') ?? '').split('/').slice(0, -path.length)
  link.setAttribute('href', [...base, ...path].join('/'))
}

/** Rounds gallery widths to the fourteen digits that MediaWiki writes. */
function roundLengths(element: DomElement): void {
  const style = element.getAttribute('style')
  if (style === null || !isGalleryBox(element)) return
  element.setAttribute(
    'style',
    style.replace(/\d+\.\d{10,20}/g, (number) => String(Number(Number(number).toPrecision(14)))),
  )
}

/** True for the box of a picture in a gallery, and for the frame of the picture in it. */
function isGalleryBox(element: DomElement): boolean {
  if (element.localName === 'li') return has(element, 'class', 'gallerybox')
  const parent = element.parentNode as DomElement
  return has(element, 'class', 'thumb') && parent.localName === 'li' && has(parent, 'class', 'gallerybox')
}

/** True if a list of words in an attribute has the word. */
function has(element: DomElement, attribute: string, word: string): boolean {
  const words = element.getAttribute(attribute)
  return words !== null && words.includes(word) && words.split(/[ \t\r\n\f]+/).includes(word)
}

/** Adds the class `new` to links to missing pages. */
export function markMissingLinks(
  body: DomElement,
  facts: Pick<DocumentFacts, 'namespaces' | 'source'>,
): void {
  markMissing(Array.from(body.querySelectorAll('a')), facts)
}

/** Looks up each page once. */
function markMissing(all: readonly DomElement[], facts: Pick<DocumentFacts, 'namespaces' | 'source'>): void {
  const links = new Map<string, DomElement[]>()
  for (const link of all) {
    const name = link.getAttribute('title')
    if (name === null || name === '' || !has(link, 'rel', 'mw:WikiLink')) continue
    const same = links.get(name)
    if (same === undefined) links.set(name, [link])
    else same.push(link)
  }
  for (const [name, same] of links) {
    const parsed = parseTitle(name, facts.namespaces)
    if (!parsed.ok || leads(parsed.title, facts)) continue
    for (const link of same) link.classList.add('new')
  }
}

/** Texts of language variants, as HTML in JSON. */
const VARIANT_TEXTS = 'data-mw-variant'
const TEXT_LINK = /<a rel="mw:WikiLink"[^>]* title="([^"]*)"/g

/** Marks the links in texts of variants, of which one is shown later. */
function markInTexts(element: DomElement, facts: DocumentFacts): void {
  const texts = element.getAttribute(VARIANT_TEXTS) ?? ''
  if (!texts.includes('mw:WikiLink')) return
  const isMissing = (name: string): boolean => {
    const parsed = parseTitle(name, facts.namespaces)
    return parsed.ok && !leads(parsed.title, facts)
  }
  const marked = (html: string): string =>
    html.replace(TEXT_LINK, (link, title: string) => (isMissing(title) ? `${link} class="new"` : link))
  const described = JSON.parse(texts, (_key, value: unknown) =>
    typeof value === 'string' ? marked(value) : value,
  ) as object
  element.setAttribute(VARIANT_TEXTS, JSON.stringify(described))
}

/** Whether readers of a link get to a page, maybe under the letters of another variant. */
const leads = (title: Title, { source, namespaces }: Pick<DocumentFacts, 'source' | 'namespaces'>): boolean =>
  exists(title, source) ||
  titlesInVariants(title, namespaces.language.code).some((other) => source.pageExists(other))

/** Moves the HTML of an indicator into the description of its element, as `html`, since the text does not show it. */
function describeIndicator(meta: DomElement): void {
  const html = meta.getAttribute(INDICATOR_HTML)
  if (html === null) return
  const description = JSON.parse(meta.getAttribute('data-mw') ?? '{}') as object
  meta.removeAttribute(INDICATOR_HTML)
  meta.setAttribute('data-mw', JSON.stringify({ ...description, html }))
}

/** True for special pages and media links, which are not pages of the store and are never missing. */
function exists(title: Title, source: RenderSource): boolean {
  return title.namespace < 0 || source.pageExists(title)
}
