import { describe, expect, test } from 'vitest'
import { Doorkeeper } from '../../../src/http/cache/hotAnswers.js'

describe('a doorkeeper', () => {
  test('admits a key from its second time on', () => {
    const door = new Doorkeeper(64)
    expect(['a', 'a', 'a', 'b', 'a', 'b'].map((key) => door.admits(key))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ])
  })

  test('tells keys apart that are alike, whatever their alphabet', () => {
    const door = new Doorkeeper(1 << 16)
    const keys = Array.from({ length: 500 }, (_, n) => [
      `/v1/page/${n}`,
      `/v1/page/Страница_${n}`,
      '/'.repeat(n),
    ])
    for (const key of keys.flat()) expect(door.admits(key)).toBe(false)
  })

  test('admits keys that come round and round, all but a few in a thousand', () => {
    const door = new Doorkeeper(1 << 14)
    const keys = Array.from({ length: 2000 }, (_, n) => `/v1/page/${n}`)
    for (const key of keys) door.admits(key)
    expect(keys.filter((key) => !door.admits(key)).length).toBeLessThan(10)
  })

  test('forgets what came long ago, and never grows', () => {
    const door = new Doorkeeper(16)
    door.admits('first')
    for (let n = 0; n < 1000; n++) door.admits(`key ${n}`)
    expect(door.admits('first')).toBe(false)
  })
})
