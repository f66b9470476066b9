/**
 * Pages whose histories are taken apart. While a page is open, its latest text is in the table `text` like all others,
 * so that revisions can go, come and change in any order. Closing it works out everything that follows from its
 * revisions.
 */
import { encodePageRow, revisionPageId, revisionTime } from '../../rows/rows.js'
import type { Tables } from '../../tables/tables.js'
import { encodeFullText, readTextBytes, textRun } from '../../pages/texts.js'
import type { WriteContext } from '../writeContext.js'
import { dropUses, type PageState, redirectInText, savePage } from '../pageState.js'
import { relinkHistory } from '../relink.js'
import { requireHistoryRow } from '../revisionRows.js'
import { forgetPage, type Place } from './forgetPage.js'

export interface OpenPage {
  readonly page: PageState
  /** What the page adds to the totals at present. */
  totals: Totals
}

/** Facts of a page that upstream states. */
interface StatedFacts {
  readonly latestId: number
  readonly redirectTarget: string | null
}

export function openPage({ tables }: WriteContext, page: PageState): OpenPage {
  if (!page.untitled && page.latestText !== undefined)
    tables.text.putSync(page.latestId, encodeFullText(page.latestText.utf8, page.latestRun))
  page.latestText = undefined
  return { page, totals: totalsOf(page) }
}

/**
 * Writes the rows of an open page; a page without revisions goes. `stated` is missing for a page that no state
 * describes: it keeps its latest revision, or gets the newest one. `time` is that of the entry.
 */
export function closePage(
  context: WriteContext,
  open: OpenPage,
  { stated, time }: { readonly stated: StatedFacts | undefined; readonly time: number },
): 'kept' | 'gone' {
  const { tables } = context
  const { page } = open
  const key = relinkHistory(tables, page)
  if (key === undefined) {
    moveTotals(context, open.totals, NO_TOTALS)
    forgetPage(context, page)
    return 'gone'
  }
  const newest: Place = { pageId: page.id, timestamp: key[1], id: key[2] }
  const kept = page.latestId
  const latest = placeIn(tables, page.id, stated?.latestId ?? kept) ?? newest
  page.latestIsNewest = latest.id === newest.id
  // Rises in any case: counts of a history are not newer otherwise.
  if (!page.isNew) page.hidingTime = Math.max(time, page.hidingTime + 1)
  setLatest(tables, page, latest)
  if (stated !== undefined) page.redirectTarget = stated.redirectTarget ?? undefined
  else if (page.latestId !== kept) page.redirectTarget = redirectInText(page)
  moveTotals(context, open.totals, totalsOf(page))
  if (page.untitled) {
    tables.page.putSync(page.id, encodePageRow(page, true))
    return 'kept'
  }
  if (page.latestText !== undefined) tables.text.removeSync(page.latestId)
  savePage(context, page, { indexAtOnce: true })
  dropUses(context, page, 'content')
  return 'kept'
}

/** The place of a revision; undefined if it is not one of the page. */
export function placeIn(tables: Tables, pageId: number, id: number): Place | undefined {
  const rev = tables.rev.getBinaryFast(id)
  return rev !== undefined && revisionPageId(rev) === pageId
    ? { pageId, timestamp: revisionTime(rev), id }
    : undefined
}

/** Makes a revision of the page its latest one. Its text stays in `text`. */
function setLatest(tables: Tables, page: PageState, { timestamp, id }: Place): void {
  const row = requireHistoryRow(tables, page.id, timestamp, id)
  const utf8 = row.textHidden ? undefined : readTextBytes(tables, id)
  page.latestId = id
  page.latestTimestamp = timestamp
  page.latestModel = row.contentModel
  page.latestText = utf8 && { string: utf8.toString(), utf8 }
  page.latestRun = utf8 === undefined ? 0 : textRun(tables, id)
}

/** What a page adds to the totals of the store. A page without a title adds nothing. */
export interface Totals {
  readonly pages: number
  readonly revisions: number
  readonly redirects: number
}

export const NO_TOTALS: Totals = { pages: 0, revisions: 0, redirects: 0 }

export const totalsOf = ({ untitled, counts, redirectTarget }: PageState): Totals =>
  untitled
    ? NO_TOTALS
    : { pages: 1, revisions: counts.revisions, redirects: redirectTarget === undefined ? 0 : 1 }

/** Brings the counters from what a page added before to what it adds now. */
export function moveTotals({ counters }: WriteContext, before: Totals, after: Totals): void {
  for (const name of ['pages', 'revisions', 'redirects'] as const)
    counters[name] += after[name] - before[name]
}
