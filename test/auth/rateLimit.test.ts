import { describe, expect, test } from 'vitest'
import { addressKey, RateLimit } from '../../src/auth/rateLimit.js'

describe('a rate limit', () => {
  const taken = (limit: RateLimit, key: string, times: number, nowMs: number) =>
    Array.from({ length: times }, () => limit.take(key, nowMs)).filter(Boolean).length

  test('allows so many events of a key within the window, and of others as many', () => {
    const limit = new RateLimit(3, 1000)
    expect(taken(limit, 'a', 5, 0)).toBe(3)
    expect(taken(limit, 'a', 5, 999)).toBe(0)
    expect(taken(limit, 'b', 5, 999)).toBe(3)
  })

  test('lets the window slide', () => {
    const limit = new RateLimit(4, 1000)
    expect(taken(limit, 'a', 9, 900)).toBe(4)
    expect(taken(limit, 'a', 9, 1000)).toBe(0)
    // Half of the window before has gone by, and with it half of its events.
    expect(taken(limit, 'a', 9, 1500)).toBe(2)
    expect(taken(limit, 'a', 9, 5000)).toBe(4)
  })

  test('forgets an event that is given back', () => {
    const limit = new RateLimit(2, 1000)
    limit.take('a', 0)
    limit.giveBack('a')
    limit.giveBack('b')
    expect(taken(limit, 'a', 5, 0)).toBe(2)
    limit.giveBack('a')
    expect(taken(limit, 'a', 5, 0)).toBe(1)
  })

  test('lets keys beyond its memory share one count', () => {
    const limit = new RateLimit(2, 1000)
    for (let n = 0; n < 50_000; n++) limit.take(`${n}`, 0)
    expect(taken(limit, 'new 1', 3, 0)).toBe(2)
    expect(taken(limit, 'new 2', 3, 0)).toBe(0)
    expect(taken(limit, '7', 3, 0)).toBe(1)
  })
})

test('an IPv6 client is known by its network', () => {
  expect(addressKey('2001:DB8:0:0:1:2:3:4')).toBe('2001:DB8:0:0')
  expect(addressKey('192.0.2.1')).toBe('192.0.2.1')
})
