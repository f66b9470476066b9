/** Walks over a document without calls for inner nodes: hostile pages nest deeply. */
import type { DomElement, DomNode } from './parsoid/dom.js'

const ELEMENT_NODE = 1

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT_NODE

/** Nodes inside of an element in the order of the document, without those that `skips` names and their insides. */
export function* nodesOf(
  root: DomElement,
  skips: (element: DomElement) => boolean = () => false,
): Generator<DomNode> {
  let node: DomNode | null = root.firstChild
  while (node !== null) {
    const isSkipped = isElement(node) && skips(node)
    if (!isSkipped) yield node
    let next: DomNode | null = isSkipped ? null : node.firstChild
    for (let at: DomNode | null = node; next === null && at !== null && at !== root; at = at.parentNode)
      next = at.nextSibling
    node = next
  }
}

export function* elementsOf(
  root: DomElement,
  skips?: (element: DomElement) => boolean,
): Generator<DomElement> {
  for (const node of nodesOf(root, skips)) if (isElement(node)) yield node
}
