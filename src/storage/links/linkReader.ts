/** `Store.pageLinks`: links of pages in both directions, from the index in force. */
import { compareUtf8 } from '../../domain/title.js'
import { externalIndex } from '../../wikitext/externalLinks.js'
import { LINK_KINDS, type LinkKind, nameIn, namespaceIn, targetOf } from '../../wikitext/pageTargets.js'
import { MAX_U32 } from '../rows/keys.js'
import { decodeSources, hasMoreRows, type LinkKey } from '../rows/linkRows.js'
import { indexInForce, readIndexState } from '../search/indexState.js'
import type { LinkTables, Tables } from '../tables/tables.js'
import { indexedTarget, nextRow, rowFor } from './linkWriter.js'
import { readLinks } from './pageLinks.js'

export { externalIndex } from '../../wikitext/externalLinks.js'
export type { LinkKind } from '../../wikitext/pageTargets.js'

/**
 * What a page leads to. `name` depends on the kind:
 * - `link`, `template`, `file`, `redirect`: the dbkey. A redirect to another wiki has the title, a tab and the prefix
 * - `external`: the address
 * - `interwiki`: the prefix, a tab and the title in URL form
 */
export interface LinkTarget {
  /** 0 for `external` and `interwiki`. */
  readonly namespace: number
  readonly name: string
}

/** One page that names a target. */
interface LinkUse extends LinkTarget {
  readonly pageId: number
}

/** Where a list of targets begins and ends, both included. All are the beginnings of names, in UTF-8. */
interface TargetRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly descending?: boolean
}

/** Above all names that begin with a text. */
const LAST = '\u{10ffff}'

/**
 * All lists are read step by step, as far as the caller iterates: a step reads one row, whatever the number of pages.
 * Other reads may come between two steps. A list may have pages that were deleted meanwhile.
 */
export class LinkReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** False in a store that an older version of the program filled, until a reindex: then every list lacks pages. */
  isComplete(): boolean {
    return readIndexState(this.#tables).links === true
  }

  /** What a page leads to: by namespace and name, addresses by their reversed hosts. */
  from(pageId: number, kind: LinkKind): LinkTarget[] {
    const entries = readLinks(this.#index(), pageId)?.lists[kind].entries ?? []
    const targets = entries.map(({ target }) => ({ namespace: namespaceIn(target), name: nameIn(target) }))
    if (kind !== 'external') return targets
    const indexed = targets.map((target) => [externalIndex(target.name), target] as const)
    return indexed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, target]) => target)
  }

  /** Whether a page names a target. It reads one row, whatever the number of links. */
  has(pageId: number, kind: LinkKind, target: LinkTarget): boolean {
    for (const source of this.to(kind, target, pageId)) return source === pageId
    return false
  }

  /** Ids of pages that name a target, from an id on, rising. The target need not exist. */
  *to(kind: LinkKind, { namespace, name }: LinkTarget, fromPage = 0): Generator<number, void> {
    const target = indexedTarget(kind, targetOf(namespace, name))
    yield* this.#sources(LINK_KINDS.indexOf(kind), target, fromPage, false)
  }

  /**
   * Targets in a namespace that pages name, each once, whether they exist or not. For `external` the names are not
   * addresses but places among them, as of `externalIndex`; long ones are cut.
   */
  *targets(kind: LinkKind, namespace: number, range: TargetRange = {}): Generator<LinkTarget, void> {
    for (const target of this.#targets(kind, namespace, range))
      yield { namespace: namespaceIn(target), name: nameIn(target) }
  }

  /** The same with each page that names them. `fromPage`: the page with which the first target begins. */
  *uses(
    kind: LinkKind,
    namespace: number,
    { fromPage, ...range }: TargetRange & { readonly fromPage?: number } = {},
  ): Generator<LinkUse, void> {
    const number = LINK_KINDS.indexOf(kind)
    const { descending = false } = range
    for (const target of this.#targets(kind, namespace, range)) {
      const name = nameIn(target)
      const isFirst = name === range.from
      const start = isFirst && fromPage !== undefined ? fromPage : descending ? MAX_U32 : 0
      for (const pageId of this.#sources(number, target, start, descending))
        yield { namespace: namespaceIn(target), name, pageId }
    }
  }

  /** Addresses of a page that are at a place of `targets('external', 0)`. */
  addressesAt(pageId: number, place: string): string[] {
    const names = this.from(pageId, 'external').map(({ name }) => name)
    const cut = Buffer.byteLength(place)
    return names.filter((name) => Buffer.from(externalIndex(name)).subarray(0, cut).toString() === place)
  }

  *#targets(
    kind: LinkKind,
    namespace: number,
    { from, to, descending = false }: TargetRange,
  ): Generator<string, void> {
    const number = LINK_KINDS.indexOf(kind)
    const place = (name: string, page: number): LinkKey => [number, targetOf(namespace, name), page]
    const { linkSource } = this.#index()
    const low = place(descending ? '' : (from ?? ''), 0)
    const high = place((descending ? from : undefined) ?? LAST, MAX_U32)
    const end = descending ? low : high
    const isBehind = (name: string): boolean =>
      to !== undefined && (descending ? compareUtf8(name, to) < 0 : compareUtf8(name, to) > 0)
    let last: string | undefined
    for (let start = descending ? high : low; ;) {
      // Going down, the walk begins with the first row of the last target.
      const keys = [...linkSource.getKeys({ start, end, reverse: descending, limit: 2 })]
      const target = keys.find((key) => key[1] !== last)?.[1]
      if (target === undefined || isBehind(nameIn(target))) return
      yield target
      last = target
      start = [number, target, descending ? 0 : MAX_U32]
    }
  }

  *#sources(kind: number, target: string, from: number, descending: boolean): Generator<number, void> {
    for (let place: number | undefined = from; place !== undefined;) {
      const index: LinkTables = this.#index()
      const head = index.linkSource.getBinaryFast([kind, target, 0])
      if (head === undefined) return
      const hasMore = hasMoreRows(head)
      const first: number = hasMore && place > 0 ? rowFor(index, kind, target, place) : 0
      const row = first === 0 ? head : index.linkSource.getBinaryFast([kind, target, first])
      const pages = row === undefined ? [] : decodeSources(row, first)
      if (descending) pages.reverse()
      const start: number = place
      yield* pages.filter((page) => (descending ? page <= start : page >= start))
      if (descending) place = first > 0 ? first - 1 : undefined
      else place = hasMore ? finite(nextRow(index, kind, target, first)) : undefined
    }
  }

  #index(): LinkTables {
    return indexInForce(this.#tables)
  }
}

const finite = (page: number): number | undefined => (page === Infinity ? undefined : page)
