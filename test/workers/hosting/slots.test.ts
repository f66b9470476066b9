import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import { Slots } from '../../../src/workers/hosting/slots.js'

describe('slots', () => {
  test('are taken at once while there are some', async () => {
    const slots = new Slots({ slots: 2, maxWaiting: 0, maxWaitMs: 1 })
    await slots.take()
    await slots.take()
    await expect(slots.take()).rejects.toThrow(PoolFullError)
  })

  test('go to whoever waits longest', async () => {
    const slots = new Slots({ slots: 1, maxWaiting: 2, maxWaitMs: 60_000 })
    const order: string[] = []
    await slots.take()
    const first = slots.take().then(() => order.push('first'))
    const second = slots.take().then(() => order.push('second'))
    slots.release()
    await first
    slots.release()
    await second
    expect(order).toEqual(['first', 'second'])
  })

  test('are given up when none becomes free in time, and the place to wait in is free again', async () => {
    const slots = new Slots({ slots: 1, maxWaiting: 1, maxWaitMs: 1 })
    await slots.take()
    await expect(slots.take()).rejects.toThrow(TaskTimeoutError)
    const next = slots.take()
    slots.release()
    await expect(next).resolves.toBeUndefined()
  })

  test('are given up by each when its own time is up', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const slots = new Slots({ slots: 1, maxWaiting: 3, maxWaitMs: 200 })
    await slots.take()
    const first = expect(slots.take()).rejects.toThrow(TaskTimeoutError)
    await vi.advanceTimersByTimeAsync(100)
    const second = expect(slots.take()).rejects.toThrow(TaskTimeoutError)
    await vi.advanceTimersByTimeAsync(98)
    expect([slots.waiting, slots.expired]).toEqual([2, 0])
    await vi.advanceTimersByTimeAsync(3)
    await first
    expect([slots.waiting, slots.expired]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(96)
    expect([slots.waiting, slots.expired]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(4)
    await second
    expect([slots.waiting, slots.expired]).toEqual([0, 2])
  })

  test('become more, and those who wait get them', async () => {
    const slots = new Slots({ slots: 0, maxWaiting: 2, maxWaitMs: 60_000 })
    const first = slots.take()
    slots.resize(2)
    await first
    await slots.take()
    expect([slots.taken, slots.waiting]).toEqual([2, 0])
  })

  test('become fewer when jobs give them back, and more again', async () => {
    const slots = new Slots({ slots: 2, maxWaiting: 1, maxWaitMs: 60_000 })
    await slots.take()
    await slots.take()
    slots.resize(1)
    const third = slots.take()
    slots.release()
    expect([slots.taken, slots.waiting]).toEqual([1, 1])
    slots.release()
    await third
    slots.release()
    slots.resize(2)
    await slots.take()
    await slots.take()
    expect(slots.taken).toBe(2)
  })

  test('can be taken again after they were given back', async () => {
    const slots = new Slots({ slots: 1, maxWaiting: 0, maxWaitMs: 1 })
    await slots.take()
    slots.release()
    await expect(slots.take()).resolves.toBeUndefined()
  })
})
