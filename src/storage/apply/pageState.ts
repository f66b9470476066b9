/** A page while it is written: read once, changed in memory, written once. */
import { redirectTarget } from '../../domain/redirect.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { raiseTally } from '../tables/meta.js'
import { dropRendering, dropUsesOf, type UseKind } from '../html/renderings.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodePageRow,
  encodePageRow,
  encodeTitleRow,
  type PageCounts,
  pageMetaJson,
  titleRowPageId,
  titleRowRun,
  titleRowText,
} from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { encodeFullText, readTextBytes, type SourceText, sourceText, textRun } from '../pages/texts.js'
import type { WriteContext } from './writeContext.js'
import { requireHistoryRow } from './revisionRows.js'

export interface PageState {
  readonly id: number
  /** The store has no rows of this page yet. */
  readonly isNew: boolean
  namespace: number
  dbkey: string
  /** True if no title row leads here: the page is new, or has lost its title. */
  untitled: boolean
  latestId: number
  latestTimestamp: number
  latestModel: string
  /** Text of the latest revision; undefined if it is hidden, or without a revision. */
  latestText: SourceText | undefined
  /** Number of consecutive deltas that lead to the latest text. */
  latestRun: number
  redirectTarget: string | undefined
  /** When an entry last hid or showed a part of a revision, in seconds since 1970. 0 means never. */
  hidingTime: number
  /** False if revisions follow the latest one in the history. */
  latestIsNewest: boolean
  counts: { -readonly [K in keyof PageCounts]: PageCounts[K] }
}

const NO_COUNTS: PageCounts = {
  revisions: 0,
  edits: 0,
  editors: 0,
  anonymous: 0,
  bot: 0,
  minor: 0,
  reverted: 0,
}

/** Id of the page that has a title. */
export function occupantOf({ title }: Tables, { namespace, dbkey }: Title): number | undefined {
  const row = title.getBinaryFast([namespace, dbkey])
  return row && titleRowPageId(row)
}

export function newPage(id: number, namespace: number, dbkey: string): PageState {
  return {
    id,
    isNew: true,
    namespace,
    dbkey,
    untitled: true,
    latestId: 0,
    latestTimestamp: 0,
    latestModel: '',
    latestText: undefined,
    latestRun: 0,
    redirectTarget: undefined,
    hidingTime: 0,
    latestIsNewest: true,
    counts: { ...NO_COUNTS },
  }
}

/** Loads a page that is about to change; undefined if the store does not have it. */
export function loadPage(tables: Tables, pageId: number): PageState | undefined {
  const bytes = tables.page.getBinaryFast(pageId)
  if (bytes === undefined) return undefined
  const { deleted, counts, ...page } = decodePageRow(bytes)
  return {
    id: pageId,
    isNew: false,
    ...page,
    untitled: deleted,
    counts: { ...counts },
    ...loadLatest(tables, pageId, page, deleted),
  }
}

export function requirePage(tables: Tables, pageId: number): PageState {
  const page = loadPage(tables, pageId)
  if (page === undefined) throw new Error(`page ${pageId} has no row`)
  return page
}

function loadLatest(
  tables: Tables,
  pageId: number,
  page: { namespace: number; dbkey: string; latestId: number; latestTimestamp: number },
  deleted: boolean,
): Pick<PageState, 'latestModel' | 'latestText' | 'latestRun'> {
  const { latestId, latestTimestamp } = page
  const { contentModel: latestModel, textHidden } = requireHistoryRow(
    tables,
    pageId,
    latestTimestamp,
    latestId,
  )
  if (deleted) {
    const latestRun = textRun(tables, latestId)
    // A hidden text may still have its row, since older texts build on it.
    const utf8 = textHidden ? undefined : readTextBytes(tables, latestId)
    return { latestModel, latestRun, latestText: utf8 && { string: utf8.toString(), utf8 } }
  }
  const row = tables.title.getBinaryFast([page.namespace, page.dbkey])
  if (row === undefined) throw new Error(`page ${pageId} has no title row`)
  const latestRun = titleRowRun(row)
  const text = titleRowText(row)
  return { latestModel, latestRun, latestText: text === undefined ? undefined : sourceText(text) }
}

/**
 * Writes the page's own rows: `page`, and `title` with the latest text. `indexAtOnce`: words of the page may have gone,
 * so its indexing does not wait for the bulk build.
 */
export function savePage(context: WriteContext, page: PageState, { indexAtOnce = false } = {}): void {
  const { tables, namespaces } = context
  tables.page.putSync(page.id, encodePageRow(page, false))
  const text = page.latestText?.string
  tables.title.putSync(
    [page.namespace, page.dbkey],
    encodeTitleRow({
      pageId: page.id,
      latestId: page.latestId,
      latestTimestamp: page.latestTimestamp,
      redirect: page.redirectTarget !== undefined,
      run: page.latestRun,
      metaJson: pageMetaJson({
        id: page.id,
        key: prefixedKey(page, namespaces),
        title: prefixedText(page, namespaces),
        latestId: page.latestId,
        latestTime: formatTimestamp(page.latestTimestamp),
        contentModel: page.latestModel,
      }),
      text,
    }),
  )
  context.indexing.pageSaved(page, text, indexAtOnce)
}

/** The target of a redirect, in reading form, as the latest text has it. */
export function redirectInText({ latestModel, latestText }: PageState): string | undefined {
  if (latestModel !== 'wikitext' || latestText === undefined) return undefined
  return redirectTarget(latestText.string)
}

/** Drops the HTML of pages that a change to this one makes outdated. */
export function dropUses(context: WriteContext, page: PageState, change: UseKind): void {
  if (context.hasRenderings) dropUsesOf(context.tables, page, change)
}

/** Drops the HTML that names a title which the page loses: that of its own revisions, and of pages that used it. */
export function dropTitle(context: WriteContext, page: PageState): void {
  const { tables, hasRenderings } = context
  dropUses(context, page, 'existence')
  // HTML that is being made, and lists of links, name the old title, too.
  raiseTally(tables, 'visibility')
  if (!hasRenderings) return
  const range = { start: [page.id, 0, 0], end: [page.id, MAX_U32, MAX_U32] } as const
  // An open range does not survive writes.
  for (const [, , id] of [...tables.history.getKeys(range)]) dropRendering(tables, id)
}

/**
 * Removes a page's title. Its rows stay, but its revisions are no longer shown. With `staysIndexed`, the caller indexes
 * the page under another title, or takes it out of the index.
 */
export function unpublishPage(context: WriteContext, page: PageState, { staysIndexed = false } = {}): void {
  const { tables, counters } = context
  if (page.latestText !== undefined) {
    tables.text.putSync(page.latestId, encodeFullText(page.latestText.utf8, page.latestRun))
  }
  tables.title.removeSync([page.namespace, page.dbkey])
  tables.page.putSync(page.id, encodePageRow(page, true))
  if (!staysIndexed) context.indexing.pageGone(page.id)
  dropTitle(context, page)
  page.untitled = true
  counters.pages--
  counters.revisions -= page.counts.revisions
  if (page.redirectTarget !== undefined) counters.redirects--
}
