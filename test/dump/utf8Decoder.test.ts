import { describe, expect, test } from 'vitest'
import { NOT_UTF8, Utf8Decoder } from '../../src/dump/utf8Decoder.js'

function decodeAll(chunks: readonly Buffer[]): string {
  const decoder = new Utf8Decoder()
  return chunks.map((chunk) => decoder.decode(chunk)).join('') + decoder.end()
}

describe('Utf8Decoder', () => {
  test('keeps a byte order mark and counts the bytes behind each string', () => {
    const decoder = new Utf8Decoder()
    expect(decoder.decode(Buffer.from('\ufeffé').subarray(0, 4))).toBe('\ufeff')
    expect(decoder.decodedBytes).toBe(3)
    expect(decoder.decode(Buffer.from('é').subarray(1))).toBe('é')
    expect(decoder.decodedBytes).toBe(5)
  })

  test.each([
    ['a lone continuation byte', [0x61, 0x80, 0x62], `a${NOT_UTF8}b`],
    ['a sequence cut short by a letter', [0xe2, 0x82, 0x61], `${NOT_UTF8}a`],
    ['an overlong form', [0xc0, 0xaf], NOT_UTF8.repeat(2)],
    ['a surrogate', [0xed, 0xa0, 0x80], NOT_UTF8.repeat(3)],
    ['a sequence cut off by the end', [0x61, 0xf0, 0x9f, 0x98], `a${NOT_UTF8}`],
    ['damage beside a true U+FFFD', [0xe2, 0xef, 0xbf, 0xbd, 0xff], `${NOT_UTF8}\ufffd${NOT_UTF8}`],
    ['no byte', [], ''],
  ])('marks %s', (_case, bytes, expected) => {
    expect(decodeAll([Buffer.from(bytes)])).toBe(expected)
    expect(decodeAll(bytes.map((byte) => Buffer.from([byte])))).toBe(expected)
  })

  test('agrees with the Encoding Standard on any bytes, however they are cut', () => {
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    const LIKELY = [0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff]
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(
        Array.from({ length: 1 + random(40) }, () => LIKELY[random(LIKELY.length)] ?? 0),
      )
      const cut = random(bytes.length + 1)
      const expected = new TextDecoder('utf-8', { ignoreBOM: true })
        .decode(bytes)
        .replaceAll('\ufffd', NOT_UTF8)
      expect(decodeAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(expected)
    }
  })
})
