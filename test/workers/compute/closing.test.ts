/** A pool whose threads cannot start does not keep a server from stopping. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { temporaryFolder } from '../../support/store.js'

// Threads that start get 60 s, and those that fail meanwhile 5 s: the time limit tells the two apart.
test('closing does not wait long for a thread that fails meanwhile', { timeout: 50_000 }, async () => {
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
})
