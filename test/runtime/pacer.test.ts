import { expect, test } from 'vitest'
import { Pacer } from '../../src/runtime/pacer.js'

/** Counts turns of the event loop until it is stopped. */
function countTurns(): { now(): number; stop(): void } {
  let turns = 0
  let isOn = true
  const count = (): void => {
    turns++
    if (isOn) setImmediate(count)
  }
  setImmediate(count)
  return { now: () => turns, stop: () => (isOn = false) }
}

test('the first piece of work begins in the same turn, each other in one of its own, in order', async () => {
  const pacer = new Pacer()
  const turns = countTurns()
  const begun: [piece: number, turn: number][] = []
  await Promise.all([0, 1, 2, 3, 4].map((piece) => pacer.turn().then(() => begun.push([piece, turns.now()]))))
  turns.stop()
  expect(begun.map(([piece]) => piece)).toEqual([0, 1, 2, 3, 4])
  expect(begun[0]![1]).toBe(0)
  expect(new Set(begun.map(([, turn]) => turn)).size).toBe(5)
})

test('work that comes alone never waits', async () => {
  const pacer = new Pacer()
  for (let n = 0; n < 3; n++) {
    const turns = countTurns()
    await pacer.turn()
    expect(turns.now()).toBe(0)
    turns.stop()
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
})
