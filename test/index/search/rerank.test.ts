import { expect, test } from 'vitest'
import { rerank, type RerankSource } from '../../../src/index/search/rerank.js'
import { encodeIndexedRow, IndexedRowView } from '../../../src/index/rows/indexedRow.js'
import { randomNumbers } from '../../support/random.js'

const PAGES = 50

/** Texts of few words, so that the words of a query stand at all distances. */
function madeSource(random: () => number): RerankSource {
  const words = ['moon', 'white', 'of', 'and', 'the', 'sea', 'Moon', 'under', 'light', 'mooned']
  const views = Array.from({ length: PAGES }, (_, pageId) => {
    const text = Array.from({ length: 5 + Math.floor(random() * 80) }, () => {
      return words[Math.floor(random() ** 3 * words.length)]
    }).join(' ')
    return new IndexedRowView(
      encodeIndexedRow({
        ...{ pageId, namespace: 0, latestId: 1, dbkey: `P${pageId}`, key: `P${pageId}`, title: `P${pageId}` },
        ...{ description: undefined, redirect: undefined, files: [], auxiliary: '', textHidden: false, text },
      }),
    )
  })
  return { expect: () => undefined, viewOf: (page) => views[page], frequencyOf: (term) => term.length }
}

test.each([['white moon'], ['sea light'], ['light under sea'], ['sea mo']])(
  '%s: the best pages are the same, however many are wanted',
  (query) => {
    const random = randomNumbers(31)
    const sequence = query.split(' ').map((word) => [word, word] as const)
    for (let round = 0; round < 30; round++) {
      const source = madeSource(random)
      // Some scores are equal.
      const ranked = Array.from({ length: PAGES }, (_, page) => ({
        page,
        score: 1 + Math.floor(random() * 40) / 4,
      }))
      ranked.sort((a, b) => b.score - a.score || a.page - b.page)
      const all = rerank(ranked, { sequence }, query.endsWith('mo'), PAGES, source)
      const wanted = 1 + Math.floor(random() * 20)
      const best = rerank(ranked, { sequence }, query.endsWith('mo'), wanted, source)
      expect(best).toEqual(all.slice(0, wanted))
    }
  },
)

test('does not read texts that cannot be among the best', () => {
  const source = madeSource(randomNumbers(32))
  const read = new Set<number>()
  const ranked = Array.from({ length: PAGES }, (_, page) => ({ page, score: page < 5 ? 100 : 1 }))
  const sequence = [['white', 'white'] as const, ['moon', 'moon'] as const]
  const viewOf = (page: number): IndexedRowView | undefined => {
    read.add(page)
    return source.viewOf(page)
  }
  rerank(ranked, { sequence }, false, 5, { ...source, viewOf })
  expect([...read]).toEqual([0, 1, 2, 3, 4])
})
