/**
 * Fits HTML that another server made into this wiki, as our own HTML is: addresses of files, links to missing pages,
 * and the base address. Reads of pages and files are recorded by the source.
 */
import { FILE, MEDIA } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedText } from '../../domain/title.js'
import type { DocumentFacts } from '../parsoid/document.js'
import { markMissingLinks } from '../parsoid/document.js'
import type { DomDocument, DomElement } from '../html/dom.js'
import type { RenderedFile } from '../html/sources.js'

type Facts = Pick<DocumentFacts, 'namespaces' | 'source'>

/** Marks sections, so that a conversion back to wikitext recognises the HTML. */
export const IMPORTED_MARK = 'data-mw-imported'
const MARK = /\sdata-mw-imported(?=[\s=>])/
export const isMarked = (html: string): boolean => MARK.test(html)

const MEDIA_TYPE = /(?:^|\s)mw:(?:File|Image|Video|Audio)/
/** The link to a page that the other wiki lacks. */
const RED_LINK = /\?action=edit&redlink=1$/
const PROTOCOL = /^https?:(?=\/\/)/

export function fitDocument(document: DomDocument, base: string, facts: Facts): void {
  const { head, body } = document
  const element = document.createElement('base')
  element.setAttribute('href', base)
  head.appendChild(element)
  fitBody(body, facts)
  for (const section of Array.from(body.querySelectorAll('section'))) section.setAttribute(IMPORTED_MARK, '')
}

/** Only the links and files of a body. */
export function fitBody(body: DomElement, facts: Facts): void {
  showFormulas(body)
  for (const media of Array.from(body.querySelectorAll('img, audio, video'))) fitMedia(media, facts)
  for (const link of Array.from(body.querySelectorAll('a[rel~="mw:MediaLink"]'))) fitMediaLink(link, facts)
  for (const link of Array.from(body.querySelectorAll('a[rel~="mw:WikiLink"]'))) {
    link.setAttribute('href', (link.getAttribute('href') ?? '').replace(RED_LINK, ''))
    link.classList.remove('new')
    if (link.getAttribute('class') === '') link.removeAttribute('class')
  }
  markMissingLinks(body, facts)
}

/** Shows formulas as MathML, which hides behind a picture of another server. */
function showFormulas(body: DomElement): void {
  for (const formula of Array.from(body.querySelectorAll('.mwe-math-mathml-a11y'))) {
    formula.classList.remove('mwe-math-mathml-a11y')
    formula.removeAttribute('style')
  }
  for (const picture of Array.from(
    body.querySelectorAll('img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display'),
  )) {
    if (picture.parentNode !== null && (picture.parentNode as DomElement).querySelectorAll('math').length > 0)
      picture.parentNode.removeChild(picture)
  }
}

/** Files have the addresses that this server gives them. A file without one is shown by its name. */
function fitMedia(media: DomElement, facts: Facts): void {
  const name = media.getAttribute('resource')
  const dbkey = name === null ? undefined : dbkeyOf(name, facts)
  const file = dbkey === undefined ? undefined : facts.source.readFile(dbkey)
  if (file === undefined) return replaceMedia(media, dbkey, facts)
  if (media.localName === 'img') return media.setAttribute('src', pictureAddress(media, file))
  media.removeAttribute('src')
  while (media.firstChild !== null) media.removeChild(media.firstChild)
  const source = media.ownerDocument.createElement('source')
  source.setAttribute('src', file.url.replace(PROTOCOL, ''))
  source.setAttribute('type', file.mime)
  media.appendChild(source)
}

function pictureAddress(picture: DomElement, file: RenderedFile): string {
  const width = Number(picture.getAttribute('width'))
  return (Number.isInteger(width) && width > 0 ? file.thumbUrl(width) : file.url).replace(PROTOCOL, '')
}

function replaceMedia(media: DomElement, dbkey: string | undefined, { namespaces }: Facts): void {
  const parent = media.parentNode
  if (parent === null) return
  const document = media.ownerDocument
  if (dbkey === undefined) {
    parent.insertBefore(document.createTextNode(media.getAttribute('alt') ?? ''), media)
    parent.removeChild(media)
    return
  }
  const span = document.createElement('span')
  span.setAttribute('class', 'mw-file-element mw-broken-media')
  span.setAttribute('resource', media.getAttribute('resource') ?? '')
  for (const name of ['width', 'height']) {
    const value = media.getAttribute(name)
    if (value !== null) span.setAttribute(`data-${name}`, value)
  }
  span.appendChild(document.createTextNode(prefixedText({ namespace: FILE, dbkey }, namespaces)))
  parent.insertBefore(span, media)
  parent.removeChild(media)
  markMissingMedia(span)
}

function markMissingMedia(span: DomElement): void {
  for (
    let node = span.parentNode as DomElement | null;
    node !== null;
    node = node.parentNode as DomElement | null
  ) {
    const type = node.nodeType === 1 ? (node.getAttribute('typeof') ?? '') : ''
    if (!MEDIA_TYPE.test(type)) continue
    if (!/\bmw:Error\b/.test(type)) node.setAttribute('typeof', `mw:Error ${type}`)
    return
  }
}

function fitMediaLink(link: DomElement, facts: Facts): void {
  const dbkey = dbkeyOf(link.getAttribute('resource') ?? '', facts)
  const file = dbkey === undefined ? undefined : facts.source.readFile(dbkey)
  if (file === undefined) link.removeAttribute('href')
  else link.setAttribute('href', file.url.replace(PROTOCOL, ''))
}

/** The file that an address such as `./File:A_b.jpg?page=2` names. */
function dbkeyOf(resource: string, { namespaces }: Facts): string | undefined {
  const [, path = ''] = /^\.\/([^?#]*)/.exec(resource) ?? []
  let name: string
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  const parsed = parseTitle(name, namespaces)
  if (!parsed.ok) return undefined
  const { namespace, dbkey } = parsed.title
  return namespace === FILE || namespace === MEDIA ? dbkey : undefined
}
