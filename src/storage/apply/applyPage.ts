/**
 * Writes a page with some of its revisions. These may be a new page, new revisions, a new title, or revisions whose
 * visibility changed. It skips everything that the store has, so the same page twice has no further effect.
 *
 * Pages and revisions made here keep their ids and titles, and so do those that came earlier from the same source. An
 * incoming page that would take one away is left out.
 *
 *     revisions that all follow the latest one  →  appended: their facts follow from the last rows
 *     any other                                 →  put in their places, then the history is walked again
 */
import { sameTitle } from '../../domain/title.js'
import type { IncomingPage } from '../../domain/page.js'
import type { IncomingRevision } from '../../domain/revision.js'
import type { PageOutcome, Rival } from '../entries/entries.js'
import { withoutErased } from '../pages/erased.js'
import { raiseTally } from '../tables/meta.js'
import { dropRendering } from '../html/renderings.js'
import type { Tables } from '../tables/tables.js'
import { appendRevisions, appendTexts, followsLatest, insertTexts } from './appendRevisions.js'
import type { WriteContext } from './writeContext.js'
import { isPageMadeHere, isRevisionMadeHere } from '../pages/history.js'
import {
  dropTitle,
  dropUses,
  loadPage,
  newPage,
  type PageState,
  redirectInText,
  requirePage,
  savePage,
  unpublishPage,
  occupantOf,
} from './pageState.js'
import { relinkHistory } from './relink.js'
import { deriveRow, hasWrongSha1, type NewRevision, prepareRevision, putRevision } from './revisionRows.js'
import { type SortedRevisions, sortRevisions } from './sortRevisions.js'
import { updateVisibility } from './visibility.js'

/** `hasCome` tells which pages came earlier from the same source. They lose neither id nor title. */
export function applyPage(
  context: WriteContext,
  given: IncomingPage,
  hasCome: (pageId: number) => boolean = () => false,
): PageOutcome {
  const { tables } = context
  const incoming = context.hasErased ? withoutErased(tables, given) : given
  if (incoming === undefined) return NOTHING_DONE
  const sorted = sortRevisions(tables, incoming)
  const { fresh, known, changed, taken } = sorted
  const before = loadPage(tables, incoming.id)
  const renamed = before !== undefined && (before.untitled || !sameTitle(before, incoming))
  const outcome = outcomeOf(tables, sorted, { isNew: before === undefined, renamed })
  if (fresh.length + changed.length === 0 && !renamed) return outcome
  if (before === undefined && fresh.length === 0) return outcome

  const occupant = before === undefined || renamed ? occupantOf(tables, incoming) : undefined
  const rival = findRival(context, incoming, { before, occupant, known, hasCome })
  if (rival !== undefined) return { ...NOTHING_DONE, rival }
  const added = prepareRevisions(context, incoming.id, fresh)
  const page = before ?? newPage(incoming.id, incoming.namespace, incoming.dbkey)
  const isNewTitle = page.untitled || renamed
  if (isNewTitle) takeTitle(context, page, incoming, occupant)
  const redirectBefore = page.redirectTarget !== undefined
  const textBefore = page.latestText
  if (changed.length === 0 && followsLatest(page, added)) appendRevisions(context, page, added)
  else insertRevisions(context, page, added, changed)
  if (page.latestText !== textBefore || renamed) page.redirectTarget = findRedirect(page, incoming, taken)
  context.counters.revisions += added.length
  context.counters.redirects += Number(page.redirectTarget !== undefined) - Number(redirectBefore)
  savePage(context, page)
  const latestChanged = changed.some(({ id }) => id === page.latestId)
  if (isNewTitle) dropUses(context, page, 'existence')
  else if (page.latestText !== textBefore || latestChanged) dropUses(context, page, 'content')
  if (changed.length > 0) dropShown(context, changed)
  return { ...outcome, wrongSha1: added.filter(hasWrongSha1).map(({ id }) => id) }
}

function outcomeOf(
  tables: Tables,
  { fresh, changed, foreign, taken }: SortedRevisions,
  { isNew, renamed }: { readonly isNew: boolean; readonly renamed: boolean },
): PageOutcome {
  return {
    newPage: isNew && fresh.length > 0,
    addedRevisions: fresh.length,
    changedRevisions: changed.length,
    renamed,
    foreignRevisions: foreign,
    takenRevisions: taken.map((id) => ({ id, madeHere: isRevisionMadeHere(tables, id) })),
    rival: undefined,
    wrongSha1: [],
  }
}

export const NOTHING_DONE: PageOutcome = {
  newPage: false,
  addedRevisions: 0,
  changedRevisions: 0,
  renamed: false,
  foreignRevisions: [],
  takenRevisions: [],
  rival: undefined,
  wrongSha1: [],
}

/** Drops the HTML of revisions that now show or hide other parts, since it may name their users. */
function dropShown({ tables, hasRenderings }: WriteContext, changed: readonly IncomingRevision[]): void {
  raiseTally(tables, 'visibility')
  if (hasRenderings) for (const { id } of changed) dropRendering(tables, id)
}

/** The incoming revisions, ready to be written, in the order of the history. */
function prepareRevisions(
  context: WriteContext,
  pageId: number,
  incoming: readonly IncomingRevision[],
): NewRevision[] {
  for (const { id } of incoming) context.noteIds(pageId, id)
  const added = incoming.map((revision) => prepareRevision(context, revision))
  return added.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
}

/** What the store already has for an incoming page. */
interface Meeting {
  /** The page with its id. */
  readonly before: PageState | undefined
  /** Id of the page with its title. */
  readonly occupant: number | undefined
  readonly known: readonly IncomingRevision[]
  readonly hasCome: (pageId: number) => boolean
}

/** The page that would lose its id or title to the incoming page, but may not. */
function findRival(
  { tables }: WriteContext,
  incoming: IncomingPage,
  { before, occupant, known, hasCome }: Meeting,
): Rival | undefined {
  const holder = (page: PageState, shares: Rival['shares'], madeHere: boolean): Rival => {
    const { id, namespace, dbkey } = page
    return { id, namespace, dbkey, shares, madeHere }
  }
  if (before !== undefined && !sameTitle(before, incoming)) {
    if (hasCome(before.id)) return holder(before, 'id', false)
    // A dump of latest revisions only may hold none of the page's stored revisions, and still rename it.
    if (known.length === 0 && isPageMadeHere(tables, before.id)) return holder(before, 'id', true)
  }
  if (occupant === undefined || occupant === incoming.id) return undefined
  if (hasCome(occupant)) return holder(requirePage(tables, occupant), 'title', false)
  return isPageMadeHere(tables, occupant) ? holder(requirePage(tables, occupant), 'title', true) : undefined
}

/** Gives the page its title, and takes it from the page that has it now. */
function takeTitle(
  context: WriteContext,
  page: PageState,
  incoming: IncomingPage,
  occupant: number | undefined,
): void {
  const { tables, counters } = context
  const { namespace, dbkey } = incoming
  if (page.untitled) {
    counters.pages++
    counters.revisions += page.counts.revisions
    if (page.redirectTarget !== undefined) counters.redirects++
    // A page without a title has its latest text in `text`; with a title, in the title row.
    if (page.latestText !== undefined) tables.text.removeSync(page.latestId)
  } else {
    tables.title.removeSync([page.namespace, page.dbkey])
    dropTitle(context, page)
  }
  if (occupant !== undefined && occupant !== page.id) unpublishPage(context, requirePage(tables, occupant))
  page.namespace = namespace
  page.dbkey = dbkey
  page.untitled = false
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

/** The redirect target that the source states for the latest revision, or else that of the latest text. */
function findRedirect(page: PageState, incoming: IncomingPage, taken: readonly number[]): string | undefined {
  const { latestId } = page
  const hasLatest = incoming.revisions.some(({ id }) => id === latestId) && !taken.includes(latestId)
  if (hasLatest && incoming.redirectTarget !== undefined) return incoming.redirectTarget ?? undefined
  return redirectInText(page)
}
