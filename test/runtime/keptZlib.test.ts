import { setImmediate } from 'node:timers/promises'
import { constants, deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inflateView, KEPT_ROOM_BYTES, KeptZlib } from '../../src/runtime/keptZlib.js'
import { randomNumbers } from '../support/random.js'

const random = randomNumbers(11)
const textOf = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => 97 + Math.floor(random() * 8)))
const LENGTHS = [0, 1, 9000, KEPT_ROOM_BYTES - 1, KEPT_ROOM_BYTES, KEPT_ROOM_BYTES + 64, 300_000]

describe('an engine of zlib that is used again', () => {
  test('unpacks texts of all lengths, with and without an end', () => {
    for (const length of [...LENGTHS, ...LENGTHS.toReversed()]) {
      const text = textOf(length)
      const finishFlush = constants.Z_FULL_FLUSH
      expect(inflateView(deflateRawSync(text)).equals(text), `${length} bytes`).toBe(true)
      expect(inflateView(deflateRawSync(text, { finishFlush })).equals(text), `${length} bytes`).toBe(true)
    }
  })

  test('packs as the functions of Node do', () => {
    const [deflate, gzip] = [KeptZlib.deflate(6), KeptZlib.gzip(6)]
    for (const length of LENGTHS) {
      const text = textOf(length)
      const finishFlush = constants.Z_FULL_FLUSH
      expect(deflate.view(text).equals(deflateRawSync(text, { level: 6, finishFlush }))).toBe(true)
      expect(gzip.view(text).equals(gzipSync(text, { level: 6 }))).toBe(true)
    }
  })

  test('refuses damaged bytes, and goes on with others', () => {
    const text = textOf(5000)
    for (let n = 0; n < 20; n++) {
      expect(() => inflateView(Buffer.alloc(100, 0xff))).toThrow(/invalid/)
      expect(inflateView(deflateRawSync(text)).equals(text)).toBe(true)
    }
  })

  test('makes no new engine for each call', () => {
    const packed = deflateRawSync(textOf(9000))
    const first = inflateView(packed)
    expect(inflateView(packed).buffer).toBe(first.buffer)
    expect(inflateRawSync(packed).buffer).not.toBe(first.buffer)
  })

  test('leaves no listeners behind', async () => {
    const gzip = KeptZlib.gzip(1)
    const warnings: Error[] = []
    const note = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', note)
    for (let n = 0; n < 50; n++) gunzipSync(gzip.view(textOf(10)))
    // Warnings come in a later tick.
    await setImmediate()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})
