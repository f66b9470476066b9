import { describe, expect, test } from 'vitest'
import { ReadLimit } from '../../../src/http/access/readLimit.js'

/** Of `reads` reads at one moment, the number that the limit allows. */
const answered = (limit: ReadLimit, address: string, reads: number, nowMs: number): number =>
  Array.from({ length: reads }, () => limit.take(address, nowMs)).filter((seconds) => seconds === 0).length

describe('a limit of reads', () => {
  test('allows ten seconds of the rate at once, then the rate', () => {
    const limit = new ReadLimit(5)
    expect(answered(limit, '192.0.2.1', 100, 0)).toBe(50)
    expect(answered(limit, '192.0.2.1', 100, 1000)).toBe(5)
    expect(answered(limit, '192.0.2.1', 100, 1100)).toBe(0)
    expect(answered(limit, '192.0.2.1', 100, 1200)).toBe(1)
    expect(answered(limit, '192.0.2.1', 100, 3_600_000)).toBe(50)
  })

  test('says after how many seconds the next read is answered', () => {
    const limit = new ReadLimit(1)
    expect(answered(limit, 'a', 10, 0)).toBe(10)
    expect(limit.take('a', 0)).toBe(1)
    expect(limit.take('a', 1000)).toBe(0)
  })

  test('is one for each address, and for each /64 of IPv6', () => {
    const limit = new ReadLimit(1)
    expect(answered(limit, '192.0.2.1', 20, 0)).toBe(10)
    expect(answered(limit, '192.0.2.2', 20, 0)).toBe(10)
    expect(answered(limit, '2001:DB8:0:0:0:0:0:1', 20, 0)).toBe(10)
    expect(answered(limit, '2001:DB8:0:0:1:2:3:4', 20, 0)).toBe(0)
    expect(answered(limit, '2001:DB8:0:1:0:0:0:1', 20, 0)).toBe(10)
  })

  test('does not lend from a clock that goes back', () => {
    const limit = new ReadLimit(1)
    expect(answered(limit, 'a', 20, 10_000)).toBe(10)
    expect(answered(limit, 'a', 20, 0)).toBe(0)
    expect(answered(limit, 'a', 20, 1000)).toBe(1)
  })

  test('remembers no more than so many addresses', () => {
    const limit = new ReadLimit(1)
    expect(answered(limit, 'first', 20, 0)).toBe(10)
    for (let n = 0; n < 200_000; n++) limit.take(String(n), 0)
    // Forgotten by now, so it begins again.
    expect(answered(limit, 'first', 20, 0)).toBe(10)
  })
})
