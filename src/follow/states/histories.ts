/** Compares whole histories of pages, part by part, so that memory does not grow with their length. */
import type { RevisionFacts } from '../api/answers.js'
import type { Upstream } from '../api/upstream.js'
import { HISTORY_END, HISTORY_START, type Mirror, type RevisionPlace } from '../mirror.js'

/** Revisions that one look brings: the rest comes with the next. */
const MOST_REVISIONS = 5000

export interface HistoryAnswers {
  /** Revisions that the mirror lacks, has elsewhere, or shows in another way. */
  readonly stated: RevisionFacts[]
  /** Ids that the mirror has with the page, and that the wiki did not list there. */
  readonly unlisted: number[]
  readonly isWhole: boolean
}

export class Histories {
  readonly #upstream: Upstream
  readonly #mirror: Mirror
  /** Where the comparison of a long history goes on: by page. */
  readonly #places = new Map<number, { next: string; after: RevisionPlace }>()

  constructor(upstream: Upstream, mirror: Mirror) {
    this.#upstream = upstream
    this.#mirror = mirror
  }

  /** `isOther` tells which revisions are worth keeping. */
  async compare(pageId: number, isOther: (facts: RevisionFacts) => boolean): Promise<HistoryAnswers> {
    const begun = this.#places.get(pageId)
    this.#places.delete(pageId)
    const [stated, unlisted]: [RevisionFacts[], number[]] = [[], []]
    let after = begun?.after ?? HISTORY_START
    for (let next = begun?.next; ;) {
      const part = await this.#upstream.history(pageId, 'newer', next)
      const last = part.items.at(-1)
      const until = part.next === undefined || last === undefined ? HISTORY_END : last
      const listed = new Set(part.items.map(({ id }) => id))
      for (const id of this.#mirror.historyIds(pageId, after, until)) if (!listed.has(id)) unlisted.push(id)
      stated.push(...part.items.filter(isOther))
      if (part.next === undefined) return { stated, unlisted, isWhole: true }
      next = part.next
      after = until
      if (stated.length < MOST_REVISIONS) continue
      this.#places.set(pageId, { next, after })
      return { stated, unlisted, isWhole: false }
    }
  }

  /**
   * The newest revisions of a page, back to the first part of the list that leaves no parent unknown. A parent is known
   * if the mirror or the list has it, or if `isWanted` says no.
   */
  async newest(pageId: number, isWanted: (id: number) => boolean): Promise<RevisionFacts[]> {
    const listed = new Map<number, RevisionFacts>()
    for (let next: string | undefined; ;) {
      const part = await this.#upstream.history(pageId, 'older', next)
      for (const facts of part.items) listed.set(facts.id, facts)
      const isGap = [...listed.values()].some(({ parentId }) => !listed.has(parentId) && isWanted(parentId))
      if (part.next === undefined || !isGap || listed.size >= MOST_REVISIONS) return [...listed.values()]
      next = part.next
    }
  }
}
