/**
 * Makes the pages of the store equal to the states of a batch. The order keeps each state out of the way of the others:
 *
 *     1  revisions that belong to another page now are taken out, into memory
 *     2  pages and revisions that are gone are removed
 *     3  pages let go the titles that they lose, and those that others get
 *     4  each page gets its title and its revisions
 *     5  pages whose histories were taken apart are closed; those without revisions go
 */
import { FILE } from '../../../domain/namespaceIds.js'
import {
  type PresentPage,
  presentPages,
  type UpstreamPage,
  type UpstreamRevision,
} from '../../../domain/upstream.js'
import type { FollowCounts } from '../../entries/entries.js'
import { decodePageRow, type HistoryRow, revisionPageId } from '../../rows/rows.js'
import { readTextBytes } from '../../pages/texts.js'
import { appendRevisions, followsLatest, insertTexts } from '../appendRevisions.js'
import type { WriteContext } from '../writeContext.js'
import {
  dropUses,
  loadPage,
  newPage,
  type PageState,
  requirePage,
  savePage,
  unpublishPage,
  occupantOf,
} from '../pageState.js'
import {
  deriveRow,
  type NewRevision,
  prepareRevision,
  putRevision,
  requireHistoryRow,
} from '../revisionRows.js'
import type { BatchTexts } from './batchTexts.js'
import { forgetFileName } from './mirrorFacts.js'
import {
  forgetPage,
  forgetRendering,
  forgetRevision,
  forgetRow,
  forgetText,
  type Place,
} from './forgetPage.js'
import { closePage, moveTotals, NO_TOTALS, openPage, type OpenPage, placeIn, totalsOf } from './openPage.js'
import { showRevision, type Shown, showsOther } from './showRevision.js'
import { hash } from 'node:crypto'
import type { Tables } from '../../tables/tables.js'

export type MutableCounts = { -readonly [Name in keyof FollowCounts]: FollowCounts[Name] }

/** A revision on its way from one page to another. */
interface Detached {
  readonly id: number
  readonly timestamp: number
  readonly row: HistoryRow
  readonly text: { readonly utf8: Buffer } | undefined
}

export class MirrorPages {
  /** True if anything but new revisions at the ends of histories was written. */
  changesPast = false
  readonly #context: WriteContext
  readonly #texts: BatchTexts
  readonly #counts: MutableCounts
  readonly #open = new Map<number, OpenPage>()
  /** Pages that lost their titles, and may have got others since. */
  readonly #titleless = new Set<number>()
  /** Revisions on their way, by the page that gets them. */
  readonly #detached = new Map<number, Detached[]>()

  constructor(context: WriteContext, texts: BatchTexts, counts: MutableCounts) {
    this.#context = context
    this.#texts = texts
    this.#counts = counts
  }

  /** `time` is that of the entry. */
  write(pages: readonly UpstreamPage[], time: number): void {
    const present = presentPages(pages)
    for (const page of present) this.#takeOut(page)
    for (const page of pages) if ('gone' in page) this.#removePage(page.id)
    for (const page of present) for (const id of page.remove) this.#removeRevision(page.id, id)
    const written = present.filter((page) => this.#exists(page))
    for (const page of written) this.#letGoOldTitle(page)
    for (const page of written) this.#freeTitle(page)
    for (const page of written) this.#writePage(page)
    const states = new Map(written.map((page) => [page.id, page]))
    for (const [id, open] of this.#open) {
      const end = closePage(this.#context, open, { stated: states.get(id), time })
      if (end === 'gone') this.#counts.pagesRemoved++
    }
    for (const id of this.#titleless) if (!this.#hasTitle(id)) this.#context.indexing.pageGone(id)
  }

  #hasTitle(pageId: number): boolean {
    const row = this.#context.tables.page.getBinaryFast(pageId)
    return row !== undefined && !decodePageRow(row).deleted
  }

  /** Takes out revisions of other pages, and removes revisions that only share an id with an incoming one. */
  #takeOut({ id: pageId, take, add }: PresentPage): void {
    const { tables } = this.#context
    for (const id of take) {
      const rev = tables.rev.getBinaryFast(id)
      const from = rev === undefined ? pageId : revisionPageId(rev)
      if (from !== pageId) this.#detach(placeIn(tables, from, id)!, pageId)
    }
    for (const revision of add) {
      const rev = tables.rev.getBinaryFast(revision.id)
      if (rev === undefined) continue
      const place = placeIn(tables, revisionPageId(rev), revision.id)!
      if (place.pageId !== pageId || !isSameRevision(tables, place, revision, this.#texts))
        this.#removeRevision(place.pageId, revision.id)
    }
  }

  #detach(place: Place, toPageId: number): void {
    const { tables } = this.#context
    const { id, timestamp, pageId } = place
    this.#openPage(pageId)
    const utf8 = readTextBytes(tables, id)
    const row = requireHistoryRow(tables, pageId, timestamp, id)
    forgetText(tables, place)
    forgetRow(this.#context, place)
    forgetRendering(this.#context, id)
    const detached = this.#detached.get(toPageId) ?? []
    detached.push({ id, timestamp, row, text: utf8 && { utf8 } })
    this.#detached.set(toPageId, detached)
    this.#counts.revisionsMoved++
  }

  #removePage(pageId: number): void {
    const open = this.#open.get(pageId)
    const page = open?.page ?? loadPage(this.#context.tables, pageId)
    if (page === undefined) return
    moveTotals(this.#context, open?.totals ?? totalsOf(page), NO_TOTALS)
    this.#counts.revisionsRemoved += forgetPage(this.#context, page)
    if (page.namespace === FILE && !page.untitled) forgetFileName(this.#context, page.dbkey)
    this.#counts.pagesRemoved++
    this.#open.delete(pageId)
    this.changesPast = true
  }

  #removeRevision(pageId: number, id: number): void {
    const place = placeIn(this.#context.tables, pageId, id)
    if (place === undefined) return
    this.#openPage(pageId)
    forgetRevision(this.#context, place)
    this.#counts.revisionsRemoved++
  }

  #openPage(pageId: number, loaded?: PageState): PageState {
    const known = this.#open.get(pageId)
    if (known !== undefined) return known.page
    const page = loaded ?? requirePage(this.#context.tables, pageId)
    this.#open.set(pageId, openPage(this.#context, page))
    this.changesPast = true
    return page
  }

  /** Tells if the store has the page, or gets revisions of it. */
  #exists({ id, add }: PresentPage): boolean {
    return add.length > 0 || this.#detached.has(id) || this.#context.tables.page.doesExist(id)
  }

  #letGoOldTitle({ id, namespace, dbkey }: PresentPage): void {
    const row = this.#context.tables.page.getBinaryFast(id)
    const page = row && decodePageRow(row)
    if (page === undefined || page.deleted) return
    if (page.namespace !== namespace || page.dbkey !== dbkey) this.#unpublish(id)
  }

  #freeTitle(page: PresentPage): void {
    const occupant = occupantOf(this.#context.tables, page)
    if (occupant !== undefined && occupant !== page.id) this.#unpublish(occupant)
  }

  #unpublish(pageId: number): void {
    const open = this.#open.get(pageId)
    const page = open?.page ?? requirePage(this.#context.tables, pageId)
    unpublishPage(this.#context, page, { staysIndexed: true })
    this.#titleless.add(pageId)
    if (open !== undefined) open.totals = NO_TOTALS
    this.changesPast = true
  }

  #writePage(state: PresentPage): void {
    const { tables } = this.#context
    const { id } = state
    const page = this.#open.get(id)?.page ?? loadPage(tables, id) ?? newPage(id, state.namespace, state.dbkey)
    this.#countPage(page)
    const detached = this.#detached.get(id)
    if (detached !== undefined) this.#insertDetached(this.#openPage(id, page), detached)
    const added = this.#prepareAdded(state)
    const changes = page.isNew && detached === undefined ? [] : listChanges(tables, state, this.#texts)
    if (!this.#open.has(id) && changes.length === 0) {
      const latestId = this.#statedLatest(state, added) ?? added.at(-1)?.id ?? page.latestId
      if (added.length === 0 && !page.untitled && !this.#countChange(page, state, latestId)) return
      if (canAppend(page, latestId, added)) return this.#append(page, state, added)
    }
    this.#openPage(id, page)
    for (const { place, shown } of changes) showRevision(this.#context, place, shown)
    this.#counts.revisionsChanged += changes.length
    for (const revision of added) {
      putRevision(tables, id, revision, deriveRow(revision, { delta: undefined, reverted: false }))
    }
    insertTexts(tables, added)
    giveTitle(page, state)
  }

  /** The latest revision as stated; undefined if the page does not have it. */
  #statedLatest({ id: pageId, latestId }: PresentPage, added: readonly NewRevision[]): number | undefined {
    const isKnown =
      added.some(({ id }) => id === latestId) || placeIn(this.#context.tables, pageId, latestId) !== undefined
    return isKnown ? latestId : undefined
  }

  /** False if a page that has all its revisions and its title is as stated. */
  #countChange(page: PageState, { redirectTarget }: PresentPage, latestId: number): boolean {
    if (page.latestId === latestId && (page.redirectTarget ?? null) === redirectTarget) return false
    this.#counts.pagesChanged++
    this.changesPast = true
    return true
  }

  /** A page without a title gets one again, or is new. */
  #countPage(page: PageState): void {
    if (page.isNew) this.#counts.pagesAdded++
    else if (page.untitled) this.#counts.pagesChanged++
  }

  #prepareAdded({ id: pageId, add }: PresentPage): NewRevision[] {
    const { tables } = this.#context
    const fresh = add.filter(({ id }) => !tables.rev.doesExist(id))
    for (const { id } of fresh) this.#context.noteIds(pageId, id)
    this.#counts.revisionsAdded += fresh.length
    return fresh
      .map((revision) => prepareRevision(this.#context, revision, this.#texts.of(revision)))
      .sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  }

  #insertDetached(page: PageState, detached: readonly Detached[]): void {
    const { tables } = this.#context
    const sorted = [...detached].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    for (const revision of sorted) {
      this.#context.noteIds(page.id, revision.id)
      putRevision(tables, page.id, revision, revision.row)
    }
    insertTexts(tables, sorted)
  }

  /** The quick way, for edits, new pages and moves. */
  #append(page: PageState, state: PresentPage, added: readonly NewRevision[]): void {
    const isNewTitle = page.untitled
    const before = totalsOf(page)
    // A page without a title has its latest text in `text`; with a title, in the title row.
    if (isNewTitle && page.latestText !== undefined) this.#context.tables.text.removeSync(page.latestId)
    giveTitle(page, state)
    appendRevisions(this.#context, page, added)
    page.redirectTarget = state.redirectTarget ?? undefined
    moveTotals(this.#context, before, totalsOf(page))
    savePage(this.#context, page)
    dropUses(this.#context, page, isNewTitle ? 'existence' : 'content')
  }
}

/** Tells if revisions can go to the end of a page's history, and the last one is its latest then. */
function canAppend(page: PageState, latestId: number, added: readonly NewRevision[]): boolean {
  const isLast = latestId === (added.at(-1)?.id ?? page.latestId)
  return page.latestIsNewest && isLast && followsLatest(page, added)
}

function giveTitle(page: PageState, { namespace, dbkey }: PresentPage): void {
  page.namespace = namespace
  page.dbkey = dbkey
  page.untitled = false
}

// Finds the revisions of a page that look other than a state says.

interface Change {
  readonly place: Place
  readonly shown: Shown
}

/** Only revisions of the page count; also those that the state adds, but the store has. */
function listChanges(tables: Tables, { id: pageId, add, change }: PresentPage, texts: BatchTexts): Change[] {
  const states: { readonly id: number; readonly shown: () => Shown }[] = [
    ...add.map((revision) => ({ id: revision.id, shown: () => shownByAdded(revision, texts) })),
    ...change.map(({ id, editor, comment, isTextShown, text }) => {
      const shownText = text === undefined ? ('known' as const) : Buffer.from(text)
      return { id, shown: () => ({ editor, comment, text: isTextShown ? shownText : undefined }) }
    }),
  ]
  const changes: Change[] = []
  for (const { id, shown } of states) {
    const place = placeIn(tables, pageId, id)
    if (place === undefined) continue
    const parts = shown()
    if (showsOther(tables, place, parts)) changes.push({ place, shown: parts })
  }
  return changes
}

function shownByAdded(revision: UpstreamRevision, texts: BatchTexts): Shown {
  const { editor, comment } = revision
  return { editor, comment, text: texts.of(revision)?.utf8 }
}

/**
 * Tells if a stored revision is the incoming one with the same id: it has the same time, and the same text if both
 * sides have it.
 */
function isSameRevision(
  tables: Tables,
  { pageId, timestamp, id }: Place,
  incoming: UpstreamRevision,
  texts: BatchTexts,
): boolean {
  if (incoming.timestamp !== timestamp) return false
  const text = texts.of(incoming)?.utf8
  if (text === undefined) return true
  const row = requireHistoryRow(tables, pageId, timestamp, id)
  if (row.textHidden) return readTextBytes(tables, id)?.equals(text) ?? true
  return hash('sha1', text, 'buffer').equals(row.sha1)
}
