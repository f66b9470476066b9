/** Entries of the public log that were made here, by what they tell of; and the pages that these deleted. */
import { type Title, titleId, sameTitle } from '../../domain/title.js'
import { decodeLogEvent, EVENT_KINDS, type LogEventRow } from '../rows/logEventRows.js'
import { MAX_U32 } from '../rows/keys.js'
import { decodePageRow, type NumberedPage } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

type Found = readonly (readonly [id: number, event: LogEventRow])[]

export const madeOfPage = (tables: Tables, pageId: number): Found =>
  madeIn(tables, EVENT_KINDS.page, String(pageId))

/** Entries about a title, and those whose parameters name it. */
export const madeNaming = (tables: Tables, title: Title): Found => [
  ...madeIn(tables, EVENT_KINDS.title, titleId(title)),
  ...madeIn(tables, EVENT_KINDS.further, titleId(title)),
]

function madeIn({ eventIndex, logEvent }: Tables, kind: number, name: string): Found {
  const range = { start: [kind, name, 0, 0], end: [kind, name, MAX_U32, MAX_U32] } as const
  // All keys at once: an open range does not survive other reads.
  return [...eventIndex.getKeys(range)].flatMap(([, , , id]) => {
    const row = logEvent.getBinary(id)
    const event = row && decodeLogEvent(row)
    return event?.made === undefined ? [] : [[id, event] as const]
  })
}

/** The title of a page, and then those that it had before it was moved. */
export function titlesOf(tables: Tables, page: Title & { readonly id: number }): Title[] {
  const { id, namespace, dbkey } = page
  const moves = madeOfPage(tables, id).flatMap(([, { type, title, made }]) =>
    type === 'move' && made?.pageIds[0] === id ? [title, made.further] : [],
  )
  const titles = [{ namespace, dbkey }, ...moves].filter((title) => title !== null && title !== undefined)
  return [...new Map(titles.map((title) => [titleId(title), title])).values()]
}

/** Pages that were deleted here under a title, and are not back. The one that was deleted last comes first. */
export function deletedUnder(tables: Tables, title: Title): NumberedPage[] {
  const ids = madeIn(tables, EVENT_KINDS.title, titleId(title)).flatMap(([, { type, made }]) =>
    type === 'delete' && made?.pageIds[0] !== undefined ? [made.pageIds[0]] : [],
  )
  return [...new Set(ids.reverse())].flatMap((pageId) => {
    const page = readDeleted(tables, pageId)
    return page !== undefined && sameTitle(page, title) ? [page] : []
  })
}

/** A deleted page; undefined for others. */
export function readDeleted(tables: Tables, pageId: number): NumberedPage | undefined {
  const row = tables.page.getBinaryFast(pageId)
  if (row === undefined) return undefined
  const { deleted, ...page } = decodePageRow(row)
  return deleted ? { pageId, ...page } : undefined
}
