/**
 * Facts that follow from the revisions of a page: the change in bytes, reverts to an earlier text, and the counters of
 * the page and of its editors.
 */
import { decodeNumber, encodeNumber, type HistoryRow, type PageCounts } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import type { PageState } from './pageState.js'

/** Number of earlier revisions to search for the restored text. Source: MediaWiki's manual revert tag. */
export const REVERT_RADIUS = 15

/** Input for deriving the facts of a revision and of later ones. */
interface ChainLink {
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
interface RevertSource {
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

type MutableCounts = { -readonly [K in keyof PageCounts]: PageCounts[K] }

/** Adds one revision to the counts, except `editors`, which depends on the other revisions too. */
export function countRevision(counts: MutableCounts, row: HistoryRow): void {
  counts.revisions++
  if (!row.textHidden) counts.edits++
  if (row.anonymous && !row.textHidden) counts.anonymous++
  if (row.bot) counts.bot++
  if (row.minor) counts.minor++
  if (row.reverted) counts.reverted++
}

/** Adds the editors of new revisions to the page's editors. */
export function countEditors(tables: Tables, page: PageState, rows: readonly HistoryRow[]): void {
  for (const [actorId, edits] of editsByActor(rows)) {
    const row = page.isNew ? undefined : tables.editor.getBinaryFast([page.id, actorId])
    const before = row === undefined ? 0 : decodeNumber(row)
    if (before === 0) page.counts.editors++
    tables.editor.putSync([page.id, actorId], encodeNumber(before + edits))
  }
}

/** Number of edits of each visible editor. */
export function editsByActor(rows: Iterable<HistoryRow>): Map<number, number> {
  const edits = new Map<number, number>()
  for (const { actorId } of rows) countActor(edits, actorId)
  return edits
}

/** Adds an edit to those of an editor, unless the editor is hidden. */
export function countActor(edits: Map<number, number>, actorId: number): void {
  if (actorId !== 0) edits.set(actorId, (edits.get(actorId) ?? 0) + 1)
}
