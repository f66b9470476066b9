import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import { SearchBatches, SearchFailure } from '../../../src/workers/compute/searchBatches.js'
import type { PooledSearch } from '../../../src/workers/compute/tasks.js'

const search = (text: string): PooledSearch => ({ text, limit: 1, namespaces: [0], baseUrl: '' })

/** A pool whose tasks end when they are told to, by `finish` or `fail`. */
function heldPool(threads: number) {
  const tasks: { texts: string[]; finish: () => void; fail: (error: Error) => void }[] = []
  const run = (_name: string, { searches }: { searches: readonly PooledSearch[] }) =>
    new Promise((resolve, reject) => {
      const texts = searches.map(({ text }) => text)
      const answers = texts.map((text) => (text === 'bad' ? { failure: 'broken' } : Buffer.from(text)))
      tasks.push({ texts, finish: () => resolve(answers), fail: reject })
    })
  return { tasks, pool: { threads, run } as never }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('searches that wait for a thread', () => {
  test('go one at a time while threads are free, then up to eight together, in their order', async () => {
    const { tasks, pool } = heldPool(2)
    const batches = new SearchBatches({ pool, maxWaitMs: 10_000 })
    const names = Array.from({ length: 14 }, (_, n) => `search ${n}`)
    const answers = names.map((name) => batches.answer(search(name)))
    expect(tasks.map(({ texts }) => texts)).toEqual([['search 0'], ['search 1']])
    tasks[0]!.finish()
    await settled()
    expect(tasks[2]!.texts).toEqual(names.slice(2, 10))
    for (const n of [1, 2]) tasks[n]!.finish()
    await settled()
    expect(tasks[3]!.texts).toEqual(names.slice(10))
    tasks[3]!.finish()
    const texts = (await Promise.all(answers)).map((answer) => Buffer.from(answer).toString())
    expect(texts).toEqual(names)
  })

  test('fail alone where the engine fails, together where the thread does', async () => {
    const { tasks, pool } = heldPool(1)
    const batches = new SearchBatches({ pool, maxWaitMs: 10_000 })
    const first = batches.answer(search('good'))
    const rest = ['bad', 'fine'].map((text) => batches.answer(search(text)))
    const last = Promise.allSettled(rest)
    tasks[0]!.finish()
    await first
    tasks[1]!.finish()
    const [bad, fine] = await last
    expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(SearchFailure) as SearchFailure })
    expect(fine!.status).toBe('fulfilled')
    const ended = batches.answer(search('slow'))
    tasks[2]!.fail(new TaskTimeoutError('ended'))
    await expect(ended).rejects.toThrow(TaskTimeoutError)
  })

  test('are turned away when too many wait, and given up when they have waited too long', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { tasks, pool } = heldPool(1)
    const batches = new SearchBatches({ pool, maxWaitMs: 50 })
    const first = batches.answer(search('first'))
    const waiting = Array.from({ length: 64 }, (_, n) => batches.answer(search(`${n}`)))
    const outcomes = Promise.allSettled(waiting)
    await expect(batches.answer(search('one more'))).rejects.toThrow(PoolFullError)
    vi.advanceTimersByTime(51)
    tasks[0]!.finish()
    await first
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: expect.any(TaskTimeoutError) as TaskTimeoutError })
    expect(tasks).toHaveLength(1)
  })
})
