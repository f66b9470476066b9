/** Lists of postings that searches keep in memory are those of the tables. */
import { expect, test } from 'vitest'
import { Postings } from '../../../src/index/rows/postingRow.js'
import { ChangeNotes, SearchChange } from '../../../src/index/rows/searchChange.js'
import type { IndexTable, PostingKey } from '../../../src/index/rows/tables.js'
import { matchAll } from '../../../src/index/search/matching.js'
import { Moment } from '../../../src/index/search/recent/moment.js'
import { RecentLists } from '../../../src/index/search/recent/recentLists.js'
import { Scratch } from '../../../src/index/search/scratch.js'
import { TermLists } from '../../../src/index/search/termLists.js'
import { PostingWriter } from '../../../src/index/write/postingWriter.js'
import { randomNumbers } from '../../support/random.js'
import { temporaryStore } from '../../support/store.js'

const AREA = 3
const PAGES = 30_000
const ALL = ''
const TERMS = ['rare', 'middle', 'common', 'absent']
const WEIGHTS = Float64Array.from({ length: 16 }, (_, slot) => slot + 1)
const ENOUGH = 10 ** 9

/** An area with changes that searches can see. */
function writtenArea() {
  const table = temporaryStore()
  const postings = table.store.search.inForce().bodyPostings
  const random = randomNumbers(7)
  const changes: SearchChange[] = []
  const write = (term: string, count: number): void => {
    const pages = Uint32Array.from(
      new Set(Array.from({ length: count }, () => Math.floor(random() * PAGES))),
    ).sort()
    const slots = Uint8Array.from(pages, () => Math.floor(random() * 16))
    const offsets = Uint32Array.from([0, pages.length])
    table.store.transact(() =>
      new PostingWriter(postings, AREA).write({ terms: [term], offsets, pages, slots }),
    )
    const notes = new ChangeNotes()
    notes.addTerms([term])
    changes.push(new SearchChange(notes.encode(changes.length + 1)!))
  }
  const moment = new Moment({ generation: () => changes.length, at: (generation) => changes[generation - 1] })
  return { postings, write, moment, random }
}

const contents = ({ pages, slots, length }: Postings): number[][] => [
  [...pages.subarray(0, length)],
  [...slots.subarray(0, length)],
]

/** What searches find of all terms, alone, in pairs, and near some pages. */
function foundIn(lists: TermLists, among: Postings): unknown[] {
  const known = TERMS.flatMap((term) => lists.find(term) ?? [])
  const pairs = known.flatMap((one) =>
    known.map((other) => {
      const terms = [one, other].map((list) => ({ list, weights: WEIGHTS }))
      const { pages, scores, length } = matchAll(lists, terms, { left: ENOUGH })
      return [[...pages.subarray(0, length)], [...scores.subarray(0, length)]]
    }),
  )
  return [
    lists.countPages(),
    known.map(({ frequency }) => frequency),
    known.map((list) => contents(lists.readAll(list, { left: ENOUGH }))),
    known.map((list) => contents(lists.readAmong(list, among, { left: ENOUGH }))),
    pairs,
  ]
}

test('lists are those of the tables in each search, also after writes', () => {
  const { postings, write, moment, random } = writtenArea()
  let reads = 0
  const counting = {
    expect: (keys: Parameters<typeof postings.expect>[0]) => postings.expect(keys),
    getBinaryFast: (key: PostingKey) => (reads++, postings.getBinaryFast(key)),
    getKeys: (range: Parameters<typeof postings.getKeys>[0]) => (reads++, postings.getKeys(range)),
  } as IndexTable<PostingKey>
  const recent = new RecentLists(moment)
  const scratch = new Scratch()
  const search = (): number => {
    scratch.reset()
    moment.renew()
    const among = new Postings()
    const step = 1 + Math.floor(random() * 4000)
    for (let page = Math.floor(random() * 50); page < PAGES; page += step) among.push(page, 0)
    reads = 0
    const kept = foundIn(new TermLists(counting, AREA, scratch, recent.of('bodyPostings', AREA)), among)
    expect(kept).toEqual(foundIn(new TermLists(postings, AREA), among))
    return reads
  }
  write(ALL, PAGES)
  write('rare', 8)
  write('middle', 600)
  write('common', 12_000)
  expect(search()).toBeGreaterThan(10)
  search()
  expect(search()).toBe(0)
  for (const term of ['common', 'rare', 'common', ALL]) {
    write(term, 300)
    expect(search()).toBeGreaterThan(0)
    search()
    expect(search()).toBe(0)
  }
})

test('a search that may read few postings gets a sample of a long list, from memory or not', () => {
  const { postings, write, moment } = writtenArea()
  write('common', 12_000)
  moment.renew()
  const lists = new TermLists(postings, AREA, new Scratch(), new RecentLists(moment).of('bodyPostings', AREA))
  const lengths = [ENOUGH, ENOUGH, 500, ENOUGH].map(
    (left) => lists.readAll(lists.find('common')!, { left }).length,
  )
  expect(lengths[2]).toBeLessThan(3000)
  expect([lengths[0], lengths[1], lengths[3]]).toEqual(Array(3).fill(lists.find('common')!.frequency))
})
