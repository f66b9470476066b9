/** Neither threads that cannot start nor threads that were ended keep a server from stopping. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compiledFile } from '../../../src/runtime/packageFiles.js'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { temporaryFolder, temporaryStore } from '../../support/store.js'

// Threads that start get 60 s: the time limit tells whether one is waited for that has started or failed.
test(
  'closing does not wait long for a thread that fails meanwhile',
  { timeout: 50_000, tags: ['slow'] },
  async () => {
    const errors: Error[] = []
    const pool = new ComputePool({
      wikis: [{ dataDir: join(temporaryFolder(), 'nothing'), renderSettings: RENDER_SETTINGS }],
      threads: 1,
      taskTimeoutMs: 3_600_000,
      onThreadError: (error) => errors.push(error),
    })
    pool.start()
    await pool.close()
    expect(errors[0]?.message).toContain('there is no wiki in')
  },
)

const LARGE = Buffer.from(Array.from({ length: 500_000 }, (_, n) => n).join(' '))

test(
  'tasks that run too long end their threads, and closing does not wait for these',
  { timeout: 50_000, tags: ['hostile'] },
  async () => {
    const pool = new ComputePool({
      wikis: [{ dataDir: temporaryStore().dataDir, renderSettings: RENDER_SETTINGS }],
      threads: 1,
      taskTimeoutMs: 1,
      onThreadError: (error) => {
        throw error
      },
    })
    for (let ended = 0; ended < 2;) {
      const input = { bytes: LARGE, coding: 'br' } as const
      const error: unknown = await pool.run('compress', input).catch((thrown: unknown) => thrown)
      if (!(error instanceof TaskTimeoutError)) throw new Error('the task had time enough', { cause: error })
      // The task did not run if the thread had not started within the time limit.
      if (error.isOverrun) ended++
    }
    expect(pool.figures().find(({ name }) => name === 'palimpsest_pool_running')?.values[0]?.value).toBe(0)
    await pool.close()
  },
)

test('the file of a thread is imported, since Node 20 may end when a thread is ended while it is required', () => {
  const load = (): unknown => createRequire(import.meta.url)(compiledFile('workers/compute/worker.ts'))
  expect(load).toThrow(expect.objectContaining({ code: 'ERR_REQUIRE_ASYNC_MODULE' }))
})
