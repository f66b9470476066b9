import { expect, test } from 'vitest'
import type { JoinedChanges } from '../../../src/index/write/bulkIndex.js'
import { mergeChanges } from '../../../src/index/write/bulk.js'
import { randomNumbers } from '../../support/random.js'

type Change = readonly [term: string, page: number, slot: number]

const TERMS = ['a', 'ab', 'b', 'é', '漢']
const inOrder = ([a, one]: Change, [b, other]: Change): number => (a === b ? one - other : a < b ? -1 : 1)

/** The changes of one thread, which are in order. */
function joined(changes: readonly Change[]): JoinedChanges {
  const terms = [...new Set(changes.map(([term]) => term))]
  const offsets = [0, ...terms.map((term) => changes.findLastIndex(([ofTerm]) => ofTerm === term) + 1)]
  return {
    terms: terms.join(' '),
    offsets: Uint32Array.from(offsets),
    pages: Uint32Array.from(changes, ([, page]) => page),
    slots: Uint8Array.from(changes, ([, , slot]) => slot),
  }
}

test.each([
  ['all', []],
  ['those that are not stale', [2, 3]],
])('merging the changes of several threads gives %s, by term and page', (_case, stale) => {
  const random = randomNumbers(7)
  for (let round = 0; round < 300; round++) {
    const threads = 1 + (round % 4)
    const share = random()
    const changes = TERMS.flatMap((term) =>
      Array.from({ length: 10 }, (_, page) => [term, page, round % 16] as const),
    )
      .filter(() => random() < share)
      .toSorted(inOrder)
    const parts = Array.from({ length: threads }, (_, thread) =>
      joined(changes.filter(([, page]) => page % threads === thread)),
    )
    const merged: Change[] = []
    for (const { term, pages, slots, from, to } of mergeChanges(parts, new Set<number>(stale)))
      for (let n = from; n < to; n++) merged.push([term, pages[n]!, slots[n]!])
    expect(merged).toEqual(changes.filter(([, page]) => !stale.includes(page)))
  }
})
