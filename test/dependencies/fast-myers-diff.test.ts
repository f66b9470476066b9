/** Properties of fast-myers-diff that merges need. Only `diff` is fully documented. */
import { diff_core as findDifferences } from 'fast-myers-diff'
import { expect, test } from 'vitest'

const differences = (from: string, to: string): number[][] =>
  [...findDifferences(0, from.length, 0, to.length, (n, m) => from[n] === to[m])].map((range) => [...range])

test('diff_core of fast-myers-diff gives ranges [fromStart, fromEnd, toStart, toEnd] in order', () => {
  expect(differences('abcde', 'abXde')).toEqual([[2, 3, 2, 3]])
  expect(differences('abc', 'abc')).toEqual([])
  expect(differences('ab', 'xaby')).toEqual([
    [0, 0, 0, 1],
    [2, 2, 3, 4],
  ])
})

test('an error of the comparison comes out of diff_core, and ends it', () => {
  let calls = 0
  const equal = (): boolean => {
    if (++calls > 3) throw new RangeError('enough')
    return false
  }
  expect(() => [...findDifferences(0, 50, 0, 50, equal)]).toThrow('enough')
  expect(calls).toBe(4)
})

test.each([
  [
    'the second text, as the lengths add up to an odd number',
    'ab',
    'bca',
    [
      [0, 0, 0, 2],
      [1, 2, 3, 3],
    ],
  ],
  [
    'the first text, as they add up to an even one',
    'ab',
    'ba',
    [
      [0, 1, 0, 0],
      [2, 2, 1, 2],
    ],
  ],
])(
  'of equally short scripts diff_core takes the one that first leaves out from %s',
  (_case, from, to, script) => {
    expect(differences(from, to)).toEqual(script)
  },
)
