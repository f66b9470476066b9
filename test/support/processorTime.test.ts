/** The measure by which other tests tell linear from quadratic work. */
// @module-tag slow
import { expect, test } from 'vitest'
import { growth, MOST_GROWTH } from './processorTime.js'

/** Adds numbers up, so that nothing of the loop can be left out. */
function count(steps: number): number {
  let sum = 0
  for (let n = 0; n < steps; n++) sum += n % 7
  return sum
}

test('linear work stays below the bound', () => {
  expect(growth((length) => count(length), 20_000_000)).toBeLessThan(MOST_GROWTH)
})

test('quadratic work exceeds it', () => {
  expect(growth((length) => count(length ** 2), 4000)).toBeGreaterThan(MOST_GROWTH)
})
