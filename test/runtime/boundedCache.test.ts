import { describe, expect, test } from 'vitest'
import { BoundedCache } from '../../src/runtime/boundedCache.js'

const cacheOf = (capacity: number) => new BoundedCache<number>(capacity, (_key, value) => value)

describe('a bounded cache', () => {
  test('gives back what was kept, and the newest value of a key', () => {
    const cache = cacheOf(20)
    cache.set('a', 1)
    cache.set('a', 2)
    expect([cache.get('a'), cache.get('b')]).toEqual([2, undefined])
  })

  test('forgets what was not used for a while', () => {
    const cache = cacheOf(10)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) cache.set(key, 2)
    // Halves of 5 hold two entries: e and f are young, c and d old.
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => cache.get(key) !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      true,
      true,
    ])
  })

  test('keeps what is used at every turn', () => {
    const cache = cacheOf(12)
    cache.set('kept', 1)
    for (let n = 0; n < 100; n++) {
      cache.set(`other ${n}`, 1)
      expect(cache.get('kept')).toBe(1)
    }
  })

  test('never weighs more than its capacity', () => {
    const cache = cacheOf(10)
    for (let n = 0; n < 1000; n++) {
      cache.set(`key ${n % 17}`, 1 + (n % 5))
      const kept = Array.from({ length: 17 }, (_, key) => key).filter((key) => n % 3 !== 0 && key === n % 17)
      for (const key of kept) cache.get(`key ${key}`)
    }
    const found = Array.from({ length: 17 }, (_, key) => cache.get(`key ${key}`) ?? 0)
    expect(found.reduce((sum, weight) => sum + weight)).toBeLessThanOrEqual(10)
  })

  test('does not take what would fill a half, and nothing at all without capacity', () => {
    const cache = cacheOf(10)
    cache.set('big', 6)
    expect(cache.get('big')).toBeUndefined()
    const none = cacheOf(0)
    none.set('a', 1)
    expect(none.get('a')).toBeUndefined()
  })

  test('forgets what it is told to', () => {
    const cache = cacheOf(10)
    cache.set('a', 1)
    cache.set('b', 1)
    cache.delete('a')
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 1])
    cache.clear()
    expect(cache.get('b')).toBeUndefined()
  })

  test('counts what was replaced or deleted until the halves change', () => {
    const cache = cacheOf(10)
    cache.set('a', 2)
    for (let n = 0; n < 2; n++) cache.set('changing', 1)
    cache.delete('changing')
    cache.set('b', 2)
    // The young half was full: `a` is old now, and the next change drops it.
    for (const key of ['c', 'd']) cache.set(key, 2)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, 2, 2, 2])
  })

  test('renews what it keeps beyond a change of its halves', () => {
    const renewed: { name: string }[] = []
    const cache = new BoundedCache<{ name: string }>(
      4,
      () => 1,
      (value) => void renewed.push(value),
    )
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name }))
    for (const value of [a!, b!, c!]) cache.set(value.name, value)
    expect(cache.get('c')).toBe(c)
    expect(renewed).toEqual([])
    expect(cache.get('a')).toBe(a)
    expect(renewed).toEqual([a])
  })
})
