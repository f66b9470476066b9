import { expect, test } from 'vitest'
import { similarTerms } from '../../../src/index/search/spelling.js'
import { TermLists } from '../../../src/index/search/termLists.js'
import type { Store } from '../../../src/storage/store.js'
import { randomNumbers } from '../../support/random.js'
import { wikiWith } from '../../support/searchWiki.js'

const listsOf = (store: Store): TermLists => new TermLists(store.search.inForce().bodyPostings, 0)

/** Edit distance with swaps, from the definition. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, n) =>
    Array.from({ length: b.length + 1 }, (_, m) => (n === 0 ? m : m === 0 ? n : 0)),
  )
  for (let n = 1; n <= a.length; n++) {
    for (let m = 1; m <= b.length; m++) {
      const change = rows[n - 1]![m - 1]! + (a[n - 1] === b[m - 1] ? 0 : 1)
      let least = Math.min(change, rows[n - 1]![m]! + 1, rows[n]![m - 1]! + 1)
      const isSwap = n > 1 && m > 1 && a[n - 1] === b[m - 2] && a[n - 2] === b[m - 1]
      if (isSwap) least = Math.min(least, rows[n - 2]![m - 2]! + 1)
      rows[n]![m] = least
    }
  }
  return rows[a.length]![b.length]!
}

test('similar terms are those with one error, the most frequent first', () => {
  const random = randomNumbers(77)
  const word = (): string =>
    Array.from({ length: 4 + Math.floor(random() * 3) }, () => 'abä한'[Math.floor(random() * 4)]!).join('')
  const words = [...new Set(Array.from({ length: 400 }, word))]
  const { store } = wikiWith({ Words: words.join(' '), More: words.slice(0, 100).join(' ') })
  const lists = listsOf(store)
  const folded = words.map((each) => each.replaceAll('ä', 'a'))
  let compared = 0
  for (const wrong of Array.from({ length: 200 }, word).map((each) => each.replaceAll('ä', 'a'))) {
    if (folded.includes(wrong)) continue
    const similar = [...new Set(folded)].filter((term) => distance(term, wrong) === 1)
    const frequencies = similar.map((term) => lists.frequencyOf(term)).sort((a, b) => b - a)
    const found = similarTerms(lists, wrong)
    compared++
    expect(found.filter((term) => !similar.includes(term))).toEqual([])
    expect(found.map((term) => lists.frequencyOf(term))).toEqual(frequencies.slice(0, 3))
  }
  expect(compared).toBeGreaterThan(20)
})

test('long words may have two errors in their second half', () => {
  const lists = listsOf(wikiWith({ Words: 'photosynthesis einstein' }).store)
  expect(similarTerms(lists, 'photosynhtessis')).toEqual(['photosynthesis'])
  expect(similarTerms(lists, 'fotosyntesis')).toEqual([])
})

test('short and very long words are not corrected', () => {
  const lists = listsOf(wikiWith({ Words: `moo ${'a'.repeat(30)}` }).store)
  expect(similarTerms(lists, 'mop')).toEqual([])
  expect(similarTerms(lists, `${'a'.repeat(29)}b`)).toEqual([])
})

test('a look at the terms ends in a vocabulary of any size', () => {
  const { store } = wikiWith({})
  let rows = 0
  const table = {
    ...store.search.inForce().bodyPostings,
    getBinaryFast: () => undefined,
    *getKeys({ start }: { start: readonly [number, string, number] }) {
      rows++
      // Every beginning has a term, and none is similar to the word.
      yield [start[0], `${start[1]}qq`, 0] as const
    },
  }
  expect(similarTerms(new TermLists(table as never, 0), 'abcdefgh')).toEqual([])
  expect(rows).toBeLessThanOrEqual(2000)
})
