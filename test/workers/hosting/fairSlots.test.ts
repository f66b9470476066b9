import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FairLimits, FairSlots, type TakenSlot } from '../../../src/workers/hosting/fairSlots.js'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'

/** Jobs that are told when to begin, and take as long as they say, without any time passing. */
class Jobs {
  readonly slots: FairSlots
  /** Names of jobs in the order in which they got a slot. */
  readonly begun: string[] = []
  readonly failed: string[] = []
  readonly #running: (() => void)[] = []

  constructor(limits: Partial<FairLimits> = {}) {
    this.slots = new FairSlots({ slots: 1, maxWaiting: 100, maxWaitMs: 60_000, ...limits })
  }

  ask(client: string, name: string, usedMs = 1): void {
    this.slots.take(client).then(
      ({ release }) => {
        this.begun.push(name)
        this.#running.push(() => release(usedMs))
      },
      (error: Error) => this.failed.push(`${name} ${error.name}`),
    )
  }

  /** Ends the jobs one after the other until none is left, or `count` of them. */
  async finish(count = Infinity): Promise<void> {
    await settled()
    for (let n = 0; n < count && this.#running.length > 0; n++) {
      this.#running.shift()!()
      await settled()
    }
  }
}

/** All that has been decided has also been told. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Time passes until a promise is kept. */
async function elapse<Value>(promise: Promise<Value>): Promise<Value> {
  let isKept = false
  const keep = (): void => void (isKept = true)
  promise.then(keep, keep)
  while (!isKept) await vi.advanceTimersByTimeAsync(50)
  return promise
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('fair slots', () => {
  test('go to one client in the order in which it asks', async () => {
    const jobs = new Jobs()
    for (const name of ['1', '2', '3', '4']) jobs.ask('a', name)
    await jobs.finish()
    expect(jobs.begun).toEqual(['1', '2', '3', '4'])
  })

  test('go to clients in turns, however many jobs one of them has waiting', async () => {
    const jobs = new Jobs()
    for (const name of ['a1', 'a2', 'a3', 'a4']) jobs.ask('a', name)
    for (const name of ['b1', 'b2']) jobs.ask('b', name)
    await jobs.finish()
    expect(jobs.begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  test('are shared by the time that they are used, not by jobs', async () => {
    const jobs = new Jobs()
    for (const name of ['a1', 'a2']) jobs.ask('a', name, 5)
    for (let n = 1; n <= 8; n++) jobs.ask('b', `b${n}`, 1)
    await jobs.finish()
    expect(jobs.begun).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'b5', 'a2', 'b6', 'b7', 'b8'])
  })

  test('give a newcomer its turn before those who had more of it', async () => {
    const jobs = new Jobs()
    for (const client of ['a', 'b', 'c', 'd'])
      for (let n = 1; n <= 5; n++) jobs.ask(client, `${client}${n}`, 10)
    await jobs.finish(6)
    const before = jobs.begun.length
    jobs.ask('new', 'new')
    await jobs.finish(2)
    expect(jobs.begun.slice(before)).toEqual(['d2', 'new'])
  })

  test('save up nothing for a client that was away', async () => {
    const jobs = new Jobs()
    jobs.ask('b', 'b0')
    for (let n = 1; n <= 6; n++) jobs.ask('a', `a${n}`)
    await jobs.finish(5)
    for (let n = 1; n <= 3; n++) jobs.ask('b', `b${n}`)
    await jobs.finish()
    expect(jobs.begun.slice(5)).toEqual(['a5', 'b1', 'a6', 'b2', 'b3'])
  })

  test('are not all given to one client while another waits', async () => {
    const jobs = new Jobs({ slots: 2 })
    for (let n = 1; n <= 4; n++) jobs.ask('a', `a${n}`)
    jobs.ask('b', 'b1')
    await jobs.finish(1)
    expect(jobs.begun).toEqual(['a1', 'a2', 'b1'])
  })

  test('push out the newest job of the longest queue when there is no room', async () => {
    const jobs = new Jobs({ maxWaiting: 4 })
    for (let n = 0; n <= 5; n++) jobs.ask('a', `a${n}`)
    for (const name of ['b1', 'b2', 'b3']) jobs.ask('b', name)
    jobs.ask('c', 'c1')
    await jobs.finish()
    expect(jobs.failed.toSorted()).toEqual(
      ['a2', 'a3', 'a4', 'a5', 'b3'].map((name) => `${name} PoolFullError`),
    )
    expect(jobs.begun).toEqual(['a0', 'b1', 'c1', 'a1', 'b2'])
    expect(jobs.slots.refused).toBe(5)
  })

  test('are given up when none becomes free in time, by every client', async () => {
    const slots = new FairSlots({ slots: 1, maxWaiting: 4, maxWaitMs: 1 })
    const { release } = await slots.take('a')
    const waits = ['a', 'b', 'b'].map((client) => slots.take(client))
    const failures = await elapse(Promise.allSettled(waits))
    for (const failure of failures)
      expect(failure).toMatchObject({ reason: expect.any(TaskTimeoutError) as TaskTimeoutError })
    expect([slots.waiting, slots.expired, slots.taken]).toEqual([0, 3, 1])
    release(1)
    await expect(slots.take('b')).resolves.toBeDefined()
  })

  test('are refused at once where nobody may wait', async () => {
    const slots = new FairSlots({ slots: 1, maxWaiting: 0, maxWaitMs: 1 })
    await slots.take('a')
    await expect(slots.take('b')).rejects.toThrow(PoolFullError)
  })
})

describe('fair slots of jobs that do not end', () => {
  /** Takes a slot for a job that runs until it is ended. */
  async function hang(slots: FairSlots, client: string): Promise<Error> {
    const slot = await slots.take(client)
    return new Promise((resolve) => {
      const beganMs = performance.now()
      slot.end = (reason) => {
        slot.release(performance.now() - beganMs)
        resolve(reason)
      }
    })
  }

  test('are taken from a client that has all of them when another one waits, not from one with a single slot', async () => {
    const slots = new FairSlots({ slots: 3, maxWaiting: 100, maxWaitMs: 60_000 })
    const ended: string[] = []
    const errors: Error[] = []
    for (const client of ['a', 'a', 'b']) {
      void hang(slots, client).then((error) => {
        ended.push(client)
        errors.push(error)
      })
    }
    const { waitedMs } = await elapse(slots.take('c'))
    await settled()
    expect(ended).toEqual(['a'])
    expect(errors[0]).toMatchObject({ name: 'TaskTimeoutError', isOverrun: false })
    expect(waitedMs).toBeLessThan(20_000)
  })

  test('leave one free for others, once a client has used much', async () => {
    const jobs = new Jobs({ slots: 2 })
    jobs.ask('a', 'a1', 60_000)
    jobs.ask('b', 'b1')
    await jobs.finish()
    for (const name of ['a2', 'a3']) jobs.ask('a', name)
    await settled()
    expect(jobs.begun).toEqual(['a1', 'b1', 'a2'])
    jobs.ask('b', 'b2')
    await settled()
    expect(jobs.begun).toEqual(['a1', 'b1', 'a2', 'b2'])
    await jobs.finish()
    expect(jobs.begun.at(-1)).toBe('a3')
  })

  test('are taken from two clients with one slot each, after half of the longest wait', async () => {
    const slots = new FairSlots({ slots: 2, maxWaiting: 100, maxWaitMs: 16_000 })
    const ended: string[] = []
    for (const client of ['a', 'b']) void hang(slots, client).then(() => ended.push(client))
    const { waitedMs, release } = await elapse(slots.take('c'))
    await settled()
    expect(ended).toHaveLength(1)
    expect(waitedMs).toBeGreaterThanOrEqual(8000)
    // The client whose job was ended does not get the last slot again at once.
    void hang(slots, ended[0]!).then(() => ended.push('again'))
    release(1)
    const next = await elapse(slots.take('c'))
    expect(next.waitedMs).toBeLessThan(1000)
    next.release(1)
    expect(ended).toHaveLength(1)
  })

  test('keep an only slot until their client has used much', async () => {
    const slots = new FairSlots({ slots: 1, maxWaiting: 100, maxWaitMs: 60_000 })
    void hang(slots, 'slow')
    const { waitedMs } = await elapse(slots.take('other'))
    expect(waitedMs).toBeGreaterThanOrEqual(5000)
  })

  test('leave no slot free for others that use as much', async () => {
    const jobs = new Jobs({ slots: 2 })
    for (const client of ['a', 'b']) jobs.ask(client, `${client}1`, 60_000)
    await jobs.finish()
    for (const client of ['a', 'b']) jobs.ask(client, `${client}2`)
    await settled()
    expect(jobs.begun).toEqual(['a1', 'b1', 'a2', 'b2'])
  })
})

describe('an extra slot', () => {
  const IDLE_MS = 200

  /** Slots with an extra one, and a promise of its end. */
  function openSlots(slots: number): { slots: FairSlots; closed: Promise<void> } {
    let close: () => void = () => undefined
    const closed = new Promise<void>((resolve) => (close = resolve))
    const extra = { idleMs: IDLE_MS, onOpen: () => undefined, onClose: close }
    return { slots: new FairSlots({ slots, maxWaiting: 100, maxWaitMs: 60_000, extra }), closed }
  }

  async function work(slots: FairSlots, client: string): Promise<TakenSlot> {
    const slot = await slots.take(client)
    slot.workingSinceMs = performance.now()
    return slot
  }

  test('is for one client without a job while others work long, and stays open for a while', async () => {
    const { slots, closed } = openSlots(2)
    const held = [await work(slots, 'a'), await work(slots, 'b')]
    const more = ['a', 'b'].map((client) => slots.take(client))
    const first = await elapse(slots.take('c'))
    expect(first.waitedMs).toBeGreaterThan(100)
    expect(slots.taken).toBe(3)
    const last = slots.take('d')
    first.release(1)
    expect((await last).waitedMs).toBeLessThan(first.waitedMs)
    expect([slots.taken, slots.waiting]).toEqual([3, 2])
    ;(await last).release(1)
    const again = await slots.take('c')
    expect(again.waitedMs).toBe(0)
    again.release(1)
    for (const { release } of held) release(1)
    for (const { release } of await Promise.all(more)) release(1)
    await elapse(closed)
    expect(slots.taken).toBe(0)
  })

  test('opens ahead of the next client when long jobs have all slots, and stays open while they work', async () => {
    const [onOpen, onClose] = [vi.fn(), vi.fn()]
    const extra = { idleMs: IDLE_MS, onOpen, onClose }
    const slots = new FairSlots({ slots: 2, maxWaiting: 100, maxWaitMs: 60_000, extra })
    const held = [await work(slots, 'a'), await work(slots, 'a')]
    await vi.advanceTimersByTimeAsync(10_000)
    expect([onOpen.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0])
    for (let n = 0; n < 2; n++) {
      const { waitedMs, release } = await slots.take('b')
      expect([waitedMs, slots.taken]).toEqual([0, 3])
      release(1)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect([onOpen.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0])
    for (const { release } of held) release(1)
    await vi.advanceTimersByTimeAsync(IDLE_MS)
    expect([slots.taken, onClose.mock.calls.length]).toEqual([0, 1])
  })

  test('does not open for jobs whose threads start', async () => {
    const { slots } = openSlots(1)
    const { release } = await slots.take('a')
    let isIn = false
    const other = slots.take('b').finally(() => (isIn = true))
    // A client that may wait for longer than the other one before the extra slot opens.
    const { slots: beside } = openSlots(1)
    await work(beside, 'a')
    const { waitedMs } = await elapse(beside.take('b'))
    expect(waitedMs).toBeGreaterThan(0)
    expect(isIn).toBe(false)
    release(1)
    ;(await other).release(1)
  })

  test('is not for a client that has used much', async () => {
    const { slots } = openSlots(1)
    ;(await work(slots, 'much')).release(60_000)
    const held = await work(slots, 'a')
    const much = slots.take('much')
    const little = await elapse(slots.take('little'))
    expect([slots.taken, slots.waiting]).toEqual([2, 1])
    little.release(1)
    expect([slots.taken, slots.waiting]).toEqual([1, 1])
    held.release(1)
    ;(await much).release(1)
  })
})
