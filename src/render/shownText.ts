/** The text of an element as a reader sees it, in one line. */
import type { DomElement } from './parsoid/dom.js'
import { nodesOf } from './walk.js'

const TEXT_NODE = 3
/** Elements whose text is not part of a sentence. */
const SILENT: ReadonlySet<string> = new Set([
  'style',
  'script',
  'table',
  'figure',
  'link',
  'meta',
  'annotation',
])
const SILENT_CLASS = /(?:^|\s)(?:mw-ref|reference|mw-editsection|noprint|navigation-not-searchable)(?:\s|$)/
const HIDDEN_STYLE = /display\s*:\s*none/i

/**
 * At most `maxLength` characters, without references, hidden parts and what `skips` names. A longer text ends at a
 * word, with an ellipsis.
 */
export function shownText(
  root: DomElement,
  maxLength: number,
  skips: (element: DomElement) => boolean = () => false,
): string {
  let text = ''
  for (const node of nodesOf(root, (element) => isSilent(element) || skips(element))) {
    if (node.nodeType === TEXT_NODE) text += node.nodeValue ?? ''
    if (text.length > 2 * maxLength) break
  }
  return shorten(text.replace(/\s+/g, ' ').trim(), maxLength)
}

/** Parts that readers do not see, or that interrupt a sentence. */
export function isSilent(element: DomElement): boolean {
  return (
    SILENT.has(element.localName) ||
    SILENT_CLASS.test(element.getAttribute('class') ?? '') ||
    HIDDEN_STYLE.test(element.getAttribute('style') ?? '')
  )
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  const space = cut.lastIndexOf(' ')
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`
}
