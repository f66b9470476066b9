import { describe, expect, test } from 'vitest'
import { BodyBudget, BodyCollector } from '../../../src/http/request/requestBody.js'

const MAX_BYTES = 2 ** 20
const BODIES = 16

/** How many bytes are left, found by taking them. */
function leftOf(budget: BodyBudget): number {
  let left = 0
  for (let part = MAX_BYTES * BODIES; part >= 1; part /= 2) {
    while (budget.take(part)) left += part
  }
  budget.give(left)
  return left
}

describe('a body', () => {
  test('in chunks of a byte each takes at most twice its bytes', async () => {
    const budget = new BodyBudget(MAX_BYTES)
    const body = new BodyCollector(budget, '')
    const length = 300_000
    for (let n = 1; n <= length; n++) body.add(Uint8Array.of(n % 251), n === length)
    const bytes = await body.whole
    expect(bytes).toHaveLength(length)
    expect([bytes[0], bytes[1000], bytes[length - 1]]).toEqual([1, 1001 % 251, length % 251])
    expect(MAX_BYTES * BODIES - leftOf(budget)).toBeLessThanOrEqual(2 * length)
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * length)
  })

  test('counts until it is released, and once', async () => {
    const budget = new BodyBudget(MAX_BYTES)
    const body = new BodyCollector(budget, '')
    body.add(new Uint8Array(1000), true)
    await body.whole
    expect(leftOf(budget)).toBe(MAX_BYTES * BODIES - 1000)
    body.release()
    body.release()
    expect(leftOf(budget)).toBe(MAX_BYTES * BODIES)
  })

  test('that is too large, or of a client that has gone, gives its memory back', async () => {
    const budget = new BodyBudget(MAX_BYTES)
    const large = new BodyCollector(budget, '')
    large.add(new Uint8Array(MAX_BYTES), false)
    large.add(new Uint8Array(1), true)
    await expect(large.whole).rejects.toMatchObject({ key: 'rest-body-too-large' })
    const gone = new BodyCollector(budget, '')
    gone.add(new Uint8Array(10), false)
    gone.abandon()
    await expect(gone.whole).rejects.toThrow('the client went away')
    expect(leftOf(budget)).toBe(MAX_BYTES * BODIES)
  })
})
