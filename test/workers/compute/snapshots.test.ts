/** Idle compute threads hold no snapshot of the store, or its file would grow with each write. */
import { expect, onTestFinished, test } from 'vitest'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { page, revision, temporaryStore } from '../../support/store.js'

test('a thread that has started, or done a task, lets older pages go', async () => {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages('d', [page(1, 'Moon', [revision(1, 'grey')])])
  const pool = new ComputePool({
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: 3_600_000,
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  const lag = (): number | undefined =>
    store.figures().find(({ name }) => name === 'palimpsest_store_oldest_reader_lag')?.values[0]?.value
  const write = (): void => {
    for (let n = 0; n < 5; n++) store.transact(() => undefined)
    store.release()
  }
  await pool.run('htmlAsJson', { parts: [] })
  write()
  expect(lag()).toBe(0)
  expect(await pool.run('revisionSource', { revisionId: 1 })).toBeDefined()
  write()
  expect(lag()).toBe(0)
})
