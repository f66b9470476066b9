/** Facts that follow from earlier revisions: the change in bytes, and whether a revision reverts to an earlier text. */

/** Number of earlier revisions to search for the restored text. Source: MediaWiki's manual revert tag. */
export const REVERT_RADIUS = 15

/** Input for deriving the facts of a revision and of later ones. */
export interface ChainLink {
  readonly id: number
  readonly timestamp: number
  /** 0: not stated. The previous revision of the history then counts as the parent. */
  readonly parentId: number
  readonly sizeBytes: number | undefined
  /** Empty if the text is hidden. A hidden text neither reverts nor is restored. */
  readonly sha1: Buffer
  readonly madeHere: boolean
}

/** Tells which revisions of the mirrored wiki are reverts there; undefined where that is not known. */
export interface RevertSource {
  isRevert(revisionId: number): boolean | undefined
}

type FindSize = (parentId: number, child: ChainLink) => number | undefined

/** Walks a history from old to new, and derives each revision's facts from earlier ones. */
export class HistoryWalk {
  readonly #sizes = new Map<number, number | undefined>()
  readonly #recent: Buffer[] = []
  #previousId = 0
  readonly #findSize: FindSize
  readonly #stated: RevertSource

  /** `findSize` gives the size of a parent that the walk has not seen but that comes before its child. */
  constructor(findSize: FindSize, stated: RevertSource) {
    this.#findSize = findSize
    this.#stated = stated
  }

  /** Adds a revision as a predecessor of later ones, without deriving its own facts. */
  skip(link: ChainLink): void {
    this.#sizes.set(link.id, link.sizeBytes)
    this.#recent.push(link.sha1)
    if (this.#recent.length > REVERT_RADIUS) this.#recent.shift()
    this.#previousId = link.id
  }

  /**
   * `delta`: bytes more than the parent. Undefined without an earlier parent, or if a size is unknown. A parent that is
   * later in the history than its child, because of a wrong clock, does not count.
   * `reverted`: as the mirrored wiki says. Without its word: the text equals that of one of the last 15 revisions, but
   * not that of the previous one.
   */
  step(link: ChainLink): { delta: number | undefined; reverted: boolean } {
    const parentId = link.parentId !== 0 ? link.parentId : this.#previousId
    const parentSize = this.#sizes.has(parentId) ? this.#sizes.get(parentId) : this.#findSize(parentId, link)
    const delta =
      parentId === 0 || parentSize === undefined || link.sizeBytes === undefined
        ? undefined
        : link.sizeBytes - parentSize
    const stated = link.madeHere ? undefined : this.#stated.isRevert(link.id)
    const reverted = stated ?? this.#reverts(link.sha1)
    this.skip(link)
    return { delta, reverted }
  }

  #reverts(sha1: Buffer): boolean {
    if (sha1.length === 0 || this.#recent.at(-1)?.equals(sha1)) return false
    return this.#recent.some((earlier) => earlier.equals(sha1))
  }
}
