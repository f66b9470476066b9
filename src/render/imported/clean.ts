/**
 * Cleans HTML that another server made: nothing in it runs, loads or sends. The result has only elements and attributes
 * of the lists below, so a browser that parses it again finds nothing else.
 */
import { loads } from '../html/styles.js'
import { cleanScopedSheet } from '../tags/templateStyles.js'
import type { DomDocument, DomElement, DomNode } from '../html/dom.js'

// What stays of HTML that another server made: the elements and attributes of rendered wikitext.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const BODY_ELEMENTS = words(`
  a abbr area audio b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em
  figcaption figure figure-inline font h1 h2 h3 h4 h5 h6 hr i img ins kbd li link map mark meta ol p pre q rb rp rt rtc
  ruby s samp section small span strike strong style sub summary sup table tbody td tfoot th thead time tr tt u ul
  var video wbr`)

/** Elements that go with all that they contain. Of other unknown elements, the contents stay. */
const DROPPED_ELEMENTS = words(`
  applet base button embed frame frameset iframe input math-field noembed noframes noscript object option plaintext script
  source select svg template textarea title track xmp annotation annotation-xml mglyph malignmark maction`)

/** MathML that shows a formula, without what can hold other languages or has actions. */
const MATHML_ELEMENT =
  /^(?:math|mrow|mi|mn|mo|ms|mtext|m(?:space|style|padded|phantom|error|frac|sqrt|root)|m(?:sub|sup|subsup|over|under|underover|multiscripts|prescripts|table|tr|td|enclose)|none)$/

const ATTRIBUTES = words(`
  about abbr align alt axis bgcolor border cellpadding cellspacing char charoff charset cite class clear color cols colspan
  content controls coords datatype datetime dir frame headers height href hreflang hspace http-equiv id itemid itemprop
  itemref itemscope itemtype lang loop media muted name noshade nowrap open prefix property rel resource rev reversed role
  rows preload rowspan rules scope shape size span src start style summary tabindex title type typeof usemap valign value vspace width
  xml:lang`)

const MATHML_ATTRIBUTES = words(`
  accent accentunder align alttext class close columnalign columnlines columnspacing columnspan depth dir display
  displaystyle equalcolumns equalrows fence form frame framespacing height id largeop linethickness lspace mathbackground
  mathcolor mathsize mathvariant maxsize minsize movablelimits notation open rowalign rowlines rowspacing rowspan rspace
  scriptlevel separator side stretchy style symmetric voffset width xmlns`)

/** Facts about the page for clients. No browser acts on them. */
const DATA = /^(?:data|aria)-[a-z0-9_.:-]+$/
/** Positions in the source, which only the server that made the HTML knows. */
const OWN_DATA = /^data-(?:parsoid|object-id|mw-imported)/

function isAllowedAttribute(name: string, isMath: boolean): boolean {
  if (DATA.test(name)) return !OWN_DATA.test(name)
  return (isMath ? MATHML_ATTRIBUTES : ATTRIBUTES).has(name)
}

const URL_ATTRIBUTES = words('about cite href itemid itemtype resource src')
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const SCHEMES = words(`
  bitcoin ftp ftps geo git gopher http https irc ircs magnet mailto mms mw-data news nntp redis sftp sip sips sms ssh svn
  tel telnet urn worldwind xmpp`)
/** Browsers leave these signs out before they look for the scheme. */
const IGNORED_SIGNS = /[\u0000- \u007f-\u00a0]/g

/** True for a relative address, and one of a scheme that runs nothing. */
function isSafeAddress(address: string): boolean {
  const [, scheme] = SCHEME.exec(address.replace(IGNORED_SIGNS, '')) ?? []
  return scheme === undefined || SCHEMES.has(scheme.toLowerCase())
}

/** Relations that say something of the page, and make a browser fetch nothing. */
const TELLING_RELATION = /^(?:mw:|dc:|mw-deduplicated-inline-style$)/
const isTellingLink = (relations: string): boolean =>
  relations
    .split(/\s+/)
    .filter((each) => each !== '')
    .every((each) => TELLING_RELATION.test(each))
const isTellingMeta = (httpEquiv: string): boolean => /^(?:content-language|vary)$/i.test(httpEquiv)

const ELEMENT_NODE = 1
const TEXT_NODE = 3
const COMMENT_NODE = 8
const HTML = 'http://www.w3.org/1999/xhtml'
const MATHML = 'http://www.w3.org/1998/Math/MathML'
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(['meta', 'link', 'title'])
/** Replaces a removed style, as in our own HTML. */
const INSECURE = '/* insecure input */'

/** Cleans HTML inside of the description of an element. Undefined if it nests too deeply. */
export type CleanInner = (html: string) => string | undefined

/** Cleans a document without its body. */
export function cleanFrame(document: DomDocument): void {
  const { documentElement, head, body } = document
  for (const node of childrenOf(document)) if (node.nodeType === COMMENT_NODE) document.removeChild(node)
  for (const node of childrenOf(documentElement))
    if (node !== head && node !== body) documentElement.removeChild(node)
  for (const element of [documentElement, head]) cleanAttributes(element, () => undefined)
  cleanHead(head)
}

function cleanHead(head: DomElement): void {
  for (const child of childrenOf(head)) {
    const element = child.nodeType === ELEMENT_NODE ? (child as DomElement) : undefined
    if (element === undefined || !HEAD_ELEMENTS.has(element.localName) || isActive(element))
      head.removeChild(child)
    else cleanAttributes(element, () => undefined)
  }
}

export function cleanBody(body: DomElement, cleanInner: CleanInner): void {
  cleanAttributes(body, cleanInner)
  const open = [body]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (let child = parent.firstChild; child !== null;) {
      const next = child.nextSibling
      const kept = fateOf(child, parent)
      if (kept === 'unwrap') {
        const first = child.firstChild
        unwrap(child, parent)
        child = first ?? next
        continue
      }
      if (kept === 'drop') parent.removeChild(child)
      else if (child.nodeType === ELEMENT_NODE) {
        cleanElement(child as DomElement, cleanInner)
        open.push(child as DomElement)
      }
      child = next
    }
  }
}

/** Comments go too: browsers and parsers disagree on where some of them end. */
function fateOf(node: DomNode, parent: DomElement): 'keep' | 'drop' | 'unwrap' {
  if (node.nodeType === TEXT_NODE) return 'keep'
  if (node.nodeType !== ELEMENT_NODE) return 'drop'
  const element = node as DomElement
  const { localName, namespaceURI } = element
  if (DROPPED_ELEMENTS.has(localName)) return 'drop'
  if (namespaceURI === MATHML) return MATHML_ELEMENT.test(localName) ? 'keep' : 'unwrap'
  if (namespaceURI !== HTML || parent.namespaceURI === MATHML || isActive(element)) return 'drop'
  return BODY_ELEMENTS.has(localName) ? 'keep' : 'unwrap'
}

/** Links and metas that make a browser do something. */
function isActive(element: DomElement): boolean {
  const { localName } = element
  const httpEquiv = element.getAttribute('http-equiv')
  if (localName === 'meta') return httpEquiv !== null && !isTellingMeta(httpEquiv)
  if (localName !== 'link') return false
  const relations = element.getAttribute('rel') ?? ''
  return relations.trim() === '' ? element.hasAttribute('href') : !isTellingLink(relations)
}

function unwrap(node: DomNode, parent: DomElement): void {
  for (const child of childrenOf(node)) parent.insertBefore(child, node)
  parent.removeChild(node)
}

function cleanElement(element: DomElement, cleanInner: CleanInner): void {
  cleanAttributes(element, cleanInner)
  if (element.localName === 'style') element.textContent = cleanScopedSheet(element.textContent)
}

function cleanAttributes(element: DomElement, cleanInner: CleanInner): void {
  const isMath = element.namespaceURI === MATHML
  for (const { name, value } of Array.from(element.attributes)) {
    if (!isAllowedAttribute(name, isMath) || (URL_ATTRIBUTES.has(name) && !isSafeAddress(value)))
      element.removeAttribute(name)
    else if (name === 'style') {
      if (loads(value)) element.setAttribute(name, INSECURE)
    } else if (name === 'data-mw') {
      const cleaned = cleanDescription(value, cleanInner)
      if (cleaned === undefined) element.removeAttribute(name)
      else if (cleaned !== value) element.setAttribute(name, cleaned)
    }
  }
}

/** A description is JSON. Clients may put the HTML in it, such as a caption, into their pages. */
function cleanDescription(json: string, cleanInner: CleanInner): string | undefined {
  let isChanged = false
  let description: unknown
  try {
    description = JSON.parse(json, (key, value: unknown) => {
      if ((key !== 'html' && key !== 'caption') || typeof value !== 'string' || !value.includes('<'))
        return value
      const cleaned = cleanInner(value)
      if (cleaned !== value) isChanged = true
      return cleaned
    })
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  return isChanged ? JSON.stringify(description) : json
}

function childrenOf(node: DomNode): DomNode[] {
  const children: DomNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}
