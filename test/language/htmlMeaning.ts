/** What HTML of Parsoid means, to compare that of different versions: kinds of nodes, classes, targets and texts. */
import { nodesOf, type DomElement, type DomNode } from '../../src/render/html/dom.js'
import { parsoid } from '../render/support/engine.js'

const TEXT_NODE = 3
const ELEMENT_NODE = 1
/** Marks of one version, and of pages that exist or not. */
const UNIMPORTANT: ReadonlySet<string> = new Set([
  ...['mw-default-size', 'mw-redirect', 'mw-file-description', 'mw-broken-media', 'mw-selflink', 'selflink'],
  'new',
])
const TARGETS = ['rel', 'href', 'property', 'content', 'resource'] as const
const MEDIA = /mw:(?:Image|Video|Audio|File)\b/g
const INLINE_MEDIA = 'figure-inline'

/** One line for each node. */
export function meaningOf(html: string): string[] {
  const { body } = parsoid.parseHtml(html)
  return [...nodesOf(body)].map(lineOf).filter((line) => line !== '')
}

function lineOf(node: DomNode): string {
  if (node.nodeType === TEXT_NODE) return (node.nodeValue ?? '').replace(/\s+/g, ' ').trim()
  return node.nodeType === ELEMENT_NODE ? elementLine(node as DomElement) : ''
}

/** Empty for sections, and for the wrappers that only one version has. */
function elementLine(element: DomElement): string {
  const { localName } = element
  const classes = (element.getAttribute('class') ?? '').split(/\s+/).filter((name) => name !== '')
  const kind = (element.getAttribute('typeof') ?? '').replace(MEDIA, 'mw:File')
  const isWrapper = localName === 'span' && kind === '' && classes.length === 0
  if (localName === 'section' || isWrapper || classes.includes('mw-broken-media')) return ''
  const shown = classes.filter((name) => !UNIMPORTANT.has(name)).sort()
  const target = TARGETS.map((name) =>
    element.hasAttribute(name) ? `${name}=${decoded(element.getAttribute(name) ?? '')}` : '',
  )
  const name = localName === INLINE_MEDIA ? 'span' : localName
  return [`<${name}>`, kind.split(' ').sort().join(' '), ...shown, ...target]
    .filter((part) => part !== '')
    .join(' ')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
