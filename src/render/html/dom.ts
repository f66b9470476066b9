/** The subset in use of the engine's DOM (domino). */
export interface DomNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  nodeValue: string | null
  textContent: string
  removeChild(child: DomNode): DomNode
  appendChild(child: DomNode): DomNode
  insertBefore(child: DomNode, before: DomNode | null): DomNode
  replaceChild(child: DomNode, old: DomNode): DomNode
}

export interface DomElement extends DomNode {
  readonly ownerDocument: DomDocument
  readonly localName: string
  readonly namespaceURI: string
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>
  readonly children: ArrayLike<DomElement>
  readonly classList: { add(name: string): void; remove(name: string): void }
  innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  hasAttribute(name: string): boolean
  removeAttribute(name: string): void
  querySelectorAll(selector: string): ArrayLike<DomElement>
}

export interface DomDocument extends DomNode {
  readonly head: DomElement
  readonly body: DomElement
  readonly documentElement: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomNode
  querySelectorAll(selector: string): ArrayLike<DomElement>
  getElementById(id: string): DomElement | null
}

// Walks over a document without calls for inner nodes: hostile pages nest deeply.

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
