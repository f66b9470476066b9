import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Batches, JobFailure } from '../../../src/workers/compute/batches.js'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'

interface Job {
  readonly name: string
  readonly weight?: number
}

/** Batches whose tasks end when they are told to, by `finish` or `fail`. */
function heldBatches(threads: number, maxWaitMs = 10_000) {
  const tasks: { names: string[]; finish: () => void; fail: (error: Error) => void }[] = []
  const batches = new Batches<Job, Uint8Array | undefined>({
    threads,
    maxWaitMs,
    maxWeight: 100,
    weigh: ({ weight = 1 }) => weight,
    run: (jobs) =>
      new Promise((resolve, reject) => {
        const names = jobs.map(({ name }) => name)
        const answers = names.map((name) => {
          if (name === 'bad') return { failure: 'broken' }
          return name === 'long' ? { failure: 'too long', isTooLong: true } : Buffer.from(name)
        })
        tasks.push({ names, finish: () => resolve(answers), fail: reject })
      }),
  })
  return { tasks, batches }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('jobs that wait for a thread', () => {
  test('go one at a time while threads are free, then several together, in their order', async () => {
    const { tasks, batches } = heldBatches(2)
    const names = Array.from({ length: 14 }, (_, n) => `job ${n}`)
    const answers = names.map((name) => batches.answer({ name, weight: 12 }))
    expect(tasks.map(({ names }) => names)).toEqual([['job 0'], ['job 1']])
    expect(batches.isBusy).toBe(true)
    tasks[0]!.finish()
    await settled()
    expect(tasks[2]!.names).toEqual(names.slice(2, 10))
    for (const n of [1, 2]) tasks[n]!.finish()
    await settled()
    expect(tasks[3]!.names).toEqual(names.slice(10))
    tasks[3]!.finish()
    const texts = (await Promise.all(answers)).map((answer) => Buffer.from(answer!).toString())
    expect(texts).toEqual(names)
    expect(batches.isBusy).toBe(false)
  })

  test('are answered a few at a time, so that the event loop gets to other requests in between', async () => {
    const { tasks, batches } = heldBatches(1)
    const first = batches.answer({ name: 'first' })
    const order: string[] = []
    const answers = Array.from({ length: 6 }, (_, n) =>
      batches.answer({ name: `${n}` }).then((answer) => order.push(String(answer))),
    )
    tasks[0]!.finish()
    await first
    tasks[1]!.finish()
    await settled()
    order.push('another request')
    await Promise.all(answers)
    expect(order).toEqual(['0', '1', '2', '3', 'another request', '4', '5'])
  })

  test('go with others only up to the weight of a batch, and alone if they are heavier', async () => {
    const { tasks, batches } = heldBatches(1)
    const jobs = [1, 60, 40, 1, 500, 1].map((weight, n) => ({ name: `${n}`, weight }))
    const answers = Promise.all(jobs.map((job) => batches.answer(job)))
    for (let n = 0; n < 4; n++) {
      tasks[n]!.finish()
      await settled()
    }
    expect(tasks.map(({ names }) => names)).toEqual([['0'], ['1', '2'], ['3'], ['4'], ['5']])
    tasks[4]!.finish()
    expect(await answers).toHaveLength(6)
  })

  test('fail alone where the job fails, together where the thread does', async () => {
    const { tasks, batches } = heldBatches(1)
    const first = batches.answer({ name: 'good' })
    const last = Promise.allSettled(['bad', 'fine'].map((name) => batches.answer({ name })))
    tasks[0]!.finish()
    await first
    tasks[1]!.finish()
    const [bad, fine] = await last
    expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(JobFailure) as JobFailure })
    expect(fine!.status).toBe('fulfilled')
    const long = batches.answer({ name: 'long' })
    tasks[2]!.finish()
    await expect(long).rejects.toMatchObject({ name: 'TaskTimeoutError', isOverrun: true })
    const ended = batches.answer({ name: 'slow' })
    tasks[3]!.fail(new TaskTimeoutError('ended'))
    await expect(ended).rejects.toThrow(TaskTimeoutError)
  })

  test('are turned away when too many wait, and given up when they have waited too long', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { tasks, batches } = heldBatches(1, 50)
    const first = batches.answer({ name: 'first' })
    const outcomes = Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => batches.answer({ name: `${n}` })),
    )
    await expect(batches.answer({ name: 'one more' })).rejects.toThrow(PoolFullError)
    vi.advanceTimersByTime(51)
    tasks[0]!.finish()
    await first
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: expect.any(TaskTimeoutError) as TaskTimeoutError })
    expect(tasks).toHaveLength(1)
  })
})
