/** Rows of postings against a plain map of what they must hold. */
import { describe, expect, test } from 'vitest'
import {
  decodePostings,
  divideIntoRows,
  encodeRow,
  MAX_ROW_BYTES,
  Postings,
} from '../../../src/index/rows/postingRow.js'
import { PostingWriter } from '../../../src/index/write/postingWriter.js'
import { GONE } from '../../../src/index/write/termChanges.js'
import { type PostingBudget, TermLists } from '../../../src/index/search/termLists.js'
import { matchAll } from '../../../src/index/search/matching.js'
import { randomNumbers } from '../../support/random.js'
import { temporaryStore } from '../../support/store.js'

const AREA = 3
const unlimited = (): PostingBudget => ({ left: Number.POSITIVE_INFINITY })

describe('a row of postings', () => {
  test('holds pages at any distance', () => {
    const postings = new Postings(1)
    const pages = [1, 8, 9, 1000, 1032, 200_000, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]
    pages.forEach((page, n) => postings.push(page, n % 16))
    const [part] = divideIntoRows(postings, 0, false)
    const row = encodeRow(postings, part!, 0)
    expect(row.length).toBe(part!.bytes)
    const read = new Postings()
    decodePostings(row, 0, row.length, 0, read)
    expect([...read.pages.subarray(0, read.length)]).toEqual(pages)
    expect([...read.slots.subarray(0, read.length)]).toEqual(pages.map((_, n) => n % 16))
  })
})

describe('the postings of a term', () => {
  test('are what was written, in rows of a bounded size, whatever the changes', () => {
    const { store } = temporaryStore()
    const random = randomNumbers(11)
    const model = new Map<string, Map<number, number>>()
    const table = store.search.inForce().bodyPostings
    for (let round = 0; round < 60; round++) {
      const spread = 10 ** (2 + Math.floor(random() * 4))
      const changes = ['a', 'ab', 'b'].map((term) => {
        const pages = new Set(
          Array.from({ length: Math.floor(random() * 1500) }, () => 1 + Math.floor(random() * spread)),
        )
        const sorted = [...pages].sort((a, b) => a - b)
        return {
          term,
          pages: sorted,
          slots: sorted.map(() => (random() < 0.3 ? GONE : Math.floor(random() * 16))),
        }
      })
      const offsets = [0]
      for (const { pages } of changes) offsets.push(offsets.at(-1)! + pages.length)
      store.transact(() =>
        new PostingWriter(table, AREA).write({
          terms: changes.map(({ term }) => term),
          offsets: Uint32Array.from(offsets),
          pages: Uint32Array.from(changes.flatMap(({ pages }) => pages)),
          slots: Uint8Array.from(changes.flatMap(({ slots }) => slots)),
        }),
      )
      for (const { term, pages, slots } of changes) {
        const known = model.get(term) ?? new Map<number, number>()
        model.set(term, known)
        pages.forEach((page, n) => (slots[n] === GONE ? known.delete(page) : known.set(page, slots[n]!)))
      }
    }
    const lists = new TermLists(table, AREA)
    for (const [term, known] of model) {
      const list = lists.find(term)!
      expect(list.frequency).toBe(known.size)
      const all = lists.readAll(list, unlimited())
      const sorted = [...known].sort(([a], [b]) => a - b)
      expect([...all.pages.subarray(0, all.length)]).toEqual(sorted.map(([page]) => page))
      expect([...all.slots.subarray(0, all.length)]).toEqual(sorted.map(([, slot]) => slot))
    }
    for (const { value } of table.getRange({ start: undefined })) {
      expect(value.length).toBeLessThanOrEqual(MAX_ROW_BYTES + 5)
    }
    const all = ['a', 'ab', 'b'].map((term) => ({
      list: lists.find(term)!,
      weights: new Float64Array(16).fill(1),
    }))
    const both = matchAll(lists, all, unlimited())
    const wanted = [...model.get('a')!.keys()].filter(
      (page) => model.get('ab')!.has(page) && model.get('b')!.has(page),
    )
    expect([...both.pages.subarray(0, both.length)]).toEqual(wanted.sort((a, b) => a - b))
    expect([...both.scores.subarray(0, both.length)].every((score) => score === 3)).toBe(true)
  })

  test('of a rare and a common term are found by lookups', () => {
    const { store } = temporaryStore()
    const common = Uint32Array.from({ length: 100_000 }, (_, n) => 10 + 3 * n)
    const rare = Uint32Array.from([13, 14, 30_010, 299_997, 300_007, 400_000])
    store.transact(() =>
      new PostingWriter(store.search.inForce().bodyPostings, AREA).write({
        terms: ['common', 'rare'],
        offsets: Uint32Array.from([0, common.length, common.length + rare.length]),
        pages: Uint32Array.from([...common, ...rare]),
        slots: new Uint8Array(common.length + rare.length),
      }),
    )
    const lists = new TermLists(store.search.inForce().bodyPostings, AREA)
    const terms = ['rare', 'common'].map((term) => ({
      list: lists.find(term)!,
      weights: new Float64Array(16),
    }))
    const both = matchAll(lists, terms, unlimited())
    expect([...both.pages.subarray(0, both.length)]).toEqual([13, 30_010, 300_007])
  })

  test('are gone with their last page', () => {
    const { store } = temporaryStore()
    const write = (slot: number): void =>
      store.transact(() =>
        new PostingWriter(store.search.inForce().bodyPostings, AREA).write({
          terms: ['a'],
          offsets: Uint32Array.from([0, 5000]),
          pages: Uint32Array.from({ length: 5000 }, (_, n) => 7 * n + 1),
          slots: new Uint8Array(5000).fill(slot),
        }),
      )
    write(3)
    expect([...store.search.inForce().bodyPostings.getKeys({ start: undefined })].length).toBeGreaterThan(3)
    write(GONE)
    expect([...store.search.inForce().bodyPostings.getKeys({ start: undefined })]).toEqual([])
  })
})

test('completions of a term pass the rows of frequent ones', () => {
  const { store } = temporaryStore()
  const terms = ['tea', 'tease', 'team', 'teapot', 'ten'].sort()
  const each = 4000
  store.transact(() =>
    new PostingWriter(store.search.inForce().bodyPostings, AREA).write({
      terms,
      offsets: Uint32Array.from({ length: 6 }, (_, n) => n * each),
      pages: Uint32Array.from({ length: 5 * each }, (_, n) => 50 * (n % each) + 1),
      slots: new Uint8Array(5 * each),
    }),
  )
  const found = new TermLists(store.search.inForce().bodyPostings, AREA).findCompletions('tea')
  expect(found.map(({ term }) => term)).toEqual(['tea', 'team', 'teapot', 'tease'])
})
