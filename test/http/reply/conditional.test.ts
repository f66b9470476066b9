import { describe, expect, test } from 'vitest'
import { rangeApplies, readRange } from '../../../src/http/reply/conditional.js'

describe('a range of 100 bytes', () => {
  test.each([
    ['', undefined],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=10-', { start: 10, end: 100 }],
    ['bytes=90-1000', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-1000', { start: 0, end: 100 }],
    ['bytes= 1-2 ', { start: 1, end: 3 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=500-600', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['items=0-1', undefined],
    ['bytes=1-99999999999999999999', undefined],
  ])('asked for as "%s"', (header, range) => {
    expect(readRange(header, 100)).toEqual(range)
  })

  test('of no bytes is never there', () => {
    expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
    expect(readRange('bytes=-5', 0)).toBe('unsatisfiable')
  })
})

test.each([
  ['', true],
  ['"a"', true],
  ['"b"', false],
  ['W/"a"', false],
  ['Wed, 01 Jan 2020 00:00:00 GMT', true],
  ['Wednesday, 01-Jan-20 00:00:00 GMT', true],
  ['Tue, 31 Dec 2019 00:00:00 GMT', false],
  ['Thu, 02 Jan 2020 00:00:00 GMT', false],
  ['Fri, 01 Jan 2100 00:00:00 GMT', false],
  ['yesterday', false],
  ['a', false],
  ['*', false],
  ['"a", "b"', false],
  ['"a', false],
])('If-Range: %s lets a part be sent: %s', (header, applies) => {
  expect(rangeApplies(header, { etag: '"a"', lastModified: Date.UTC(2020, 0, 1) / 1000 })).toBe(applies)
})

test.each(['Wed, 01 Jan 2020 00:00:00 GMT', 'yesterday', '"a"', 'undefined'])(
  'If-Range: %s names no state of what has no validators',
  (header) => {
    expect(rangeApplies(header, { etag: undefined, lastModified: undefined })).toBe(false)
  },
)
