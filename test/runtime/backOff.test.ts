import { expect, test } from 'vitest'
import { BackOff } from '../../src/runtime/pause.js'

test('waits twice as long each time, ten seconds at most', () => {
  const backOff = new BackOff()
  const waits = Array.from({ length: 9 }, () => backOff.delayAfter(500))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
})

test('begins anew after a run of a minute', () => {
  const backOff = new BackOff()
  backOff.delayAfter(0)
  backOff.delayAfter(0)
  expect([backOff.delayAfter(60_000), backOff.delayAfter(59_999)]).toEqual([100, 200])
})
