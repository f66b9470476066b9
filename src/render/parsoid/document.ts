/** Finishes a document of the engine: its head, and the links to missing pages. */
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import type { RenderedPage, RenderSource } from '../sources.js'
import { INDICATOR_HTML } from '../tags/indicator.js'
import { addFileQueries } from './fileLinks.js'
import type { DomDocument, DomElement } from './dom.js'

const ELEMENT_NODE = 1

/** Facts of the page and the wiki that this step needs. */
export interface DocumentFacts {
  readonly page: Pick<RenderedPage, 'title' | 'pageId'>
  readonly namespaces: Namespaces
  readonly source: RenderSource
}

export function finishDocument(document: DomDocument, facts: DocumentFacts): void {
  finishHead(document.head, facts)
  roundLengths(document.body)
  addFileQueries(document.body)
  markMissingLinks(document.body, facts)
  describeIndicators(document.body)
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
function roundLengths(body: DomElement): void {
  for (const element of Array.from(
    body.querySelectorAll('li.gallerybox[style], li.gallerybox > div.thumb[style]'),
  )) {
    const style = element.getAttribute('style') ?? ''
    element.setAttribute(
      'style',
      style.replace(/\d+\.\d{10,20}/g, (number) => String(Number(Number(number).toPrecision(14)))),
    )
  }
}

/** Adds the class `new` to links to missing pages; looks up each page once. */
export function markMissingLinks(
  body: DomElement,
  { namespaces, source }: Pick<DocumentFacts, 'namespaces' | 'source'>,
): void {
  const links = new Map<string, DomElement[]>()
  for (const link of Array.from(body.querySelectorAll('a[rel~="mw:WikiLink"]'))) {
    const name = link.getAttribute('title')
    if (name === null || name === '') continue
    const same = links.get(name)
    if (same === undefined) links.set(name, [link])
    else same.push(link)
  }
  for (const [name, same] of links) {
    const parsed = parseTitle(name, namespaces)
    if (!parsed.ok || exists(parsed.title, source)) continue
    for (const link of same) link.classList.add('new')
  }
}

/** Moves the HTML of indicators into the description of their elements, as `html`, since the text does not show it. */
function describeIndicators(body: DomElement): void {
  for (const indicator of Array.from(body.querySelectorAll(`[${INDICATOR_HTML}]`))) {
    const html = indicator.getAttribute(INDICATOR_HTML)
    const description = JSON.parse(indicator.getAttribute('data-mw') ?? '{}') as object
    indicator.removeAttribute(INDICATOR_HTML)
    indicator.setAttribute('data-mw', JSON.stringify({ ...description, html }))
  }
}

/** True for special pages and media links, which are not pages of the store and are never missing. */
function exists(title: Title, source: RenderSource): boolean {
  return title.namespace < 0 || source.pageExists(title)
}
