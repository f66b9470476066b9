/**
 * Writes a page with some of its revisions: new pages, new revisions of known pages, renamed pages, and
 * revisions whose visibility changed. What the store has already is left alone, so the same page twice has
 * one effect.
 *
 *     revisions that all follow the latest one  →  appended: their facts follow from the last rows
 *     any other                                 →  put in their places, then the history is walked again
 */
import type { IncomingPage } from '../../domain/page.js'
import { redirectTarget } from '../../domain/redirect.js'
import type { IncomingRevision } from '../../domain/revision.js'
import type { HistoryRow } from '../rows.js'
import type { WriteContext } from './context.js'
import { HistoryWalk, REVERT_RADIUS } from './derive.js'
import { countEditors, countRevision } from './pageCounts.js'
import { dropUses, loadPage, newPage, type PageState, savePage, unpublishPage } from './pageState.js'
import { relinkHistory } from './relink.js'
import {
  deriveRow,
  findEarlierSize,
  hasWrongSha1,
  lastLinks,
  type NewRevision,
  prepareRevision,
  putRevision,
} from './revisionRows.js'
import { appendTexts, insertTexts } from './textChain.js'
import { updateVisibility, visibilityDiffers } from './visibility.js'

export interface PageOutcome {
  readonly newPage: boolean
  readonly addedRevisions: number
  /** Revisions whose hidden parts changed. */
  readonly changedRevisions: number
  readonly renamed: boolean
  /** Ids that belong to another page of the store: left there. */
  readonly foreignRevisions: readonly number[]
  /** Ids of new revisions whose text has another SHA-1 than stated; the text was kept. */
  readonly wrongSha1: readonly number[]
}

export function applyPage(context: WriteContext, incoming: IncomingPage): PageOutcome {
  const { tables } = context
  const { added, known, foreign } = sortRevisions(context, incoming)
  const changed = known.filter((revision) => visibilityDiffers(tables, incoming.id, revision))
  const before = loadPage(tables, incoming.id)
  const page = before ?? newPage(incoming.id, incoming.namespace, incoming.dbkey)
  const renamed =
    before !== undefined &&
    (before.untitled || before.namespace !== incoming.namespace || before.dbkey !== incoming.dbkey)
  const outcome: PageOutcome = {
    newPage: before === undefined && added.length > 0,
    addedRevisions: added.length,
    changedRevisions: changed.length,
    renamed,
    foreignRevisions: foreign,
    wrongSha1: added.filter(hasWrongSha1).map(({ id }) => id),
  }
  if (added.length + changed.length === 0 && !renamed) return outcome
  if (before === undefined && added.length === 0) return outcome

  const isNewTitle = page.untitled || renamed
  if (isNewTitle) takeTitle(context, page, incoming)
  const redirectBefore = page.redirectTarget !== undefined
  const textBefore = page.latestText
  if (changed.length === 0 && followsLatest(page, added)) appendRevisions(context, page, added)
  else insertRevisions(context, page, added, changed)
  if (page.latestText !== textBefore || renamed) page.redirectTarget = findRedirect(page, incoming)
  context.counters.revisions += added.length
  context.counters.redirects += Number(page.redirectTarget !== undefined) - Number(redirectBefore)
  savePage(context, page)
  if (isNewTitle) dropUses(context, page, 'existence')
  else if (page.latestText !== textBefore) dropUses(context, page, 'content')
  return outcome
}

/** Splits what came into what is new, in the history's order, and what the store knows. */
function sortRevisions(
  context: WriteContext,
  incoming: IncomingPage,
): { added: NewRevision[]; known: IncomingRevision[]; foreign: number[] } {
  const { tables } = context
  const added = new Map<number, NewRevision>()
  const known: IncomingRevision[] = []
  const foreign: number[] = []
  for (const revision of incoming.revisions) {
    const rev = tables.rev.getBinaryFast(revision.id)
    if (rev === undefined) {
      if (!added.has(revision.id)) added.set(revision.id, prepareRevision(context, revision))
    } else if (rev.readUInt32BE(0) === incoming.id) known.push(revision)
    else foreign.push(revision.id)
  }
  for (const id of added.keys()) context.noteIds(incoming.id, id)
  const inOrder = [...added.values()].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  return { added: inOrder, known, foreign }
}

/** Gives the page its title; another page that stands there loses it. */
function takeTitle(context: WriteContext, page: PageState, incoming: IncomingPage): void {
  const { tables, counters } = context
  const { namespace, dbkey } = incoming
  if (page.untitled) {
    counters.pages++
    counters.revisions += page.counts.revisions
    if (page.redirectTarget !== undefined) counters.redirects++
    // The text of a page without a title stood in `text`; from now on it stands in the title row.
    if (page.latestText !== undefined) tables.text.removeSync(page.latestId)
  } else {
    tables.title.removeSync([page.namespace, page.dbkey])
    dropUses(context, page, 'existence')
  }
  const occupant = tables.title.getBinaryFast([namespace, dbkey])?.readUInt32BE(0)
  if (occupant !== undefined && occupant !== page.id) {
    const other = loadPage(tables, occupant)
    if (other !== undefined) unpublishPage(context, other)
  }
  page.namespace = namespace
  page.dbkey = dbkey
  page.untitled = false
}

function followsLatest(page: PageState, added: readonly NewRevision[]): boolean {
  const first = added[0]
  if (first === undefined) return true
  const { latestTimestamp, latestId } = page
  return first.timestamp > latestTimestamp || (first.timestamp === latestTimestamp && first.id > latestId)
}

function appendRevisions(context: WriteContext, page: PageState, added: readonly NewRevision[]): void {
  if (added.length === 0) return
  const { tables } = context
  const walk = new HistoryWalk((id, child) => findEarlierSize(tables, page.id, id, child))
  // A new page has no rows: spare the range, which costs as much as the rest of the lookups.
  if (!page.isNew) for (const link of lastLinks(tables, page.id, REVERT_RADIUS)) walk.skip(link)
  const rows: HistoryRow[] = []
  for (const revision of added) {
    const derived = walk.step({ ...revision.row, id: revision.id, timestamp: revision.timestamp })
    const row = deriveRow(revision, derived)
    putRevision(tables, page.id, revision, row)
    countRevision(page.counts, row)
    rows.push(row)
  }
  countEditors(tables, page, rows)
  appendTexts(tables, page, added)
}

function insertRevisions(
  context: WriteContext,
  page: PageState,
  added: readonly NewRevision[],
  changed: readonly IncomingRevision[],
): void {
  const { tables } = context
  const older = added.filter((revision) => !followsLatest(page, [revision]))
  const newer = added.slice(older.length)
  for (const revision of added) {
    putRevision(tables, page.id, revision, deriveRow(revision, { delta: undefined, reverted: false }))
  }
  insertTexts(tables, older)
  if (newer.length > 0) appendTexts(tables, page, newer)
  for (const revision of changed) updateVisibility(context, page, revision)
  relinkHistory(tables, page)
}

/** The target that the source states for the latest revision, or else what the latest text says. */
function findRedirect(page: PageState, incoming: IncomingPage): string | undefined {
  const hasLatest = incoming.revisions.some((revision) => revision.id === page.latestId)
  if (hasLatest && incoming.redirectTarget !== undefined) return incoming.redirectTarget ?? undefined
  if (page.latestModel !== 'wikitext' || page.latestText === undefined) return undefined
  return redirectTarget(page.latestText.string)
}
