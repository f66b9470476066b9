import { expect, test } from 'vitest'
import { type Turn, Turns } from '../../src/runtime/turns.js'

test('turns come one at a time, in order', async () => {
  const turns = new Turns(() => 0)
  const order: number[] = []
  const first = await turns.take()
  const others = [1, 2].map(async (n) => {
    const turn = await turns.take()
    order.push(n)
    return turn
  })
  await Promise.resolve()
  expect(order).toEqual([])
  first.end()
  const second = await others[0]!
  expect(order).toEqual([1])
  // Ends once only.
  first.end()
  await Promise.resolve()
  expect(order).toEqual([1])
  second.end()
  await others[1]
  expect(order).toEqual([1, 2])
})

test('a rest is told to later turns until it is over', async () => {
  let now = 0
  const turns = new Turns(() => now)
  const rest = async (restMs?: number): Promise<number> => {
    const turn: Turn = await turns.take()
    turn.end(restMs)
    return turn.restsMs
  }
  expect(await rest(100)).toBe(0)
  now = 30
  expect(await rest(10)).toBe(70)
  now = 100
  expect(await rest()).toBe(0)
})
