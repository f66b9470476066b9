/** Facts of a revision that follow from those before it: byte change, and whether it reverts to an earlier text. */

/** How many revisions before a revert are looked at. Source: MediaWiki's manual revert tag. */
export const REVERT_RADIUS = 15

/** What must be known of a revision to derive facts of it and of its followers. */
export interface ChainLink {
  readonly id: number
  readonly timestamp: number
  /** 0: not stated; the revision before it in the history stands in. */
  readonly parentId: number
  readonly sizeBytes: number | undefined
  /** Empty when the text is hidden: it neither reverts nor is restored. */
  readonly sha1: Buffer
}

type FindSize = (parentId: number, child: ChainLink) => number | undefined

/** Walks a history from old to new and derives each revision's facts from those it has seen. */
export class HistoryWalk {
  readonly #sizes = new Map<number, number | undefined>()
  readonly #recent: Buffer[] = []
  #previousId = 0
  readonly #findSize: FindSize

  /** `findSize` gives the size of a parent that the walk has not met, if it stands before its child all the same. */
  constructor(findSize: FindSize) {
    this.#findSize = findSize
  }

  /** Takes a revision whose own facts are not wanted, as a predecessor of those that follow. */
  skip(link: ChainLink): void {
    this.#sizes.set(link.id, link.sizeBytes)
    this.#recent.push(link.sha1)
    if (this.#recent.length > REVERT_RADIUS) this.#recent.shift()
    this.#previousId = link.id
  }

  /**
   * `delta`: bytes more than the parent, undefined when there is none before it or its size is not known. A parent
   * that stands later in the history than its child, as broken clocks make it, does not count.
   * `reverted`: the text equals that of one of the last 15 revisions, but not of the one directly before.
   */
  step(link: ChainLink): { delta: number | undefined; reverted: boolean } {
    const parentId = link.parentId !== 0 ? link.parentId : this.#previousId
    const parentSize = this.#sizes.has(parentId) ? this.#sizes.get(parentId) : this.#findSize(parentId, link)
    const delta =
      parentId === 0 || parentSize === undefined || link.sizeBytes === undefined
        ? undefined
        : link.sizeBytes - parentSize
    const reverted = this.#reverts(link.sha1)
    this.skip(link)
    return { delta, reverted }
  }

  #reverts(sha1: Buffer): boolean {
    if (sha1.length === 0 || this.#recent.at(-1)?.equals(sha1)) return false
    return this.#recent.some((earlier) => earlier.equals(sha1))
  }
}
