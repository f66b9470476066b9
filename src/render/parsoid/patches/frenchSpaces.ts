/**
 * Non-breaking spaces: before signs that French separates with a blank, and inside its quotation marks. MediaWiki shows
 * them as U+00A0 in all text except code. The engine did so before colons only, even where it should not.
 */
import type { DomDocument, DomElement, DomNode } from '../../html/dom.js'
import type { Load } from './sourceEdits.js'

const ELEMENT_NODE = 1
const TEXT_NODE = 3
/** Does not match before a word, as in ` :key`. */
const FRENCH_SPACE = / (?=[?:;!%»›](?![\p{L}\p{M}\p{N}_]))|(?<=[«‹]) /u
/** Few texts have these, and the test is quicker. */
const MAYBE_FRENCH = / [?:;!%»›]|[«‹] /
const FRENCH_SPACES = new RegExp(FRENCH_SPACE, 'gu')
/** Elements whose text is shown verbatim. */
const VERBATIM_ELEMENTS: ReadonlySet<string> = new Set(['PRE', 'STYLE', 'SCRIPT', 'MATH', 'TEXTAREA'])
const VERBATIM_TYPES =
  /(?:^|\s)mw:(?:Nowiki|Entity|DisplaySpace|Extension\/(?:syntaxhighlight|source))(?=\s|$)/
/** Marks a blank that wikitext writes differently, so that clients leave it alone. */
const DISPLAY_SPACE = 'mw:DisplaySpace mw:Placeholder'

interface SectionWrapper {
  readonly prototype: { run: (this: unknown, body: DomElement, ...more: unknown[]) => unknown }
}

interface DataUtilities {
  setDataParsoid(node: DomNode, data: object): void
}

/** Runs just before sections are made. Cells and headings are final then, and source positions are not yet stored. */
export function patchFrenchSpaces(load: Load): void {
  const { WrapSections } = load<{ WrapSections: SectionWrapper }>('lib/wt2html/pp/processors/WrapSections.js')
  const { DOMDataUtils } = load<{ DOMDataUtils: DataUtilities }>('lib/utils/DOMDataUtils.js')
  const { prototype } = WrapSections
  const run = prototype.run
  prototype.run = function (body, ...more) {
    for (const text of frenchTexts(body)) splitText(text, DOMDataUtils)
    return run.call(this, body, ...more)
  }
}

/** All texts with a French space, collected first, since each will be replaced. */
function frenchTexts(root: DomNode): DomNode[] {
  const found: DomNode[] = []
  let node: DomNode | null = root
  while (node !== null) {
    if (node.nodeType === TEXT_NODE && isFrench(node.nodeValue ?? '')) found.push(node)
    const isOpen: boolean = node.nodeType === ELEMENT_NODE && !isVerbatim(node as DomElement)
    node = (isOpen ? node.firstChild : null) ?? following(node, root)
  }
  return found
}

function isFrench(text: string): boolean {
  return MAYBE_FRENCH.test(text) && FRENCH_SPACE.test(text)
}

/** The next node in document order outside of this one. */
function following(node: DomNode, root: DomNode): DomNode | null {
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode) {
    if (at.nextSibling !== null) return at.nextSibling
  }
  return null
}

function isVerbatim(element: DomElement): boolean {
  return (
    VERBATIM_ELEMENTS.has(element.nodeName.toUpperCase()) ||
    VERBATIM_TYPES.test(element.getAttribute('typeof') ?? '')
  )
}

function splitText(text: DomNode, dataUtilities: DataUtilities): void {
  const parent = text.parentNode as DomElement
  const document: DomDocument = parent.ownerDocument
  const parts = (text.nodeValue ?? '').split(FRENCH_SPACES)
  for (const [n, part] of parts.entries()) {
    if (n > 0) {
      const space = document.createElement('span')
      space.setAttribute('typeof', DISPLAY_SPACE)
      space.appendChild(document.createTextNode('\u00a0'))
      dataUtilities.setDataParsoid(space, { src: ' ' })
      parent.insertBefore(space, text)
    }
    if (part !== '') parent.insertBefore(document.createTextNode(part), text)
  }
  parent.removeChild(text)
}
