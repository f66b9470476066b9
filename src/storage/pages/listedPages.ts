/** Pages of the main namespace by ranges of ids, for sitemaps. */
import { MAIN } from '../../domain/namespaceIds.js'
import { decodePageRow } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

export interface ListedPage {
  readonly dbkey: string
  /** Time of the latest revision, in seconds since 1970. */
  readonly time: number
}

/** Pages with ids from `from` to `end`, the latter left out, without redirects. */
export function listedPages(tables: Tables, from: number, end: number): ListedPage[] {
  const pages: ListedPage[] = []
  for (const { value } of tables.page.getRange({ start: from, end })) {
    const { namespace, dbkey, latestTimestamp, redirectTarget, deleted } = decodePageRow(value)
    if (!deleted && namespace === MAIN && redirectTarget === undefined)
      pages.push({ dbkey, time: latestTimestamp })
  }
  return pages
}

/** Numbers of the ranges of `size` ids that have pages of any namespace, from 1. */
export function rangesWithPages(tables: Tables, size: number, nextPageId: number): number[] {
  const numbers: number[] = []
  for (let from = 1; from < nextPageId; from += size) {
    for (const _id of tables.page.getKeys({ start: from, end: from + size, limit: 1 }))
      numbers.push(1 + (from - 1) / size)
  }
  return numbers
}
