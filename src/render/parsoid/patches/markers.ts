/** Removes markers that the engine leaves behind and that nothing uses. */
import type { DomElement, DomNode } from '../dom.js'
import type { Load } from './load.js'

interface CleanUpClass {
  stripMarkerMetas(this: void, node: DomElement, ...more: unknown[]): boolean | DomNode | null
}

/** Start or end of an argument, `{{{name}}}`, inside the output of a template. Only the outermost one is described. */
const ARGUMENT_MARK = /^mw:Param(?:\/End)?$/

export function patchArgumentMarks(load: Load): void {
  const { CleanUp } = load<{ CleanUp: CleanUpClass }>('lib/wt2html/pp/handlers/CleanUp.js')
  const { stripMarkerMetas } = CleanUp
  CleanUp.stripMarkerMetas = (node, ...more) => {
    const isMark = ARGUMENT_MARK.test(node.getAttribute('typeof') ?? '') && !node.hasAttribute('data-mw')
    if (!isMark) return stripMarkerMetas(node, ...more)
    const next = node.nextSibling
    node.parentNode?.removeChild(node)
    return next
  }
}
