import { expect, test } from 'vitest'
import { PagesOfDump } from '../../src/import/pagesOfDump.js'
import { randomNumbers } from '../support/random.js'

test(
  'pages that came are known, whether their ids are near or far from each other',
  { tags: ['slow'] },
  () => {
    const random = randomNumbers(7)
    const pages = new PagesOfDump()
    const naive = new Set<number>()
    const draw = (most: number): number => 1 + Math.floor(random() * most)
    for (let n = 0; n < 30_000; n++) {
      for (const most of [4e9, 100_000]) {
        const id = draw(most)
        expect(pages.has(id)).toBe(naive.has(id))
        pages.add({ id, line: n })
        naive.add(id)
      }
    }
    for (const id of naive) expect(pages.has(id)).toBe(true)
    for (const id of [1, 65_535, 65_536, 131_071, 4e9]) {
      pages.add({ id, line: 1 })
      expect(pages.has(id)).toBe(true)
    }
  },
)

test('lines are known of the first pages, and of each the first', () => {
  const pages = new PagesOfDump()
  for (let id = 1; id <= 150_000; id++) pages.add({ id, line: 10 * id })
  pages.add({ id: 1, line: 77 })
  expect([pages.lineOf(1), pages.lineOf(100_000), pages.lineOf(100_001)]).toEqual([10, 1_000_000, undefined])
  expect([pages.has(150_000), pages.has(150_001)]).toEqual([true, false])
})
