import { expect, test } from 'vitest'
import { visitSegments, visitUtf8Segments } from '../../../src/index/text/segments.js'
import { randomNumbers } from '../../support/random.js'

const PARTS = [
  'moon',
  'é',
  ' ',
  '3',
  '說',
  'ไทย',
  'ゲーム',
  '。',
  '𠀀',
  '😀',
  '𝒳',
  'か\u3099',
  'ｶﾞ',
  '㊀',
  '\u00ad',
]

test('segments of UTF-8 are those of the text, with voicing marks', () => {
  const random = randomNumbers(5)
  for (let n = 0; n < 1000; n++) {
    const length = Math.floor(random() * 10)
    const parts = Array.from({ length }, () => PARTS[Math.floor(random() * PARTS.length)]!)
    const text = parts.join('')
    const expected: [string, boolean][] = []
    const plain = text.replace(/[\u3099ﾞ]/g, 'ー')
    visitSegments(plain, (start, end, unspaced) => expected.push([text.slice(start, end), unspaced]))
    const bytes = Buffer.from(`說${text}說`)
    const found: [string, boolean][] = []
    visitUtf8Segments(bytes, 3, bytes.length - 3, (start, end, unspaced) => {
      found.push([bytes.toString('utf8', start, end), unspaced])
    })
    expect([text, found]).toEqual([text, expected])
  }
})
