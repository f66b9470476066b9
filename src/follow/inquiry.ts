/**
 * Asks a wiki how the places of a change set are now. An answer may raise questions: who has the title now, and which
 * revisions lie between? A few rounds settle all.
 */
import { FILE } from '../domain/namespaceIds.js'
import { titleId } from '../domain/title.js'
import type { Store } from '../storage/store.js'
import type { MirrorReader, RevisionPlace } from '../storage/upstream/mirrorReader.js'
import type { MissingTitle, PageFacts, RevisionFacts } from './api/answers.js'
import { parts } from './api/requests.js'
import type { Upstream } from './api/upstream.js'
import type { ChangeSet, PageChange } from './changeSet.js'
import { isRevisionOther } from './compare.js'
import type { Cursor } from './cursor.js'

/** The next inquiry settles the rest. */
const MOST_ROUNDS = 10
/** Texts that one inquiry holds until they are written; those of further revisions are fetched batch by batch. */
const MOST_TEXT_LENGTH = 4 * 2 ** 20
/** Revisions of histories that one inquiry brings: the rest comes with the next. */
const MOST_REVISIONS = 5000
/** Revisions that are remembered, so that the history of each is asked for once. */
const MOST_ASKED = 100_000
/** In larger mirrors, names that a block hid or shows again are left to the sweep. */
const MOST_REVISIONS_TO_WALK = 1_000_000
/** Age in seconds from which answers are believed: replicas lag by seconds. */
const BELIEVED_AFTER = 60

const HISTORY_START: RevisionPlace = { timestamp: 0, id: 0 }
const HISTORY_END: RevisionPlace = { timestamp: 0xffffffff, id: 0xffffffff }

export interface InquiryTools {
  readonly upstream: Upstream
  readonly store: Pick<Store, 'counters'>
  readonly mirror: MirrorReader
  readonly cursor: Cursor
  readonly memory: InquiryMemory
}

/** What inquiries leave for those after them. */
export interface InquiryMemory {
  /** Revisions for whose unknown parents a history was asked for. */
  readonly asked: Set<number>
  /** Where the comparison of a long history goes on: by page. */
  readonly histories: Map<number, { readonly next: string; readonly after: RevisionPlace }>
}

export interface InquiryOptions {
  /** False: unknown parents of revisions are left for others to bring. */
  readonly fillsGaps?: boolean
  /** Latest revisions with higher ids are left to later changes, of pages that were only edited. */
  readonly newestId?: number
}

/** True for a time so near that a lagging replica may not know of it. */
export const isYoung = ({ client }: Upstream, time: number): boolean =>
  time > 0 && time + BELIEVED_AFTER > client.time

export class Inquiry {
  /** The places to look at. Answers add to them. */
  readonly changes: ChangeSet
  readonly found = new Map<number, PageFacts>()
  readonly missing = new Set<number>()
  readonly revisions = new Map<number, RevisionFacts>()
  /** Revisions that are not there any more. */
  readonly lost = new Set<number>()
  /** Titles with and without pages, for their protection. */
  readonly protections = new Map<string, MissingTitle>()
  /** Where a lagging replica may have answered. The next poll looks there again, and nothing is written. */
  readonly doubts = { pages: new Set<number>(), revisions: new Set<number>() }
  /** Histories were too long to compare at once: another inquiry finds more. */
  isUnfinished = false
  readonly #tools: InquiryTools
  /** Revisions up to this id need not be in the mirror. */
  readonly #floor: number
  readonly #fillsGaps: boolean
  readonly #newestId: number
  readonly #titles = new Map<string, number>()
  readonly #asked = {
    titles: new Set<string>(),
    pages: new Set<number>(),
    revisions: new Set<number>(),
    histories: new Set<number>(),
  }
  #textLength = 0

  constructor(
    changes: ChangeSet,
    tools: InquiryTools,
    { fillsGaps = true, newestId = Infinity }: InquiryOptions,
  ) {
    this.changes = changes.copy()
    this.#tools = tools
    this.#floor = tools.cursor.position.floor
    this.#fillsGaps = fillsGaps
    this.#newestId = newestId
  }

  /** Asks until nothing is open. */
  async run(): Promise<void> {
    this.#lookAtNames()
    for (let n = 0; n < MOST_ROUNDS; n++) {
      const titles = await this.#askTitles()
      // Their pages come with them.
      const revisions = await this.#askRevisions()
      const pages = await this.#askPages()
      const histories = await this.#askHistories()
      if (!titles && !pages && !revisions && !histories) return
    }
  }

  /** False for a revision that the mirror leaves out, since it is older than the mirror. */
  isKept({ id }: RevisionFacts, latestId: number | undefined): boolean {
    return id > this.#floor || id === latestId
  }

  /** The mirror has no list of the revisions of a name: it finds them by a walk over all pages. */
  #lookAtNames(): void {
    const { mirror, store } = this.#tools
    const { users, unblocked } = this.changes
    const isSmall = store.counters().revisions <= MOST_REVISIONS_TO_WALK
    const names = isSmall ? [...users, ...unblocked] : users
    for (const name of names) for (const id of mirror.revisionsBy(name)) this.changes.revision(id)
  }

  // -- Titles and pages ------------------------------------------------------------------------------------------

  async #askTitles(): Promise<boolean> {
    const { mirror, upstream } = this.#tools
    const { titles } = this.changes
    const open = unasked(titles.keys(), this.#asked.titles).map((id) => titles.get(id)!.title)
    if (open.length === 0) return false
    // The page that has the title here may have another one there.
    for (const title of open) this.changes.page(mirror.pageWithTitle(title) ?? 0)
    const { found, missing } = await upstream.pagesByTitle(open)
    for (const facts of found) {
      this.changes.page(facts.id, { history: titles.get(titleId(facts.title))?.history ?? false })
      this.#takePage(facts)
    }
    for (const title of missing) this.protections.set(titleId(title.title), title)
    return true
  }

  async #askPages(): Promise<boolean> {
    // A page whose title has no place here is neither found nor missing, and stays as it is.
    const open = unasked(
      [...this.changes.pages.keys()].filter((id) => !this.found.has(id)),
      this.#asked.pages,
    )
    if (open.length === 0) return false
    const { found, missing } = await this.#tools.upstream.pagesById(open)
    for (const facts of found) this.#takePage(facts)
    for (const id of missing) this.#takeAbsence(id)
    return true
  }

  #takePage(facts: PageFacts): void {
    const { id, title, latestId } = facts
    const { mirror } = this.#tools
    const change = this.changes.pages.get(id)
    if (change !== undefined && this.#doubtsPage(facts, change)) {
      this.doubts.pages.add(id)
      return
    }
    // Two pages of one title: the first answer is older, and the page is asked for again.
    const rival = this.#titles.get(titleId(title))
    if (rival !== undefined && rival !== id && this.found.delete(rival)) {
      this.#asked.pages.delete(rival)
      this.doubts.pages.add(rival)
    }
    this.#titles.set(titleId(title), id)
    this.found.set(id, facts)
    this.missing.delete(id)
    this.doubts.pages.delete(id)
    this.protections.set(titleId(title), facts)
    const holder = mirror.pageWithTitle(title)
    if (holder !== undefined && holder !== id) this.changes.page(holder)
    const before = mirror.page(id)?.title
    if (before === undefined || titleId(before) !== titleId(title)) {
      this.changes.title(before)
      // A file goes with its page.
      if (title.namespace === FILE) this.changes.title(title)
    }
    const isWanted = latestId <= this.#newestId || change?.wantsLatest !== false
    if (isWanted && mirror.revision(latestId)?.pageId !== id) this.changes.revision(latestId)
  }

  #takeAbsence(id: number): void {
    if (this.#doubtsAbsence(id, this.changes.pages.get(id)!)) {
      this.doubts.pages.add(id)
      return
    }
    this.missing.add(id)
    this.changes.title(this.#tools.mirror.page(id)?.title)
  }

  // -- Doubts: a lagging replica's answer is older than the row that led to it, or than what the mirror has -------

  #doubtsPage({ id, latestId }: PageFacts, { newestRevision, stated }: PageChange): boolean {
    if (latestId < newestRevision && this.#isYoung(stated)) return true
    const known = this.#tools.mirror.page(id)
    return known !== undefined && latestId < known.latestId && this.#isRevisionYoung(known.latestId)
  }

  #doubtsAbsence(pageId: number, { isDeleted, stated }: PageChange): boolean {
    if (isDeleted) return false
    const known = this.#tools.mirror.page(pageId)
    return this.#isYoung(stated) || (known !== undefined && this.#isRevisionYoung(known.latestId))
  }

  #isYoung(time: number): boolean {
    return isYoung(this.#tools.upstream, time)
  }

  #isRevisionYoung(id: number): boolean {
    return this.#isYoung(this.#tools.mirror.revision(id)?.timestamp ?? 0)
  }

  // -- Revisions -------------------------------------------------------------------------------------------------

  async #askRevisions(): Promise<boolean> {
    const { mirror, upstream } = this.#tools
    const open = unasked(this.changes.revisions.keys(), this.#asked.revisions)
    const isNew = (id: number): boolean => mirror.revision(id) === undefined
    const [added, known] = [open.filter(isNew), open.filter((id) => !isNew(id))]
    for (const some of parts(added, upstream.atOnce))
      // Texts of new revisions come with them, while there is room for them.
      await this.#askSomeRevisions(some, this.#textLength < MOST_TEXT_LENGTH)
    for (const some of parts(known, upstream.atOnce)) await this.#askSomeRevisions(some, false)
    return open.length > 0
  }

  async #askSomeRevisions(ids: readonly number[], withTexts: boolean): Promise<void> {
    const { found, pages, missing } = await this.#tools.upstream.revisionsById(ids, withTexts)
    for (const facts of found) {
      this.#textLength += facts.text?.length ?? 0
      this.#takeRevision(facts)
    }
    for (const facts of pages) {
      this.#asked.pages.add(facts.id)
      this.#takePage(facts)
    }
    for (const id of missing) this.#takeLoss(id)
  }

  #takeLoss(id: number): void {
    const { timestamp: known = 0, pageId = 0 } = this.#tools.mirror.revision(id) ?? {}
    this.changes.page(pageId)
    const isDoubted = this.#isYoung(Math.max(known, this.changes.revisions.get(id) ?? 0))
    ;(isDoubted ? this.doubts.revisions : this.lost).add(id)
  }

  #takeRevision(facts: RevisionFacts): void {
    this.revisions.set(facts.id, facts)
    this.changes.page(facts.pageId, { wantsLatest: !this.changes.pages.has(facts.pageId) })
    const holder = this.#tools.mirror.revision(facts.id)?.pageId
    if (holder !== undefined && holder !== facts.pageId) this.changes.page(holder)
  }

  // -- Histories -------------------------------------------------------------------------------------------------

  async #askHistories(): Promise<boolean> {
    let asked = false
    for (const [id, { history }] of this.changes.pages) {
      if (!history || this.#asked.histories.has(id) || !this.found.has(id)) continue
      this.#asked.histories.add(id)
      await this.#compareHistory(id)
      asked = true
    }
    for (const id of this.#pagesWithGaps()) {
      const listed = await this.#newestOf(id)
      this.#doubtOlder(id, listed)
      for (const facts of listed.values()) if (this.#isOther(facts)) this.#takeRevision(facts)
      asked = true
    }
    return asked
  }

  /** Compares a whole history, part by part, so that memory does not grow with its length. */
  async #compareHistory(pageId: number): Promise<void> {
    const { upstream, mirror, memory } = this.#tools
    let { next, after = HISTORY_START }: { next?: string | undefined; after?: RevisionPlace } =
      memory.histories.get(pageId) ?? {}
    memory.histories.delete(pageId)
    const stated: RevisionFacts[] = []
    do {
      const { items, next: following } = await upstream.history(pageId, 'newer', next)
      const until = (following === undefined ? undefined : items.at(-1)) ?? HISTORY_END
      const listed = new Set(items.map(({ id }) => id))
      // Others are gone, or belong to another page: the answer to each tells.
      for (const id of mirror.historyIds(pageId, after, until)) if (!listed.has(id)) this.changes.revision(id)
      stated.push(...items.filter((facts) => this.#isOther(facts)))
      next = following
      after = until
    } while (next !== undefined && stated.length < MOST_REVISIONS)
    if (next !== undefined) memory.histories.set(pageId, { next, after })
    this.isUnfinished ||= next !== undefined
    for (const facts of stated) {
      this.#asked.revisions.add(facts.id)
      this.#takeRevision(facts)
    }
  }

  /** The newest revisions of a page, back to the first part of the list that leaves no parent unknown. */
  async #newestOf(pageId: number): Promise<ReadonlyMap<number, RevisionFacts>> {
    const listed = new Map<number, RevisionFacts>()
    for (let next: string | undefined; ;) {
      const part = await this.#tools.upstream.history(pageId, 'older', next)
      for (const facts of part.items) listed.set(facts.id, facts)
      const hasGap = [...listed.values()].some(
        ({ parentId }) => !listed.has(parentId) && this.#isGap(parentId),
      )
      if (part.next === undefined || !hasGap || listed.size >= MOST_REVISIONS) return listed
      next = part.next
    }
  }

  /** A list without a revision that is there came from a replica that lags: the gap may be in it. */
  #doubtOlder(ofPage: number, listed: ReadonlyMap<number, RevisionFacts>): void {
    for (const { id, pageId, parentId } of this.revisions.values()) {
      if (pageId !== ofPage || listed.has(id) || !this.#isGap(parentId)) continue
      this.#tools.memory.asked.delete(id)
      if (this.#isYoung(this.changes.revisions.get(id) ?? 0)) this.doubts.revisions.add(id)
    }
  }

  /** Pages that get a revision whose parent is unknown: rows of changes may vanish. */
  #pagesWithGaps(): Set<number> {
    const pages = new Set<number>()
    for (const { id, parentId, pageId } of this.revisions.values()) {
      if (parentId === 0 || this.revisions.has(parentId) || this.#asked.histories.has(pageId)) continue
      if (!this.found.has(pageId) || this.#tools.mirror.revision(id) !== undefined) continue
      if (this.#isGap(parentId) && this.#mayAsk(id)) pages.add(pageId)
    }
    return pages
  }

  /** True for a revision that the mirror should have and lacks. */
  #isGap(id: number): boolean {
    return this.#fillsGaps && id > this.#floor && this.#tools.mirror.revision(id) === undefined
  }

  /** True once for each revision. */
  #mayAsk(revisionId: number): boolean {
    const { asked } = this.#tools.memory
    if (asked.has(revisionId)) return false
    if (asked.size >= MOST_ASKED) asked.clear()
    asked.add(revisionId)
    return true
  }

  /** True for a revision that the mirror lacks, has elsewhere, or shows in another way. */
  #isOther(facts: RevisionFacts): boolean {
    const known = this.#tools.mirror.revision(facts.id)
    return known === undefined
      ? this.isKept(facts, this.found.get(facts.pageId)?.latestId)
      : isRevisionOther(known, facts)
  }
}

/** The ids that were not asked for. They count as asked for from now on. */
function unasked<Id>(ids: Iterable<Id>, asked: Set<Id>): Id[] {
  const open = [...ids].filter((id) => !asked.has(id))
  for (const id of open) asked.add(id)
  return open
}
