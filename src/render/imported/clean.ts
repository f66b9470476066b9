/**
 * Cleans HTML that another server made: nothing in it runs, loads or sends. The result has only elements and attributes
 * of the lists in allowed.ts, so a browser that parses it again finds nothing else.
 */
import { loads } from '../parsoid/styles.js'
import { cleanScopedSheet } from '../tags/templateStyles.js'
import type { DomDocument, DomElement, DomNode } from '../parsoid/dom.js'
import {
  BODY_ELEMENTS,
  DROPPED_ELEMENTS,
  isAllowedAttribute,
  isSafeAddress,
  isTellingLink,
  isTellingMeta,
  MATHML_ELEMENT,
  URL_ATTRIBUTES,
} from './allowed.js'

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
