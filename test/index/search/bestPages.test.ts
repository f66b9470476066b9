import { expect, test } from 'vitest'
import { BestPages } from '../../../src/index/search/bestPages.js'
import { Candidates } from '../../../src/index/search/candidates.js'
import { randomNumbers } from '../../support/random.js'

test('are the first of all that were offered, sorted by score and then by id', () => {
  const random = randomNumbers(9)
  for (let round = 0; round < 300; round++) {
    const candidates = new Candidates(60)
    const offered: { page: number; score: number }[] = []
    const count = Math.floor(random() * 60)
    // Few different scores, so that many are equal.
    for (let page = 0; page < count; page++) candidates.push(page, Math.floor(random() * 8))
    const limit = Math.floor(random() * 20)
    const best = new BestPages(limit)
    const single = { page: 60 + Math.floor(random() * 10), score: Math.floor(random() * 8) }
    if (round % 2 === 0) best.offer(single.page, single.score)
    best.offerAll(candidates)
    if (round % 2 === 1) best.offer(single.page, single.score)
    for (let n = 0; n < count; n++) offered.push({ page: n, score: candidates.scores[n]! })
    const sorted = [...offered, single].sort((a, b) => b.score - a.score || a.page - b.page)
    expect(best.ranked()).toEqual(sorted.slice(0, limit))
  }
})
