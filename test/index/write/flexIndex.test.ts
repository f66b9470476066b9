/** The changes that an index hands over; test/dependencies/flexsearch.test.ts checks what it relies on inside of FlexSearch. */
import { expect, test } from 'vitest'
import { FlexIndex } from '../../../src/index/write/flexIndex.js'
import { slotOf, TEXT_REFERENCE } from '../../../src/index/rows/impact.js'
import { GONE } from '../../../src/index/write/termChanges.js'

function changes(index: FlexIndex): Record<string, [page: number, slot: number][]> {
  const { terms, offsets, pages, slots } = index.takeChanges()
  const entries = terms.map((term, n) => {
    const range = Array.from({ length: offsets[n + 1]! - offsets[n]! }, (_, m) => offsets[n]! + m)
    return [term, range.map((at): [number, number] => [pages[at]!, slots[at]!])] as const
  })
  return Object.fromEntries(entries)
}

test('terms come out with the slots that our score gives them', () => {
  const index = new FlexIndex(TEXT_REFERENCE)
  index.replace(7, undefined, 'moon moon sun')
  index.replace(3, undefined, 'sun')
  const [once, twice] = [slotOf(1, 3, TEXT_REFERENCE), slotOf(2, 3, TEXT_REFERENCE)]
  const alone = slotOf(1, 1, TEXT_REFERENCE)
  expect(changes(index)).toEqual({
    moon: [[7, twice]],
    sun: [
      [3, alone],
      [7, once],
    ],
  })
  expect(twice).toBeLessThan(once)
})

test('only what differs from the text before comes out', () => {
  const index = new FlexIndex(TEXT_REFERENCE)
  const long = 'word '.repeat(100)
  index.replace(7, `moon sun ${long}`, `moon star star ${long}`)
  const { moon, ...others } = changes(index)
  expect(moon).toBeUndefined()
  expect(Object.keys(others).sort()).toEqual(['star', 'sun'])
  expect(others['sun']).toEqual([[7, GONE]])
  index.replace(7, 'moon', undefined)
  expect(changes(index)).toEqual({ moon: [[7, GONE]] })
  expect(changes(index)).toEqual({})
})

test('words that are names of object fields are words', () => {
  const index = new FlexIndex(TEXT_REFERENCE)
  index.replace(1, undefined, 'constructor __proto__ toString hasOwnProperty')
  expect(Object.keys(changes(index)).sort()).toEqual(['constructor', 'hasownproperty', 'proto', 'tostring'])
})
