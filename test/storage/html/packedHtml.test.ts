import { describe, expect, test } from 'vitest'
import { lengthOf, packedParts, packInParts, unpackParts } from '../../../src/storage/html/packedHtml.js'

const HTML = Buffer.from(`<html><body>${'<p>Süß &amp; warm.</p>'.repeat(500)}</body></html>`)
const BODY = [12, HTML.length - 14]

describe('packed HTML', () => {
  test.each([[[]], [BODY], [[0, HTML.length]], [[5, 5, 5]]])('with cuts at %j has its bytes', (cuts) => {
    const parts = packedParts(Buffer.from(packInParts(HTML, cuts)))
    expect(parts).toHaveLength(cuts.length + 1)
    expect(lengthOf(parts)).toBe(HTML.length)
    expect(unpackParts(parts).equals(HTML)).toBe(true)
  })

  test('gives each part alone', () => {
    const parts = packedParts(Buffer.from(packInParts(HTML, BODY)))
    expect(unpackParts([parts[0]!]).toString()).toBe('<html><body>')
    expect(unpackParts([parts[2]!]).toString()).toBe('</body></html>')
    expect(unpackParts([parts[1]!]).equals(HTML.subarray(...BODY))).toBe(true)
  })

  test('is far smaller', () => {
    expect(packInParts(HTML, BODY).length).toBeLessThan(HTML.length / 20)
  })

  test('of nothing is nothing', () => {
    expect(unpackParts(packedParts(Buffer.from(packInParts(Buffer.alloc(0), []))))).toHaveLength(0)
  })

  test('that is cut off or damaged is refused', () => {
    const packed = Buffer.from(packInParts(HTML, BODY))
    expect(() => packedParts(packed.subarray(0, packed.length - 1))).toThrow(RangeError)
    expect(() => packedParts(packed.subarray(0, 8))).toThrow(RangeError)
    const longer = packedParts(packed).map((part) => ({ ...part, length: 1 }))
    expect(() => unpackParts(longer)).toThrow()
  })
})
