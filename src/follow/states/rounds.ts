/** The questions that places to look at raise, and those that their answers raise, in rounds. */
import { FILE } from '../../domain/namespaceIds.js'
import { titleId } from '../../domain/title.js'
import type { PageFacts, RevisionFacts } from '../api/answers.js'
import type { Upstream } from '../api/upstream.js'
import type { Look } from '../changes/look.js'
import type { Mirror } from '../mirror.js'
import { type Answers, noAnswers } from './answers.js'
import { showsOther } from './compare.js'
import { Judge } from './doubts.js'
import type { Histories } from './histories.js'

export interface RoundTools {
  readonly histories: Histories
  /** True for the id of a revision that the mirror should have and lacks. */
  readonly isGap: (revisionId: number) => boolean
  /** False for a revision that the mirror leaves out, since it is older than the mirror. */
  readonly isKept: (facts: RevisionFacts, latestId: number | undefined) => boolean
  readonly mayAsk: (revisionId: number) => boolean
  /** Latest revisions with higher ids are left to later changes, of pages that were only edited. */
  readonly newestId: number
  readonly forgetAsked: (revisionId: number) => void
  readonly namesToLookAt: (look: Look) => Iterable<string>
}

/** Texts that one look holds until they are written; those of further revisions are fetched batch by batch. */
const MOST_TEXT_LENGTH = 4 * 2 ** 20

export class Rounds {
  readonly #upstream: Upstream
  readonly #mirror: Mirror
  readonly #look: Look
  readonly #tools: RoundTools
  readonly #judge: Judge
  readonly #answers: Answers = noAnswers()
  readonly #titles = new Map<string, number>()
  // What was asked.
  readonly #askedTitles = new Set<string>()
  readonly #askedPages = new Set<number>()
  readonly #askedRevisions = new Set<number>()
  readonly #askedHistories = new Set<number>()
  #textLength = 0

  constructor(upstream: Upstream, mirror: Mirror, look: Look, tools: RoundTools) {
    this.#upstream = upstream
    this.#mirror = mirror
    this.#look = look
    this.#tools = tools
    this.#judge = new Judge(mirror, () => upstream.client.time)
    for (const name of tools.namesToLookAt(look)) for (const id of mirror.revisionsBy(name)) look.revision(id)
  }

  /** Answers of the wiki so far. */
  get answers(): Answers {
    return this.#answers
  }

  /** Asks what is open. False: nothing was. */
  async next(): Promise<boolean> {
    const titles = await this.#askTitles()
    // Their pages come with them.
    const revisions = await this.#askRevisions()
    const pages = await this.#askPages()
    const histories = await this.#askHistories()
    return titles || pages || revisions || histories
  }

  async #askTitles(): Promise<boolean> {
    const open = [...this.#look.titles.values()].filter(({ title }) => !this.#askedTitles.has(titleId(title)))
    if (open.length === 0) return false
    for (const { title } of open) {
      this.#askedTitles.add(titleId(title))
      // The page that has the title here may have another one there.
      this.#look.page(this.#mirror.pageWithTitle(title) ?? 0)
    }
    const { found, missing } = await this.#upstream.pagesByTitle(open.map(({ title }) => title))
    for (const facts of found) {
      this.#look.page(facts.id, { history: this.#look.titles.get(titleId(facts.title))?.history ?? false })
      this.#takePage(facts)
    }
    for (const title of missing) this.#answers.protections.set(titleId(title.title), title)
    return true
  }

  async #askPages(): Promise<boolean> {
    const open = [...this.#look.pages.keys()].filter(
      (id) => !this.#answers.found.has(id) && !this.#askedPages.has(id),
    )
    if (open.length === 0) return false
    // A page whose title has no place here is neither found nor missing, and stays as it is.
    for (const id of open) this.#askedPages.add(id)
    const { found, missing } = await this.#upstream.pagesById(open)
    for (const facts of found) this.#takePage(facts)
    for (const id of missing) this.#takeAbsence(id)
    return true
  }

  #takePage(facts: PageFacts): void {
    const { id, title, latestId } = facts
    const look = this.#look.pages.get(id)
    if (look !== undefined && this.#judge.doubtsPage(facts, look)) {
      this.#answers.doubtedPages.add(id)
      return
    }
    // Two pages of one title: the first answer is older, and the page is asked for again.
    const rival = this.#titles.get(titleId(title))
    if (rival !== undefined && rival !== id && this.#answers.found.delete(rival)) {
      this.#askedPages.delete(rival)
      this.#answers.doubtedPages.add(rival)
    }
    this.#titles.set(titleId(title), id)
    this.#answers.found.set(id, facts)
    this.#answers.missing.delete(id)
    this.#answers.doubtedPages.delete(id)
    this.#answers.protections.set(titleId(title), facts)
    const holder = this.#mirror.pageWithTitle(title)
    if (holder !== undefined && holder !== id) this.#look.page(holder)
    const before = this.#mirror.page(id)?.title
    if (before === undefined || titleId(before) !== titleId(title)) {
      this.#look.title(before)
      // A file goes with its page.
      if (title.namespace === FILE) this.#look.title(title)
    }
    const isWanted = latestId <= this.#tools.newestId || look?.wantsLatest !== false
    if (isWanted && this.#mirror.revision(latestId)?.pageId !== id) this.#look.revision(latestId)
  }

  #takeAbsence(id: number): void {
    if (this.#judge.doubtsAbsence(id, this.#look.pages.get(id)!)) {
      this.#answers.doubtedPages.add(id)
      return
    }
    this.#answers.missing.add(id)
    this.#look.title(this.#mirror.page(id)?.title)
  }

  async #askRevisions(): Promise<boolean> {
    const open = [...this.#look.revisions.keys()].filter((id) => !this.#askedRevisions.has(id))
    if (open.length === 0) return false
    for (const id of open) this.#askedRevisions.add(id)
    const isNew = (id: number): boolean => this.#mirror.revision(id) === undefined
    for (const ids of [open.filter(isNew), open.filter((id) => !isNew(id))])
      for (let at = 0; at < ids.length; at += this.#upstream.atOnce)
        await this.#askSomeRevisions(ids.slice(at, at + this.#upstream.atOnce), isNew(ids[0]!))
    return true
  }

  /** Texts of new revisions come with them, while there is room for them. */
  async #askSomeRevisions(ids: readonly number[], areNew: boolean): Promise<void> {
    const withTexts = areNew && this.#textLength < MOST_TEXT_LENGTH
    const { found, pages, missing } = await this.#upstream.revisionsById(ids, withTexts)
    for (const facts of found) {
      this.#textLength += facts.text?.length ?? 0
      this.#takeRevision(facts)
    }
    for (const facts of pages) {
      this.#askedPages.add(facts.id)
      this.#takePage(facts)
    }
    for (const id of missing) this.#takeLoss(id)
  }

  #takeLoss(id: number): void {
    const { timestamp: known = 0, pageId = 0 } = this.#mirror.revision(id) ?? {}
    this.#look.page(pageId)
    if (this.#judge.isYoung(Math.max(known, this.#look.revisions.get(id) ?? 0)))
      this.#answers.doubtedRevisions.add(id)
    else this.#answers.lost.add(id)
  }

  #takeRevision(facts: RevisionFacts): void {
    this.#answers.revisions.set(facts.id, facts)
    this.#look.page(facts.pageId, { wantsLatest: !this.#look.pages.has(facts.pageId) })
    const holder = this.#mirror.revision(facts.id)?.pageId
    if (holder !== undefined && holder !== facts.pageId) this.#look.page(holder)
  }

  async #askHistories(): Promise<boolean> {
    let asked = false
    for (const [id, { history }] of this.#look.pages) {
      if (!history || this.#askedHistories.has(id) || !this.#answers.found.has(id)) continue
      this.#askedHistories.add(id)
      await this.#compareHistory(id)
      asked = true
    }
    for (const id of this.#pagesWithGaps()) {
      const listed = await this.#tools.histories.newest(id, this.#tools.isGap)
      this.#doubtOlder(id, listed)
      for (const facts of listed) if (this.#isOther(facts)) this.#takeRevision(facts)
      asked = true
    }
    return asked
  }

  /** A list without a revision that is there came from a replica that lags: the gap may be in it. */
  #doubtOlder(pageId: number, listed: readonly RevisionFacts[]): void {
    const ids = new Set(listed.map(({ id }) => id))
    for (const { id, pageId: page, parentId } of this.#answers.revisions.values()) {
      if (page !== pageId || ids.has(id) || !this.#tools.isGap(parentId)) continue
      this.#tools.forgetAsked(id)
      if (this.#judge.isYoung(this.#look.revisions.get(id) ?? 0)) this.#answers.doubtedRevisions.add(id)
    }
  }

  async #compareHistory(pageId: number): Promise<void> {
    const answers = await this.#tools.histories.compare(pageId, (facts) => this.#isOther(facts))
    this.#answers.isUnfinished ||= !answers.isWhole
    for (const facts of answers.stated) {
      this.#askedRevisions.add(facts.id)
      this.#takeRevision(facts)
    }
    // They are gone, or belong to another page: the answer to each tells.
    for (const id of answers.unlisted) this.#look.revision(id)
  }

  /** Pages that get a revision whose parent is unknown: rows of changes may vanish. */
  #pagesWithGaps(): Set<number> {
    const pages = new Set<number>()
    for (const { id, parentId, pageId } of this.#answers.revisions.values()) {
      if (parentId === 0 || this.#answers.revisions.has(parentId) || this.#askedHistories.has(pageId))
        continue
      if (!this.#answers.found.has(pageId) || this.#mirror.revision(id) !== undefined) continue
      if (this.#tools.isGap(parentId) && this.#tools.mayAsk(id)) pages.add(pageId)
    }
    return pages
  }

  #isOther(facts: RevisionFacts): boolean {
    const known = this.#mirror.revision(facts.id)
    if (known === undefined) return this.#tools.isKept(facts, this.#answers.found.get(facts.pageId)?.latestId)
    return known.pageId !== facts.pageId || showsOther(known, facts)
  }
}
