/** Bulk imports: batches of pages, and the end of a dump. */
import { occupantOf } from './pageState.js'
import type {
  BatchPlace,
  ImportEntry,
  ImportVerdict,
  PageOutcome,
  PagesEntry,
  Verdict,
} from '../entries/entries.js'
import { readMeta, type RunningImport, writeMeta } from '../tables/meta.js'
import { applyPage, NOTHING_DONE } from './applyPage.js'
import type { WriteContext } from './writeContext.js'
import { prefixedText, type Title } from '../../domain/title.js'
import { type IncomingPage, NO_ID } from '../../domain/page.js'
import { CATEGORY, FILE } from '../../domain/namespaceIds.js'
import { decodePageRow, viewTitleRow } from '../rows/rows.js'
import type { IncomingRevision } from '../../domain/revision.js'
import { MAX_U32 } from '../rows/keys.js'
import type { Tables } from '../tables/tables.js'
import { requireHistoryRow } from './revisionRows.js'
import { isSameRevision } from './sortRevisions.js'

/** Applies a batch of pages. The pages cannot be searched until the bulk build has indexed them. */
export function applyPages(context: WriteContext, entry: PagesEntry): ImportVerdict {
  const { pages, came } = entry
  const hasCome = (pageId: number): boolean => came.has(pageId)
  const outcomes = pages.map((given) => {
    const page = giveIds(context, given)
    const outcome =
      page.redirects === undefined
        ? applyPage(context, page, hasCome)
        : applyLatest(context, { ...page, redirects: page.redirects }, hasCome)
    if (outcome.rival === undefined) came.add(page)
    return outcome
  })
  const isEffective = outcomes.some(hasEffect)
  const sum = (of: (outcome: PageOutcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const newPages = sum(({ newPage, addedRedirects = 0 }) => Number(newPage) + addedRedirects)
  const addedRevisions = sum(({ addedRevisions, addedRedirects = 0 }) => addedRevisions + addedRedirects)
  if (isEffective) noteProgress(context, entry, newPages, addedRevisions)
  return { result: 'imported', isEffective, newPages, addedRevisions, outcomes }
}

/** Marks the import as ended. Only then do servers show a first import. */
export function applyImportEnd({ tables }: WriteContext, _entry: ImportEntry): Verdict {
  writeMeta(tables, 'import', null)
  return { result: 'done' }
}

function hasEffect(outcome: PageOutcome): boolean {
  const { newPage, addedRevisions, changedRevisions, renamed, addedRedirects = 0 } = outcome
  return newPage || addedRevisions + changedRevisions + addedRedirects > 0 || renamed
}

/** Marks an import as running, with what it has brought so far. */
export function noteProgress(
  { tables }: WriteContext,
  { dump, time }: BatchPlace & { readonly time: number },
  newPages: number,
  addedRevisions: number,
): void {
  const running = readMeta(tables, 'import') ?? undefined
  const progress: RunningImport = {
    name: running?.name ?? dump,
    pages: (running?.pages ?? 0) + newPages,
    revisions: (running?.revisions ?? 0) + addedRevisions,
    newest: Math.max(running?.newest ?? 0, time),
  }
  writeMeta(tables, 'import', progress)
}

/** Ids up to here may come from other wikis. */
const MAX_FOREIGN_ID = 4_000_000_000

type LatestPage = IncomingPage & { readonly redirects: readonly Title[] }

/**
 * Applies a page of a source that has only latest revisions, and names redirects without their pages. Such a redirect
 * becomes a page here, with ids that no other wiki gives.
 * Leaves the page out if the store has a later revision of it: the order of two rows of a page does not matter.
 */
function applyLatest(
  context: WriteContext,
  incoming: LatestPage,
  hasCome: (pageId: number) => boolean,
): PageOutcome {
  const known = context.tables.page.getBinaryFast(incoming.id)
  const newest = Math.max(...incoming.revisions.map(({ id }) => id))
  if (known !== undefined && decodePageRow(known).latestId > newest) return NOTHING_DONE
  const outcome = applyPage(context, incoming, hasCome)
  if (outcome.rival !== undefined || !hasTitle(context, incoming)) return outcome
  const added = incoming.redirects.filter((title) => addRedirect(context, title, incoming)).length
  return { ...outcome, addedRedirects: added }
}

function hasTitle({ tables }: WriteContext, { id, namespace, dbkey }: IncomingPage): boolean {
  const row = tables.title.getBinaryFast([namespace, dbkey])
  return row !== undefined && viewTitleRow(row).pageId === id
}

/** False if the title has a page. Nobody is named as the editor, since the source does not tell who it was. */
function addRedirect(context: WriteContext, { namespace, dbkey }: Title, target: LatestPage): boolean {
  const { tables, counters, namespaces } = context
  if (tables.title.doesExist([namespace, dbkey])) return false
  const colon = target.namespace === FILE || target.namespace === CATEGORY ? ':' : ''
  const name = prefixedText(target, namespaces)
  const revision = {
    id: Math.max(counters.nextRevisionId, MAX_FOREIGN_ID + 1),
    parentId: undefined,
    timestamp: target.revisions.at(-1)!.timestamp,
    editor: undefined,
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    text: `#REDIRECT [[${colon}${name}]]`,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
  const id = Math.max(counters.nextPageId, MAX_FOREIGN_ID + 1)
  applyPage(context, { id, namespace, dbkey, redirectTarget: name, revisions: [revision] })
  return true
}

// Gives ids to pages and revisions of dumps without ids, such as exports that other programs write.

/**
 * A page without an id is the one that has its title, or gets the next free id. A revision without an id is the one of
 * that page with the same time and text, or gets the next free id. So the same dump again changes nothing.
 */
function giveIds({ tables, counters }: WriteContext, page: IncomingPage): IncomingPage {
  if (page.id !== NO_ID && page.revisions.every(({ id }) => id !== NO_ID)) return page
  const id = page.id === NO_ID ? (occupantOf(tables, page) ?? counters.nextPageId) : page.id
  const used = new Set(page.revisions.map((revision) => revision.id))
  let next = counters.nextRevisionId
  for (const stated of used) next = Math.max(next, stated + 1)
  const revisions = page.revisions.map((revision): IncomingRevision => {
    if (revision.id !== NO_ID) return revision
    const given = findKnown(tables, id, revision, used) ?? next++
    used.add(given)
    // A stated parent would be the number of another wiki.
    return { ...revision, id: given, parentId: undefined, madeHere: true }
  })
  return { ...page, id, revisions }
}

/** Several equal revisions of one second are as many in the store, so each of these counts once. */
function findKnown(
  tables: Tables,
  pageId: number,
  revision: IncomingRevision,
  used: ReadonlySet<number>,
): number | undefined {
  const { timestamp } = revision
  const range = { start: [pageId, timestamp, 0], end: [pageId, timestamp, MAX_U32] } as const
  // All keys at once: an open cursor does not survive other reads.
  for (const [, , id] of [...tables.history.getKeys(range)]) {
    const stored = { ...requireHistoryRow(tables, pageId, timestamp, id), id, timestamp }
    if (!used.has(id) && isSameRevision(tables, stored, revision)) return id
  }
  return undefined
}
