/** Reads postings: the pages of a term. */
import {
  ALL_PAGES,
  decodePostings,
  HEAD_BYTES,
  MAX_ROW_BYTES,
  POSTINGS_PER_ROW,
  type Postings,
} from '../rows/postingRow.js'
import { OR, spellingsIn } from './letterSpellings.js'
import type { AreaLists } from './recent/recentLists.js'
import type { Query } from './query.js'
import { Scratch } from './scratch.js'
import type { SlotTable } from './slotTable.js'
import {
  AFTER,
  type Completion,
  type CompletionBounds,
  listTerms,
  mostFrequent,
  nextTerm,
  WIDE,
} from './termCompletions.js'
import type { TermList } from './termList.js'
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

/** Rows of a list to begin to read from the disk at a time. */
const MAX_EXPECTED_ROWS = 500

/** Longer lists are not kept as a whole. */
const MAX_WHOLE_POSTINGS = 2 ** 16
/** Postings to skip at once in a list in memory. */
const BLOCK = 64

/** Postings of one spelling to read. Longer lists are sampled. */
const MAX_UNITED_POSTINGS = 500_000

/** Sees the postings from index `from` to `to`, exclusive. */
type VisitPostings = (postings: Postings, from: number, to: number) => void

/** The lists of one area, as of one query. Lists that it has read stay in memory, so each query needs a new object. */
export class TermLists {
  readonly scratch: Scratch
  readonly #table: IndexTable<PostingKey>
  readonly #area: number
  readonly #recent: AreaLists | undefined
  /** Lists of this object alone, without `recent`. */
  readonly #found: Map<string, TermList | undefined> | undefined
  #rowPostings: Postings | undefined
  /** By terms with several spellings. */
  readonly #united = new Map<string, TermList>()

  /** `recent` are lists of this area that earlier queries used. */
  constructor(table: IndexTable<PostingKey>, area: number, scratch = new Scratch(), recent?: AreaLists) {
    this.scratch = scratch
    this.#table = table
    this.#area = area
    this.#recent = recent
    this.#found = recent === undefined ? new Map() : undefined
  }

  countPages(): number {
    const count = (): number => this.frequencyOf(ALL_PAGES)
    return this.#recent?.countPages(count) ?? count()
  }

  /** Number of pages that have a term: at most, for one with several spellings. */
  frequencyOf(term: string): number {
    if (term.includes(OR)) return term.split(OR).reduce((sum, each) => sum + this.frequencyOf(each), 0)
    return this.#table.getBinaryFast([this.#area, term, 0])?.readUInt32BE(0) ?? 0
  }

  /** Tells that lists of terms and prefixes will be read next, so that reads from the disk can overlap. */
  expect({ terms, prefixes }: Pick<Query, 'terms' | 'prefixes'>): void {
    this.#table.expect(() =>
      [ALL_PAGES, ...terms, ...prefixes]
        .flatMap(spellingsIn)
        .filter((term) => this.#recent?.find(term) === undefined)
        .map((term) => [this.#area, term, 0] as const),
    )
  }

  find(term: string): TermList | undefined {
    if (term.includes(OR)) return this.#findUnited(term)
    const kept = this.#recent?.find(term)
    return kept === undefined ? this.#findNew(term) : kept.value
  }

  /** The list of a term with several spellings. A page gets its best slot of any of them. */
  #findUnited(term: string): TermList | undefined {
    const known = this.#united.get(term)
    if (known !== undefined) return known
    const lists = term.split(OR).flatMap((spelling) => this.find(spelling) ?? [])
    if (lists.length <= 1) return lists[0]
    const parts = lists.map((list) => this.readAll(list, { left: MAX_UNITED_POSTINGS }))
    const first = parts.reduce((sum, part) => mergePostings(sum, part, this.scratch))
    const united = { term, frequency: first.length, first, hasMore: false, kept: undefined }
    this.#united.set(term, united)
    return united
  }

  #findNew(term: string): TermList | undefined {
    if (this.#recent !== undefined) return this.#recent.keep(term, this.#read(term))
    const found = this.#found!
    if (!found.has(term)) found.set(term, this.#read(term))
    return found.get(term)
  }

  #read(term: string): TermList | undefined {
    const head = this.#table.getBinaryFast([this.#area, term, 0])
    if (head === undefined) return undefined
    const { length } = head
    const first = this.scratch.postings(length - HEAD_BYTES)
    decodePostings(head, HEAD_BYTES, length, 0, first)
    return { term, frequency: head.readUInt32BE(0), first, hasMore: head[4] === 1, kept: undefined }
  }

  /** All postings of a term, or a sample of them within the budget. */
  readAll(list: TermList, budget: PostingBudget): Postings {
    if (!list.hasMore) return list.first
    const all = this.#wholeOf(list, budget) ?? this.#readRows(list, budget)
    budget.left -= all.length
    return all
  }

  #readRows(list: TermList, budget: PostingBudget): Postings {
    const all = this.scratch.postings(Math.min(list.frequency, budget.left) + MAX_ROW_BYTES)
    all.append(this.#firstOf(list))
    const sample = new RowSample(list.frequency, budget.left)
    this.#expectRows(list, 1, () => this.#lastRowOf(list.term))
    for (const first of this.#rowsOf(list.term))
      if (sample.takesNext()) this.#decodeRow(list.term, first, all)
    return all
  }

  /** The postings of the first row, which are not kept if all are kept in another form. */
  #firstOf(list: TermList): Postings {
    const { hasMore, kept } = list
    const isDropped = hasMore && (kept?.whole ?? kept?.table)
    return (isDropped ? this.#read(list.term) : undefined)?.first ?? list.first
  }

  /** All postings of a list that are in memory, or belong there. */
  #wholeOf(list: TermList, { left }: PostingBudget): Postings | undefined {
    if (!list.hasMore) return list.first
    const { kept } = list
    if (kept === undefined || list.frequency > Math.min(MAX_WHOLE_POSTINGS, left)) return undefined
    if (kept.whole !== undefined) return kept.whole
    if (kept.table === undefined && !kept.wasRead) {
      // Most lists are not read again soon, and the rows near some pages take less time than all.
      kept.wasRead = true
      return undefined
    }
    const all = kept.table?.readInto(this.scratch.postings(0)) ?? this.#readRows(list, UNLIMITED)
    this.#recent!.keepWhole(list, kept, all)
    return all
  }

  /** The slots by page of a list that is in memory, or belongs there. Undefined if few pages have the term. */
  tableOf(list: TermList, { left }: PostingBudget): SlotTable | undefined {
    const { first, frequency, hasMore, kept } = list
    if (kept === undefined || (hasMore && frequency > Math.min(MAX_WHOLE_POSTINGS, left))) return undefined
    if (kept.table === undefined) {
      let all = hasMore ? kept.whole : first
      if (all === undefined && kept.wasRead) all = this.#readRows(list, UNLIMITED)
      if (all !== undefined) this.#recent!.keepTable(list, kept, all)
    }
    return kept.table ?? undefined
  }

  /** The postings of a term for pages that `among` has too. */
  readAmong(list: TermList, among: Postings, budget: PostingBudget): Postings {
    const common = this.scratch.postings(Math.min(list.frequency, among.length))
    let at = 0
    this.visitRows(list, among.pages, among.length, budget, ({ pages, slots }, from, to) => {
      for (let n = from; n < to && at < among.length;) {
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
    visit: VisitPostings,
  ): void {
    if (count === 0) return
    const whole = this.#wholeOf(list, budget)
    if (whole !== undefined) return visitBlocks(whole, pages, count, visit)
    const start = this.#firstOf(list)
    visit(start, 0, start.length)
    let at = 0
    let open: number | undefined
    const sample = new RowSample(list.frequency, budget.left)
    this.#expectRows(list, pages[0]!, () => pages[count - 1]!)
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
  seekRows(list: TermList, pages: Uint32Array, count: number, visit: VisitPostings): void {
    const whole = this.#wholeOf(list, UNLIMITED)
    if (whole !== undefined) return visitBlocks(whole, pages, count, visit)
    const start = this.#firstOf(list)
    visit(start, 0, start.length)
    this.#table.expect(() => [...pages.subarray(0, count)].map((page) => [this.#area, list.term, page]))
    let last = -1
    const row = this.#row
    for (let at = 0; at < count; at++) {
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
    if (prefix.includes(OR)) {
      const all = prefix.split(OR).flatMap((each) => this.findCompletions(each, bounds))
      const frequencies = new Map(all.map(({ term, frequency }) => [term, frequency]))
      return mostFrequent([...frequencies.keys()], bounds.taken, (term) => frequencies.get(term) ?? 0)
    }
    return this.#recent?.findCompletions(prefix, bounds) ?? this.#readCompletions(prefix, bounds)
  }

  #readCompletions(prefix: string, bounds: CompletionBounds): readonly Completion[] {
    const terms = listTerms(this.#table, this.#area, prefix, bounds.scanned)
    // With few terms, their lists are needed anyway; otherwise read the frequencies only.
    const isFew = terms.length <= bounds.taken
    const frequencyOf = (term: string): number =>
      isFew ? (this.find(term)?.frequency ?? 0) : this.frequencyOf(term)
    const taken = mostFrequent(terms, bounds.taken, frequencyOf)
    this.#recent?.keepCompletions(prefix, bounds, taken)
    return taken
  }

  /** The first term at or after `from`, in the order of code points. */
  nextTerm(from: string): string | undefined {
    return nextTerm(this.#table, this.#area, from)
  }

  /** First pages of all rows of a term, except its head. */
  *#rowsOf(term: string): Iterable<number> {
    const range = { start: [this.#area, term, 1], end: [this.#area, term + AFTER, 0] } as const
    for (const [, , first] of this.#table.getKeys(range)) yield first
  }

  /**
   * Tells that a walk will read rows of a list, from that of one page to that of another. Only the walk finds the keys
   * of the rows. LMDB's pages in which it finds them are those of keys at even distances.
   */
  #expectRows({ term, frequency }: TermList, from: number, to: () => number): void {
    this.#table.expect(() => {
      const last = to()
      const rows = Math.min(Math.ceil(frequency / POSTINGS_PER_ROW), MAX_EXPECTED_ROWS)
      const pageOf = (row: number): number => from + Math.floor(((last - from) * row) / rows)
      return Array.from({ length: rows }, (_, row) => [this.#area, term, pageOf(row)] as const)
    })
  }

  /** First page of the last row of a term. */
  #lastRowOf(term: string): number {
    const range = { start: [this.#area, term + AFTER, 0], end: [this.#area, term, 0] } as const
    for (const [, , first] of this.#table.getKeys({ ...range, reverse: true, limit: 1 })) return first
    return 1
  }

  /** Memory for one row at a time. */
  get #row(): Postings {
    return (this.#rowPostings ??= this.scratch.postings(MAX_ROW_BYTES))
  }

  #visitRow(term: string, first: number, budget: PostingBudget, visit: VisitPostings): void {
    const row = this.#row
    row.clear()
    this.#decodeRow(term, first, row)
    budget.left -= row.length
    visit(row, 0, row.length)
  }

  #decodeRow(term: string, first: number, into: Postings): void {
    const row = this.#table.getBinaryFast([this.#area, term, first])
    if (row !== undefined) decodePostings(row, 0, row.length, first, into)
  }
}

/** Merges both lists. A page in both gets the better slot. */
export function mergePostings(a: Postings, b: Postings, scratch: Scratch): Postings {
  const merged = scratch.postings(a.length + b.length)
  let [n, m] = [0, 0]
  while (n < a.length && m < b.length) {
    const [pageA, pageB] = [a.pages[n]!, b.pages[m]!]
    if (pageA < pageB) merged.push(pageA, a.slots[n++]!)
    else if (pageB < pageA) merged.push(pageB, b.slots[m++]!)
    else merged.push(pageA, Math.min(a.slots[n++]!, b.slots[m++]!))
  }
  merged.append(a, n)
  merged.append(b, m)
  return merged
}

/** As `visitRows`, for postings in memory. */
function visitBlocks(postings: Postings, pages: Uint32Array, count: number, visit: VisitPostings): void {
  const { length } = postings
  if (length <= count * BLOCK) return visit(postings, 0, length)
  let at = 0
  for (let from = 0; from < length && at < count; from += BLOCK) {
    const to = Math.min(from + BLOCK, length)
    const last = postings.pages[to - 1]!
    if (pages[at]! > last) continue
    visit(postings, from, to)
    while (at < count && pages[at]! <= last) at++
  }
}
