/**
 * Keeps authors' ids of elements. The engine gives ids such as `mwAg` to elements without one, so that the page bundle
 * can refer to them. On the way back to wikitext it removes them. It treats all ids that begin with `mw` as its own, so
 * it lost an author's `id="mw-customcollapsible-0"`. Here the engine records the ids that existed before its own.
 */
import type { DomDocument, DomElement, DomNode } from '../html/dom.js'
import type { PageBundle } from './package.js'
import type { Load } from './patches/sourceEdits.js'

/** Facts about an element's id. `a` holds attributes as they are now, and `sa` as the author wrote them. */
interface ElementData {
  /** The element had an id before the engine gave any. */
  hadId?: true
  /** The element had an empty id, `id=""`. */
  hadEmptyId?: true
  readonly reusedId?: boolean
  readonly a?: Readonly<Record<string, string | undefined>>
  readonly sa?: Readonly<Record<string, string | undefined>>
  /** An empty leftover from a replaced id. */
  readonly tmp?: object
}

type ElementIds = Record<string, ElementData>

interface DataUtils {
  getPageBundle(document: DomDocument): { readonly parsoid: { counter: number; ids: ElementIds } }
  getDataParsoid(node: DomNode): ElementData
  addNormalizedAttribute(node: DomElement, name: string, value: string, original: string | null): void
  setJSONAttribute(node: DomElement, name: string, value: object): void
  storeInPageBundle(node: DomElement, env: unknown, data: { readonly parsoid: ElementData }): void
  applyPageBundle(document: DomDocument, bundle: PageBundle): void
}

interface AttributeToken {
  readonly attribs: readonly { readonly k: unknown; readonly v: unknown }[]
  readonly dataAttribs: ElementData
}

interface Serializer {
  _serializeAttributes(node: DomElement, token: AttributeToken, isWikitext: boolean): PromiseLike<string>
}

const ELEMENT_NODE = 1
const HEADING = /^H[1-6]$/
/** Ids that the engine treats as its own. */
const TAKEN_FOR_ENGINES = /^mw[\w-]{2,}$/
/** Ids that the engine gives: a counter below a million in base 64, or the name of a reference's text. */
const ENGINES = /^mw(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048]|[A-D][\w-]{3}|-reference-text-.*)$/

export function patchIds(load: Load): void {
  const { DOMDataUtils } = load<{ DOMDataUtils: DataUtils }>('lib/utils/DOMDataUtils.js')
  const { JSUtils } = load<{ JSUtils: { counterToBase64(counter: number): string } }>('lib/utils/jsutils.js')
  DOMDataUtils.storeInPageBundle = function (node, _env, data) {
    const { parsoid } = this.getPageBundle(node.ownerDocument)
    // Authors choose ids, and an ordinary object already has a `constructor`.
    if (Object.getPrototypeOf(parsoid.ids) !== null)
      parsoid.ids = Object.assign(Object.create(null) as ElementIds, parsoid.ids)
    const given = node.getAttribute('id')
    let id = given ?? ''
    if (id === '' || id in parsoid.ids) {
      if (given === '') data.parsoid.hadEmptyId = true
      do {
        parsoid.counter += 1
        id = `mw${JSUtils.counterToBase64(parsoid.counter)}`
      } while (node.ownerDocument.getElementById(id) !== null)
      this.addNormalizedAttribute(node, 'id', id, given === '' ? null : given)
    }
    parsoid.ids[id] = data.parsoid
  }
  DOMDataUtils.applyPageBundle = function (document, { parsoid }) {
    for (const element of [document.body, ...Array.from(document.body.querySelectorAll('[id]'))]) {
      const id = element.getAttribute('id') ?? ''
      if (Object.hasOwn(parsoid.ids, id))
        this.setJSONAttribute(element, 'data-parsoid', parsoid.ids[id] as object)
    }
  }
  markIds(load, DOMDataUtils)
  keepIds(load)
}

/** Records ids before the last step of a rendering, which is the first one to give ids. */
function markIds(load: Load, utils: DataUtils): void {
  type CleanUp = { cleanupAndSaveDataParsoid(node: DomNode, ...rest: readonly unknown[]): unknown }
  const { CleanUp } = load<{ CleanUp: CleanUp }>('lib/wt2html/pp/handlers/CleanUp.js')
  // oxlint-disable-next-line typescript/unbound-method -- called with its class as `this` below
  const save = CleanUp.cleanupAndSaveDataParsoid
  CleanUp.cleanupAndSaveDataParsoid = function (node, ...rest) {
    const id = node.nodeType === ELEMENT_NODE ? (node as DomElement).getAttribute('id') : null
    if (id !== null && TAKEN_FOR_ENGINES.test(id)) utils.getDataParsoid(node).hadId = true
    return save.call(CleanUp, node, ...rest)
  }
}

/** Writes an author's id, which the package would omit. */
function keepIds(load: Load): void {
  const { WikitextSerializer } = load<{ WikitextSerializer: { prototype: Serializer } }>(
    'lib/html2wt/WikitextSerializer.js',
  )
  const EnginePromise = load<{
    resolve(value: PromiseLike<string>): PromiseLike<string>
  }>('lib/utils/promise.js')
  const { prototype } = WikitextSerializer
  // oxlint-disable-next-line typescript/unbound-method -- called with the serializer as `this` below
  const serialize = prototype._serializeAttributes
  prototype._serializeAttributes = function (node, token, isWikitext) {
    const id = token.attribs.find(({ k }) => k === 'id')?.v
    if (typeof id !== 'string' || !isKept(id, node, token.dataAttribs))
      return serialize.call(this, node, token, isWikitext)
    const attribs = token.attribs.filter(({ k }) => k !== 'id')
    const others = Object.create(token, { attribs: { value: attribs } }) as AttributeToken
    const own = `id="${id}"`
    return EnginePromise.resolve(serialize.call(this, node, others, isWikitext)).then((rest) =>
      rest === '' ? own : `${own} ${rest}`,
    )
  }
}

function isKept(id: string, node: DomElement, { hadId, reusedId, a }: ElementData): boolean {
  if (!TAKEN_FOR_ENGINES.test(id) || a?.['id'] !== undefined) return false
  // Other headings derive their id from their text.
  if (HEADING.test(node.nodeName)) return reusedId === true
  return hadId === true || !ENGINES.test(id)
}

/**
 * Restores the ids that elements had before the bundle's; most had none. Also rewrites their data to the form without a
 * bundle, since the engine compares data too.
 */
export function dropBundleIds({ body }: DomDocument, { parsoid }: PageBundle): void {
  for (const element of [body, ...Array.from(body.querySelectorAll('[id^="mw"]'))]) {
    const id = element.getAttribute('id') ?? ''
    if (!Object.hasOwn(parsoid.ids, id)) continue
    const { hadId, hadEmptyId, a, sa, tmp, ...data } = parsoid.ids[id] as ElementData
    // Of two equal ids, the engine replaced the second by one of its own.
    const written = a?.['id'] === id ? sa?.['id'] : hadEmptyId === true ? '' : undefined
    if (written === undefined) {
      if (hadId !== true) element.removeAttribute('id')
      continue
    }
    element.setAttribute('id', written)
    const noted = hadEmptyId === true ? { a, sa, tmp } : withoutId(a, sa)
    const inline = { ...data, hadId, ...noted }
    element.setAttribute('data-parsoid', JSON.stringify(inline))
  }
}

/** The recorded attributes except the id; empty if there are none. */
function withoutId(a: ElementData['a'], sa: ElementData['sa']): Pick<ElementData, 'a' | 'sa'> {
  const { id: _now, ...otherNow } = a ?? {}
  const { id: _written, ...otherWritten } = sa ?? {}
  return Object.keys(otherNow).length === 0 ? {} : { a: otherNow, sa: otherWritten }
}
