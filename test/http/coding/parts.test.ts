import { crc32, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { AnswerRoom, combineCrc, gzipOf } from '../../../src/http/coding/parts.js'
import { packPart } from '../../../src/storage/html/packedHtml.js'
import { randomNumbers } from '../../support/random.js'

const room = new AnswerRoom()
const random = randomNumbers(7)
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => Math.floor(random() * 8)))

describe('the CRC of two texts together', () => {
  test.each([
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [3, 65_537],
    [100_000, 1],
    [4096, 4096],
    [12_345, 67_890],
  ])('of %i and %i bytes', (first, second) => {
    const [a, b] = [bytes(first), bytes(second)]
    expect(combineCrc(crc32(a), crc32(b), second)).toBe(crc32(Buffer.concat([a, b])))
  })
})

describe('a stream of parts', () => {
  test.each([[[0]], [[1]], [[0, 0]], [[10, 0, 20]], [[70_000, 3]], [[1, 200_000, 1, 1]]])(
    'of %j bytes is gzip',
    (lengths) => {
      const texts = lengths.map(bytes)
      expect(gunzipSync(gzipOf(texts.map(packPart), room)).equals(Buffer.concat(texts))).toBe(true)
    },
  )

  test('may have texts of all lengths between parts, and parts that answers share', () => {
    const shared = Buffer.from('shared by all pages')
    for (const length of [0, 1, 159, 160, 161, 3000, 70_000]) {
      const text = `${'ä'.repeat(length / 2)}${'a'.repeat(length % 2)}`
      const parts = [text, { ...packPart(shared), plain: shared }, text, packPart(bytes(50)), text]
      const whole = parts.map((part) =>
        typeof part === 'string' ? Buffer.from(part) : gunzipSync(gzipOf([part], room)),
      )
      expect(gunzipSync(gzipOf(parts, room)).equals(Buffer.concat(whole))).toBe(true)
    }
  })

  test('may repeat a part', () => {
    const part = packPart(Buffer.from('again and '))
    expect(gunzipSync(gzipOf([part, part, packPart(Buffer.from('again'))], room)).toString()).toBe(
      'again and again and again',
    )
  })
})
