/** Thai words by ICU's dictionary, in runs of any length. */
import { describe, expect, test } from 'vitest'
import { segmenterBreaker } from '../../src/diff/thaiSegmenter.js'

const WORDS = ['ประเทศไทย', 'เป็น', 'ประเทศ', 'ใน', 'เอเชีย']

/** Where each word but the first starts. */
function startsOf(words: readonly string[]): number[] {
  let at = 0
  return words.slice(0, -1).map((word) => (at += word.length))
}

describe('the breaker of Thai runs', () => {
  test('cuts a run between its words', () => {
    expect(segmenterBreaker()(WORDS.join(''))).toEqual(startsOf(WORDS))
  })

  test('leaves one word whole, and the empty run', () => {
    expect(segmenterBreaker()('ไทย')).toEqual([])
    expect(segmenterBreaker()('')).toEqual([])
  })

  test('cuts a run that is far longer than any text has, at the same places', () => {
    const words = Array.from({ length: 6000 }, () => WORDS).flat()
    expect(segmenterBreaker()(words.join(''))).toEqual(startsOf(words))
  })

  test('gets to the end of a long run that is no word', () => {
    const starts = segmenterBreaker()('ๆ'.repeat(50_000))
    expect(starts.every((start, n) => start > (starts[n - 1] ?? 0))).toBe(true)
  })
})
