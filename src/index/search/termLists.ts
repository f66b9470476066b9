/** Reads postings: the pages of a term, and the terms with a prefix. */
import { ALL_PAGES } from '../write/postingWriter.js'
import { decodePostings, HEAD_BYTES, MAX_ROW_BYTES, type Postings } from '../rows/postingRow.js'
import type { AreaLists } from './recent/recentLists.js'
import { Scratch } from './scratch.js'
import type { Completion, CompletionBounds, TermList } from './termList.js'
import type { IndexTable, PostingKey } from '../rows/tables.js'

/** Remaining postings that one query may read. Longer lists are sampled. */
export interface PostingBudget {
  left: number
}

export const UNLIMITED: PostingBudget = { left: Number.POSITIVE_INFINITY }

/** Samples the rows of a list that exceeds the budget, evenly over all its pages. */
class RowSample {
  readonly #share: number
  #sum = 0

  constructor(frequency: number, budget: number) {
    this.#share = Math.min(1, Math.max(0, budget) / frequency)
  }

  takesNext(): boolean {
    this.#sum += this.#share
    if (this.#sum < 1) return false
    this.#sum--
    return true
  }
}

/** For an explicit prefix, `word*`. */
export const WIDE: CompletionBounds = { scanned: 500, taken: 50 }
/** For the last word of a query, which may be complete. */
export const NARROW: CompletionBounds = { scanned: 96, taken: 16 }

const KEYS_AT_ONCE = 32
const LAST_CHARACTER = '\u{10ffff}'
/** Sorts after all rows of a term, and before those of longer terms. */
const AFTER = '\u0001'

/** The lists of one area. It caches every list it reads, so each query needs a new object. */
export class TermLists {
  readonly scratch: Scratch
  readonly #table: IndexTable<PostingKey>
  readonly #area: number
  readonly #recent: AreaLists | undefined
  readonly #row: Postings
  readonly #found = new Map<string, TermList | undefined>()
  readonly #completions = new Map<string, readonly Completion[]>()
  #pages: number | undefined

  /** `recent` are lists of this area that earlier queries used. */
  constructor(table: IndexTable<PostingKey>, area: number, scratch = new Scratch(), recent?: AreaLists) {
    this.scratch = scratch
    this.#table = table
    this.#area = area
    this.#recent = recent
    this.#row = scratch.postings(MAX_ROW_BYTES)
  }

  countPages(): number {
    return (this.#pages ??= this.frequencyOf(ALL_PAGES))
  }

  /** Number of pages that have a term. */
  frequencyOf(term: string): number {
    return this.#table.getBinaryFast([this.#area, term, 0])?.readUInt32BE(0) ?? 0
  }

  find(term: string): TermList | undefined {
    const known = this.#found.get(term)
    if (known !== undefined || this.#found.has(term)) return known
    const found = this.#readRecent(term)
    this.#found.set(term, found)
    return found
  }

  #readRecent(term: string): TermList | undefined {
    const recent = this.#recent
    if (recent === undefined) return this.#read(term)
    const kept = recent.find(term)
    return kept === undefined ? recent.keep(term, this.#read(term)) : kept.value
  }

  #read(term: string): TermList | undefined {
    const head = this.#table.getBinaryFast([this.#area, term, 0])
    if (head === undefined) return undefined
    const { length } = head
    const first = this.scratch.postings(length - HEAD_BYTES)
    decodePostings(head, HEAD_BYTES, length, 0, first)
    return { term, frequency: head.readUInt32BE(0), first, hasMore: head[4] === 1 }
  }

  /** All postings of a term, or a sample of them within the budget. */
  readAll(list: TermList, budget: PostingBudget): Postings {
    if (!list.hasMore) return list.first
    const all = this.scratch.postings(Math.min(list.frequency, budget.left) + MAX_ROW_BYTES)
    all.append(list.first)
    const sample = new RowSample(list.frequency, budget.left)
    for (const first of this.#rowsOf(list.term))
      if (sample.takesNext()) this.#decodeRow(list.term, first, all)
    budget.left -= all.length
    return all
  }

  /** The postings of a term for pages that `among` has too. */
  readAmong(list: TermList, among: Postings, budget: PostingBudget): Postings {
    const common = this.scratch.postings(Math.min(list.frequency, among.length))
    let at = 0
    this.visitRows(list, among.pages, among.length, budget, ({ pages, slots, length }) => {
      for (let n = 0; n < length && at < among.length;) {
        if (pages[n]! < among.pages[at]!) n++
        else if (pages[n]! > among.pages[at]!) at++
        else common.push(among.pages[at++]!, slots[n++]!)
      }
    })
    return common
  }

  /**
   * Calls `visit` with parts of a term's postings, in order, that contain all of its postings for `pages`. `pages` must
   * be ascending. Skips rows without any of them.
   */
  visitRows(
    list: TermList,
    pages: Uint32Array,
    count: number,
    budget: PostingBudget,
    visit: (row: Postings) => void,
  ): void {
    visit(list.first)
    if (!list.hasMore || count === 0) return
    let at = 0
    let open: number | undefined
    const sample = new RowSample(list.frequency, budget.left)
    for (const first of this.#rowsOf(list.term)) {
      if (open !== undefined) {
        while (at < count && pages[at]! < open) at++
        if (at < count && pages[at]! < first && sample.takesNext()) {
          this.#visitRow(list.term, open, budget, visit)
        }
      }
      if (at >= count) return
      open = first
    }
    if (open !== undefined && pages[count - 1]! >= open) this.#visitRow(list.term, open, budget, visit)
  }

  /** Calls `visit` with the rows that contain `pages`. Looks up each page, so it suits few pages. */
  seekRows(list: TermList, pages: Uint32Array, count: number, visit: (row: Postings) => void): void {
    visit(list.first)
    if (!list.hasMore) return
    let last = -1
    for (let at = 0; at < count; at++) {
      const row = this.#row
      if (last >= 0 && row.length > 0 && pages[at]! <= row.pages[row.length - 1]!) continue
      const range = { start: [this.#area, list.term, pages[at]!], end: [this.#area, list.term, 0] } as const
      for (const [, , first] of this.#table.getKeys({ ...range, reverse: true, limit: 1 })) {
        if (first === last) continue
        last = first
        this.#visitRow(list.term, first, UNLIMITED, visit)
      }
    }
  }

  /** The most frequent terms that begin with `prefix`, in that order. */
  findCompletions(prefix: string, bounds = WIDE): readonly Completion[] {
    const known = this.#completions.get(prefix)
    if (known !== undefined) return known
    const taken = this.#recent?.findCompletions(prefix, bounds) ?? this.#readCompletions(prefix, bounds)
    this.#completions.set(prefix, taken)
    return taken
  }

  #readCompletions(prefix: string, bounds: CompletionBounds): readonly Completion[] {
    const terms: string[] = []
    let from = prefix
    for (let scanned = 0; scanned < bounds.scanned;) {
      const batch = this.#termsFrom(from, prefix)
      terms.push(...batch.terms)
      scanned += Math.max(1, batch.terms.length)
      if (batch.next === undefined) break
      from = batch.next
    }
    // With few terms, their lists are needed anyway; otherwise read the frequencies only.
    const isFew = terms.length <= bounds.taken
    const found = terms.map((term) => {
      return { term, frequency: isFew ? (this.find(term)?.frequency ?? 0) : this.frequencyOf(term) }
    })
    found.sort((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
    const taken = found.slice(0, bounds.taken)
    this.#recent?.keepCompletions(prefix, bounds, taken)
    return taken
  }

  /** The first term at or after `from`, in the order of code points. */
  nextTerm(from: string): string | undefined {
    const range = { start: [this.#area, from, 0], end: [this.#area, LAST_CHARACTER, 0] } as const
    for (const [, term] of this.#table.getKeys({ ...range, limit: 1 })) return term
    return undefined
  }

  /** The next terms from `from` on, and where to continue. A term with many rows takes one step. */
  #termsFrom(from: string, prefix: string): { readonly terms: string[]; readonly next: string | undefined } {
    const terms: string[] = []
    const start: PostingKey = [this.#area, from, 0]
    const end: PostingKey = [this.#area, prefix + LAST_CHARACTER, 0]
    let keys = 0
    for (const [, term] of this.#table.getKeys({ start, end, limit: KEYS_AT_ONCE })) {
      keys++
      if (term !== terms.at(-1)) terms.push(term)
    }
    const next = keys < KEYS_AT_ONCE ? undefined : `${terms.at(-1) ?? from}${AFTER}`
    return { terms, next }
  }

  /** First pages of all rows of a term, except its head. */
  *#rowsOf(term: string): Iterable<number> {
    const range = { start: [this.#area, term, 1], end: [this.#area, term + AFTER, 0] } as const
    for (const [, , first] of this.#table.getKeys(range)) yield first
  }

  #visitRow(term: string, first: number, budget: PostingBudget, visit: (row: Postings) => void): void {
    this.#row.clear()
    this.#decodeRow(term, first, this.#row)
    budget.left -= this.#row.length
    visit(this.#row)
  }

  #decodeRow(term: string, first: number, into: Postings): void {
    const row = this.#table.getBinaryFast([this.#area, term, first])
    if (row !== undefined) decodePostings(row, 0, row.length, first, into)
  }
}
