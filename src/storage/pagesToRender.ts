/** Lists pages whose latest revision has no HTML, those first to which most links lead. */
import { setImmediate } from 'node:timers/promises'
import { Namespaces } from '../domain/namespaces.js'
import { prefixedKey } from '../domain/title.js'
import { readSite } from './tables/meta.js'
import { decodePageRow } from './rows/rows.js'
import { countLinks } from './search/linkCounts.js'
import { indexInForce } from './search/indexState.js'
import type { Store } from './store.js'
import { WHOLE_TABLE } from './tables/tables.js'

/** Rows to read before other work gets its turn. */
const PAGES_AT_ONCE = 1000

interface RenderQuery {
  /** See `readRendering`. */
  readonly configuration: Uint8Array
  /** Undefined: all. */
  readonly namespaces: ReadonlySet<number> | undefined
  readonly nowSeconds: number
  /** Ends the listing early. The list is then incomplete. */
  readonly signal: AbortSignal
}

/** Ids of pages. It takes some 20 bytes a page of the wiki. */
export async function listPagesToRender(store: Store, query: RenderQuery): Promise<Uint32Array> {
  const { tables } = store
  const namespaces = new Namespaces(readSite(tables))
  const links = await countLinks(indexInForce(tables), namespaces, query.signal)
  const ids: number[] = []
  const counts: number[] = []
  let seen = 0
  for (const { key: pageId, value } of tables.page.getRange(WHOLE_TABLE)) {
    if (++seen % PAGES_AT_ONCE === 0) await setImmediate()
    if (query.signal.aborted) break
    const page = decodePageRow(value)
    if (page.deleted || query.namespaces?.has(page.namespace) === false) continue
    if (!store.html.isMissing(page.latestId, query.configuration, query.nowSeconds)) continue
    ids.push(pageId)
    counts.push(links.of(prefixedKey(page, namespaces)))
  }
  const order = Uint32Array.from(ids.keys()).sort(
    (one, other) => counts[other]! - counts[one]! || one - other,
  )
  return order.map((n) => ids[n]!)
}
