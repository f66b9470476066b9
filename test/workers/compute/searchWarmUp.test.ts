/** V8 compiles the code of searches before a user's first search. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { SearchWarmUp, warmSearches } from '../../../src/workers/compute/searchWarmUp.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { wikiWith } from '../../support/searchWiki.js'
import { temporaryStore } from '../../support/store.js'

test('a warm-up searches for titles, words and pairs of words of pages, and ends', () => {
  const { store } = wikiWith({ Moon: 'grey and round' })
  const answer = vi.spyOn(store.search, 'answer')
  const warmUp = new SearchWarmUp()
  let tasks = 1
  while (warmUp.run(store.search, 0)) tasks++
  expect(answer.mock.calls.map(([{ text }]) => text)).toEqual([
    'Moon',
    'grey',
    'and',
    'grey and',
    'and round',
  ])
  expect(answer.mock.results.every(({ value }) => (value as Buffer).includes('"Moon"'))).toBe(true)
  expect(tasks).toBe(5)
})

test('a wiki without pages, or without an index in force, needs no warm-up', () => {
  const { store } = temporaryStore()
  expect(new SearchWarmUp().run(store.search, 0)).toBe(false)
  const { search } = wikiWith({ Moon: 'grey and round' }).store
  vi.spyOn(search, 'condition').mockReturnValue('outdated')
  expect(new SearchWarmUp().run(search, 0)).toBe(false)
})

test(
  'all threads warm up, then the event loop does unless the server closes',
  { tags: ['slow'] },
  async () => {
    const { store, dataDir } = wikiWith({ Moon: 'grey and round' })
    const pool = new ComputePool({
      wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
      threads: 2,
      taskTimeoutMs: 3_600_000,
      onThreadError: (error) => {
        throw error
      },
    })
    onTestFinished(() => pool.close())
    const answer = vi.spyOn(store.search, 'answer')
    await warmSearches(pool.of(0), store.search, () => true)
    expect(answer).not.toHaveBeenCalled()
    await warmSearches(pool.of(0), store.search, () => false)
    expect(answer).toHaveBeenCalledTimes(5)
    expect(await pool.run('warmSearches', { ms: 0 })).toBe(false)
  },
)

test('a warm-up fails with its tasks', async () => {
  const { store, dataDir } = temporaryStore()
  const pool = new ComputePool({
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: 3_600_000,
    onThreadError: () => undefined,
  })
  await pool.close()
  await expect(warmSearches(pool.of(0), store.search, () => false)).rejects.toThrow('closed')
})
