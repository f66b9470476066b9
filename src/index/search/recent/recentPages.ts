/**
 * Rows of pages that searches read lately. LMDB's read of a row and the check of its seal take a microsecond, and a
 * search of two words reads some 60 of them.
 */
import { IndexedRowView } from '../../rows/indexedRow.js'
import type { IndexTable } from '../../rows/tables.js'
import type { Moment } from './moment.js'

/** Bytes of rows in each of two halves, which is some 4,000 pages of a small wiki. */
const HALF_BYTES = 4 * 2 ** 20
/** Longer rows are not kept. */
const MAX_ROW_BYTES = 2 ** 16
/** Places for pages that were read once. In a large wiki most are not read again soon, and a copy takes time. */
const DOOR_PLACES = 2 ** 14

/** Rows in one block of memory. */
class Half {
  readonly views = new Map<number, IndexedRowView>()
  #bytes: Buffer | undefined
  #used = 0

  /** A view of a copy; undefined if there is no room. */
  add(page: number, row: Buffer): IndexedRowView | undefined {
    const end = this.#used + row.length
    if (end > HALF_BYTES) return undefined
    this.#bytes ??= Buffer.allocUnsafeSlow(HALF_BYTES)
    const copy = this.#bytes.subarray(this.#used, end)
    copy.set(row)
    this.#used = end
    const view = new IndexedRowView(copy)
    this.views.set(page, view)
    return view
  }

  clear(): void {
    this.views.clear()
    this.#used = 0
  }
}

/**
 * When the young half is full, it takes the place of the old one, which is emptied. Rows of the old half that are used
 * go into the young one.
 */
export class RecentPages {
  readonly #moment: Moment
  readonly #table: IndexTable<number>
  #young = new Half()
  #old = new Half()
  /** Pages that were read once and not kept, by their last bits. */
  readonly #door = new Uint32Array(DOOR_PLACES)
  /** The rows are right up to this generation. */
  #generation = Number.NaN

  /** `table` is the table `indexed`. */
  constructor(moment: Moment, table: IndexTable<number>) {
    this.#moment = moment
    this.#table = table
  }

  /** The row of a page as of this moment. The next call may overwrite it. */
  view(page: number): IndexedRowView | undefined {
    if (this.#generation !== this.#moment.generation) this.#dropChanged()
    const young = this.#young.views.get(page)
    if (young !== undefined) return young
    const old = this.#old.views.get(page)
    if (old !== undefined) return this.#keep(page, old.row)
    const row = this.#table.getBinaryFast(page)
    if (row === undefined) return undefined
    const place = page % DOOR_PLACES
    if (this.#door[place] === page) return this.#keep(page, row)
    this.#door[place] = page
    return new IndexedRowView(row)
  }

  /** Tells that rows of pages will be read next, so that reads from the disk can overlap. */
  expect(pages: () => readonly number[]): void {
    const isKept = (page: number): boolean => this.#young.views.has(page) || this.#old.views.has(page)
    this.#table.expect(() => pages().filter((page) => !isKept(page)))
  }

  /** Drops the rows of pages that were written since. */
  #dropChanged(): void {
    const changes = this.#moment.changesSince(this.#generation)
    for (const half of [this.#young, this.#old]) {
      if (changes === undefined) half.clear()
      else for (const { pages } of changes) for (const page of pages) half.views.delete(page)
    }
    this.#generation = this.#moment.generation
  }

  #keep(page: number, row: Buffer): IndexedRowView {
    if (row.length > MAX_ROW_BYTES) return new IndexedRowView(row)
    const kept = this.#young.add(page, row)
    if (kept !== undefined) return kept
    const emptied = this.#old
    this.#old = this.#young
    this.#young = emptied
    // The row may be in the half that is emptied.
    const copy = Buffer.from(row)
    emptied.clear()
    return emptied.add(page, copy)!
  }
}
