/**
 * Checks the search index in force against the pages: the row of every page, and the postings of all pages or of a
 * sample.
 */
import { completionKeyOfRow, encodeCompletion } from '../../index/rows/completions.js'
import { FlexIndex } from '../../index/write/flexIndex.js'
import { TEXT_REFERENCE, TITLE_REFERENCE } from '../../index/rows/impact.js'
import { encodeIndexedRow, IndexedRowView } from '../../index/rows/indexedRow.js'
import { type AreaText, bodyOf, titleOf } from '../../index/rows/areas.js'
import { ALL_PAGES, decodePostings, HEAD_BYTES, Postings } from '../../index/rows/postingRow.js'
import { prominentProblems } from '../../index/titles/prominent.js'
import { STRONG_FROM, COUNTS_AREA, encodeCounts, strongPostingsOf } from '../../index/write/strongWriter.js'
import type { IndexTable } from '../../index/rows/tables.js'
import { TermLists } from '../../index/search/termLists.js'
import { indexCondition, indexInForce } from '../search/indexState.js'
import { indexedPage, readIndexable } from '../search/indexedPage.js'
import { type IndexSet, WHOLE_TABLE } from '../tables/tables.js'
import type { VerifyContext } from './context.js'

/** Number of pages whose postings are compared one by one. A small wiki has all its pages compared. */
const MAX_COMPARED_PAGES = 2000
/** Their postings are in memory together: some 0.4 MB for a page of average length. */
const COMPARED_AT_ONCE = 50

type Kind = 'bodyPostings' | 'titlePostings'
const REFERENCES: Readonly<Record<Kind, number>> = {
  bodyPostings: TEXT_REFERENCE,
  titlePostings: TITLE_REFERENCE,
}

export function checkIndex(context: VerifyContext): void {
  const { tables, report } = context
  const condition = indexCondition(tables)
  if (condition !== 'ready') {
    report(`search index: cannot be used (${condition}): run "palimpsest reindex"`)
    return
  }
  new IndexCheck(context).run()
}

class IndexCheck {
  readonly #context: VerifyContext
  readonly #index: IndexSet
  /** By kind and area: the postings that the last compared pages must have. */
  readonly #expected = new Map<string, { kind: Kind; area: number; index: FlexIndex }>()
  readonly #compared: Record<Kind, number> = { bodyPostings: 0, titlePostings: 0 }
  #rows = 0
  #completions = 0

  constructor(context: VerifyContext) {
    this.#context = context
    this.#index = indexInForce(context.tables)
  }

  run(): void {
    const { page } = this.#context.tables
    const step = Math.max(1, Math.ceil(page.getKeysCount(WHOLE_TABLE) / MAX_COMPARED_PAGES))
    let n = 0
    for (const pageId of page.getKeys(WHOLE_TABLE)) {
      this.#checkPage(pageId, n % step === 0)
      if (++n % (step * COMPARED_AT_ONCE) === 0) this.#comparePostings()
    }
    this.#comparePostings()
    this.#checkTotal('indexed', this.#rows)
    this.#checkTotal('completion', this.#completions)
    this.#compareStrong()
    for (const problem of prominentProblems(this.#index)) this.#report(problem)
    for (const kind of ['bodyPostings', 'titlePostings'] as const) {
      const total = this.#countPostings(kind)
      if (step === 1 && total !== this.#compared[kind]) {
        this.#report(`${kind}: ${total} postings, but the pages account for ${this.#compared[kind]}`)
      }
    }
  }

  #report(problem: string): void {
    this.#context.report(`search index: ${problem}`)
  }

  #checkPage(pageId: number, compare: boolean): void {
    const { tables, namespaces } = this.#context
    const stored = this.#index.indexed.getBinary(pageId)
    const page = readIndexable(tables, pageId)
    if (this.#index.indexQueue.doesExist(pageId)) {
      // Still queued: the index may hold an earlier state of the page.
      if (stored !== undefined) this.#account(pageId, new IndexedRowView(stored), compare)
      return
    }
    const wanted = page && indexedPage(page, namespaces)
    const row = wanted && encodeIndexedRow(wanted)
    if (row === undefined || wanted === undefined) {
      if (stored !== undefined) this.#report(`page ${pageId} is gone, but still indexed`)
      return
    }
    if (stored === undefined) return this.#report(`page ${pageId} is not indexed`)
    if (!stored.equals(row)) this.#report(`page ${pageId} is indexed with another text`)
    this.#account(pageId, new IndexedRowView(stored), compare)
    const completion = encodeCompletion(wanted)
    const found = this.#index.completion.getBinary(completionKeyOfRow(new IndexedRowView(row), pageId))
    if ((completion === undefined) !== (found === undefined) || found?.equals(completion!) === false) {
      this.#report(`page ${pageId} is not found by the beginning of its title`)
    }
  }

  #account(pageId: number, view: IndexedRowView, compare: boolean): void {
    this.#rows++
    if (this.#index.completion.doesExist(completionKeyOfRow(view, pageId))) this.#completions++
    if (!compare) return
    this.#expect('bodyPostings', pageId, bodyOf(view))
    this.#expect('titlePostings', pageId, titleOf(view))
  }

  #expect(kind: Kind, pageId: number, text: AreaText | undefined): void {
    if (text === undefined) return
    const key = `${kind} ${text.area}`
    const known = this.#expected.get(key)
    const index = known?.index ?? new FlexIndex(REFERENCES[kind])
    if (known === undefined) this.#expected.set(key, { kind, area: text.area, index })
    index.replace(pageId, undefined, text.text)
  }

  /** Looks up and counts every posting of the pages that were compared since the last call. */
  #comparePostings(): void {
    for (const { kind, area, index } of this.#expected.values()) {
      const lists = new TermLists(this.#index[kind], area)
      const { terms, offsets, pages, slots } = index.takeChanges()
      this.#compared[kind] += pages.length
      terms.forEach((term, n) => {
        const [from, to] = [offsets[n]!, offsets[n + 1]!]
        const missing = countMissing(lists, term, pages.subarray(from, to), slots.subarray(from, to))
        if (missing > 0) this.#report(`${kind}: "${term}" lacks ${missing} pages of namespace ${area}`)
      })
    }
    this.#expected.clear()
  }

  /** Walks all rows of a table, and compares each term's head with its rows. */
  #countPostings(kind: Kind): number {
    const row = new Postings()
    let total = 0
    let term = { name: '', frequency: 0, found: 0 }
    const finish = (): void => {
      if (term.frequency === term.found) return
      this.#report(`${kind}: "${term.name}" is said to be on ${term.frequency} pages, found on ${term.found}`)
    }
    for (const { key, value } of this.#index[kind].getRange(WHOLE_TABLE)) {
      const [, name, first] = key
      if (name === ALL_PAGES) continue
      if (first === 0) {
        finish()
        term = { name, frequency: value.readUInt32BE(0), found: 0 }
      }
      row.clear()
      decodePostings(value, first === 0 ? HEAD_BYTES : 0, value.length, first, row)
      term.found += row.length
      total += row.length
    }
    finish()
    return total
  }

  /** Recomputes the strong postings of all very common terms. */
  #compareStrong(): void {
    const { bodyPostings, strongPostings } = this.#index
    let wanted = 0
    for (const { key, value } of bodyPostings.getRange(WHOLE_TABLE)) {
      const [area, term, first] = key
      if (first > 0 || term === ALL_PAGES || value.readUInt32BE(0) < STRONG_FROM) continue
      const { counts, strong } = strongPostingsOf(new TermLists(bodyPostings, area), term)
      const stored = strongPostings.getBinary([area | COUNTS_AREA, term, 0])
      const lists = new TermLists(strongPostings, area)
      const list = lists.find(term)
      const [pages, slots] = [
        strong.pages.subarray(0, strong.length),
        strong.slots.subarray(0, strong.length),
      ]
      const missing = countMissing(lists, term, pages, slots)
      if (stored?.equals(encodeCounts(counts)) !== true || missing > 0 || list?.frequency !== strong.length) {
        this.#report(`strongPostings: those of "${term}" are not what its postings make them`)
      }
      wanted += 2
    }
    let found = 0
    for (const [, , first] of strongPostings.getKeys(WHOLE_TABLE)) if (first === 0) found++
    if (found !== wanted)
      this.#report(`strongPostings: ${found} heads and counts, but ${wanted} are accounted for`)
  }

  #checkTotal(table: 'indexed' | 'completion', wanted: number): void {
    const found = (this.#index[table] as IndexTable<unknown>).getKeysCount(WHOLE_TABLE)
    if (found !== wanted) this.#report(`${table}: ${found} rows, but the pages account for ${wanted}`)
  }
}

/** Number of the pages that a term's rows lack, or hold with another slot. */
function countMissing(lists: TermLists, term: string, pages: Uint32Array, slots: Uint8Array): number {
  const list = lists.find(term)
  if (list === undefined) return pages.length
  let at = 0
  let found = 0
  lists.visitRows(list, pages, pages.length, { left: Number.POSITIVE_INFINITY }, (row) => {
    for (let n = 0; n < row.length && at < pages.length; n++) {
      while (at < pages.length && pages[at]! < row.pages[n]!) at++
      if (pages[at] === row.pages[n] && slots[at] === row.slots[n]) found++
    }
  })
  return pages.length - found
}
