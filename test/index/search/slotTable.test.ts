import { expect, test } from 'vitest'
import { Postings } from '../../../src/index/rows/postingRow.js'
import { Candidates } from '../../../src/index/search/candidates.js'
import { SlotTable } from '../../../src/index/search/slotTable.js'
import { randomNumbers } from '../../support/random.js'

const WEIGHTS = Array.from({ length: 16 }, (_, slot) => 16 - slot)

const postingsOf = (entries: readonly (readonly [page: number, slot: number])[]): Postings => {
  const postings = new Postings(1)
  for (const [page, slot] of entries) postings.push(page, slot)
  return postings
}

test('a table keeps the candidates that have the term, with its weights added, and has all postings', () => {
  const random = randomNumbers(21)
  for (let round = 0; round < 200; round++) {
    const pages = Array.from({ length: 60 }, (_, n) => 1000 + n).filter(() => random() < 0.5)
    const entries = [...pages, 1060].map((page) => [page, Math.floor(16 * random())] as const)
    const candidates = new Candidates(80)
    for (let page = 990; page < 1070; page++) if (random() < 0.4) candidates.push(page, page / 8)
    const kept = new Candidates(candidates.length)
    SlotTable.of(postingsOf(entries))!.keep(candidates, WEIGHTS, kept)
    const slots = new Map(entries)
    const expected = Array.from(candidates.pages.subarray(0, candidates.length))
      .filter((page) => slots.has(page))
      .map((page) => [page, page / 8 + WEIGHTS[slots.get(page)!]!])
    const found = Array.from({ length: kept.length }, (_, n) => [kept.pages[n], kept.scores[n]])
    expect(found).toEqual(expected)
    const all = SlotTable.of(postingsOf(entries))!.readInto(new Postings(0))
    expect(Array.from({ length: all.length }, (_, n) => [all.pages[n], all.slots[n]])).toEqual(entries)
  }
})

test('a term on few pages has no table', () => {
  expect(SlotTable.of(postingsOf([]))).toBeUndefined()
  expect(SlotTable.of(postingsOf([[7, 1]]))?.bytes).toBe(1)
  const apart = [
    [1, 0],
    [11, 15],
  ] as const
  expect(SlotTable.of(postingsOf(apart))).toBeUndefined()
  expect(SlotTable.of(postingsOf([...apart, [12, 3]]))?.bytes).toBe(12)
})
