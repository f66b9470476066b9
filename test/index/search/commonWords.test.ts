/** Words that very many pages have: a synthetic store, since no small wiki has them. */
import { describe, expect, test } from 'vitest'
import { AreaSearch } from '../../../src/index/search/areaSearch.js'
import { postingWriter } from '../../../src/index/write/indexWriter.js'
import { Scratch } from '../../../src/index/search/scratch.js'
import {
  STRONG_FROM,
  STRONG_SIZE,
  COUNTS_AREA,
  strongPostingsOf,
} from '../../../src/index/write/strongWriter.js'
import { WIDE } from '../../../src/index/search/termCompletions.js'
import { type PostingBudget, TermLists } from '../../../src/index/search/termLists.js'
import { GONE } from '../../../src/index/write/termChanges.js'
import type { PostingKey } from '../../../src/index/rows/tables.js'
import type { Store } from '../../../src/storage/store.js'
import { randomNumbers } from '../../support/random.js'
import { wikiWith } from '../../support/searchWiki.js'
import { problems, temporaryStore } from '../../support/store.js'

const AREA = 0
const PAGES = 600_000
const BUDGET = 4_000_000

/** Writes a term's postings; `slotOf` says undefined for pages that do not have it. */
function write(store: Store, term: string, slotOf: (page: number) => number | undefined): void {
  const pages = new Uint32Array(PAGES)
  const slots = new Uint8Array(PAGES)
  let length = 0
  for (let page = 1; page <= PAGES; page++) {
    const slot = slotOf(page)
    if (slot === undefined) continue
    pages[length] = page
    slots[length++] = slot
  }
  change(store, term, pages.subarray(0, length), slots.subarray(0, length))
}

function change(store: Store, term: string, pages: Uint32Array, slots: Uint8Array): void {
  const offsets = Uint32Array.of(0, pages.length)
  store.transact(() =>
    postingWriter(store.search.inForce(), 'bodyPostings', AREA).write({
      terms: [term],
      offsets,
      pages,
      slots,
    }),
  )
}

function search(store: Store, terms: readonly string[]): { pages: number[]; scores: number[]; read: number } {
  const budget: PostingBudget = { left: BUDGET }
  const area = new AreaSearch(store.search.inForce(), AREA, new Scratch())
  const { pages } = area.match({ terms, prefixes: [], bounds: WIDE }, [], 50, budget)
  return {
    pages: [...pages.pages.subarray(0, pages.length)],
    scores: [...pages.scores.subarray(0, pages.length)],
    read: BUDGET - budget.left,
  }
}

/** The pages of a term as stored, from all its rows. */
function stored(store: Store, table: 'bodyPostings' | 'strongPostings', term: string): number[] {
  const lists = new TermLists(store.search.inForce()[table], AREA)
  const list = lists.find(term)
  if (list === undefined) return []
  const { pages, length } = lists.readAll(list, { left: Number.POSITIVE_INFINITY })
  return [...pages.subarray(0, length)]
}

const expectStrongIsTrue = (store: Store, term: string): void => {
  const { strong } = strongPostingsOf(new TermLists(store.search.inForce().bodyPostings, AREA), term)
  expect(stored(store, 'strongPostings', term)).toEqual([...strong.pages.subarray(0, strong.length)])
}

describe('queries for words that most pages have', () => {
  const random = randomNumbers(21)
  const { store } = wikiWith({})
  // Of "of" one slot holds nearly all, as where texts are long; those of "land" are spread.
  write(store, 'of', () => (random() < 0.9 ? 1 : 0))
  write(store, 'the', () => (random() < 0.8 ? 2 : undefined))
  write(store, 'land', () => (random() < 0.4 ? Math.floor(random() * 16) : undefined))
  const rarePages = new Set(Array.from({ length: 5000 }, () => 1 + Math.floor(random() * PAGES)))
  write(store, 'craters', (page) => (rarePages.has(page) ? 3 : undefined))
  // No page has both.
  write(store, 'odd', (page) => (page % 2 === 1 ? 0 : undefined))
  write(store, 'even', (page) => (page % 2 === 0 ? 0 : undefined))

  test('have lists of strong postings of a bounded size', () => {
    for (const term of ['of', 'the', 'land', 'odd', 'even']) {
      const pages = stored(store, 'strongPostings', term)
      expect(pages.length).toBeGreaterThan(STRONG_SIZE / 4)
      expect(pages.length).toBeLessThan(1.1 * STRONG_SIZE)
      expectStrongIsTrue(store, term)
    }
    expect(stored(store, 'strongPostings', 'craters')).toEqual([])
  })

  test.each([[['of']], [['of', 'the']], [['of', 'the', 'land']], [['the', 'land']]])(
    'read a bounded part of the postings of %j, evenly over all pages',
    (terms) => {
      const { pages, read } = search(store, terms)
      expect(read).toBeLessThan(3.5 * STRONG_SIZE)
      expect(pages.length).toBeGreaterThan(50)
      const middle = pages.reduce((sum, page) => sum + page, 0) / pages.length
      // The mean of so many evenly drawn pages is further from the middle once in some thousand draws.
      const deviation = PAGES / Math.sqrt(12 * pages.length)
      expect(Math.abs(middle - PAGES / 2)).toBeLessThan(4 * deviation)
    },
  )

  test('find the best pages of a single one, as reading everything would', () => {
    const { scores } = search(store, ['land'])
    const lists = new TermLists(store.search.inForce().bodyPostings, AREA)
    const { slots, length } = lists.readAll(lists.find('land')!, { left: Number.POSITIVE_INFINITY })
    const best = slots.subarray(0, length).reduce((count, slot) => count + (slot === 0 ? 1 : 0), 0)
    expect(best).toBeGreaterThan(1000)
    const top = scores.reduce((a, b) => Math.max(a, b))
    expect(scores.filter((score) => score === top).length).toBe(best)
  })

  test('with a rare one are answered from the rare one', () => {
    const { pages, read } = search(store, ['of', 'craters'])
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.every((page) => rarePages.has(page))).toBe(true)
    expect(read).toBeLessThan(PAGES)
  })

  test('find nothing where no page has all of them', () => {
    expect(search(store, ['odd', 'even']).pages).toEqual([])
  })

  test('find what only few pages have together', () => {
    change(store, 'odd', Uint32Array.of(1000, 500_000), Uint8Array.of(15, 15))
    expect(search(store, ['odd', 'even']).pages).toEqual([1000, 500_000])
  })
})

describe('verify', () => {
  const { store } = wikiWith({})
  const { strongPostings } = store.search.inForce()
  write(store, 'word', (page) => (page <= STRONG_FROM ? page % 16 : undefined))
  const strongProblems = (): string[] =>
    problems(store).filter((problem) => problem.includes('strongPostings'))
  const rows = [...strongPostings.getRange({ start: undefined })]
  const keyWhere = (isIt: (area: number, first: number) => boolean): PostingKey =>
    rows.map(({ key }) => key).find(([area, , first]) => isIt(area, first))!
  const head = keyWhere((area, first) => area === AREA && first === 0)
  const other = keyWhere((area, first) => area === AREA && first > 0)
  const counts = keyWhere((area) => area === (AREA | COUNTS_AREA))
  const flipBit = (key: PostingKey, at: number): void => {
    const row = strongPostings.getBinary(key)!
    row[at]! ^= 1
    strongPostings.putSync(key, row)
  }

  test.each<[string, () => void, RegExp]>([
    ['a row that is gone', () => strongPostings.removeSync(other), /those of "word" are not what/],
    ['a posting of another slot', () => flipBit(other, 0), /those of "word" are not what/],
    ['counts that are wrong', () => flipBit(counts, 3), /those of "word" are not what/],
    [
      'the list of a word that is not common',
      () => strongPostings.putSync([AREA, 'rare', 0], strongPostings.getBinary(head)!),
      /3 heads and counts, but 2 are accounted for/,
    ],
  ])('finds %s', (_, damage, problem) => {
    expect(strongProblems()).toEqual([])
    store.transact(damage)
    expect(strongProblems()).toEqual([expect.stringMatching(problem)])
    store.transact(() => {
      for (const key of [...strongPostings.getKeys({ start: undefined })]) strongPostings.removeSync(key)
      for (const { key, value } of rows) strongPostings.putSync(key, value)
    })
  })
})

test('strong postings follow every change, and go when a word becomes rarer', () => {
  const random = randomNumbers(22)
  const { store } = temporaryStore()
  const slot = (): number => Math.floor(random() ** 2 * 16)
  const some = (count: number): Uint32Array =>
    Uint32Array.from(
      new Set(Array.from({ length: count }, () => 1 + Math.floor(random() * 2 * STRONG_FROM))),
    ).sort()
  write(store, 'word', (page) => (page <= STRONG_FROM + 500 ? slot() : undefined))
  expectStrongIsTrue(store, 'word')
  for (let round = 0; round < 12; round++) {
    const pages = some(1 + Math.floor(random() * 4000))
    change(
      store,
      'word',
      pages,
      Uint8Array.from(pages, () => (random() < 0.3 ? GONE : slot())),
    )
    if (stored(store, 'bodyPostings', 'word').length >= STRONG_FROM) expectStrongIsTrue(store, 'word')
  }
  const left = Uint32Array.from(stored(store, 'bodyPostings', 'word'))
  change(store, 'word', left.subarray(1000), new Uint8Array(left.length - 1000).fill(GONE))
  expect([...store.search.inForce().strongPostings.getKeys({ start: undefined })]).toEqual([])
})
