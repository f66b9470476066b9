import { onTestFinished, describe, expect, test } from 'vitest'
import { PoolFullError, TaskTimeoutError } from '../../src/workers/pool.js'
import { RenderPool } from '../../src/workers/renderPool.js'
import type { RenderJob, RenderResult } from '../../src/workers/renderTasks.js'
import { RENDER_SETTINGS } from '../support/renderSettings.js'
import { page, revision, temporaryStore } from '../support/store.js'

const PATIENT_MS = 30_000
/** Takes the engine far longer than a second. */
const SLOW = "'''a''' ".repeat(20_000)

interface OpenPool {
  readonly pool: RenderPool
  readonly broken: Error[]
}

function openPool({ threads = 1, maxWaitMs = PATIENT_MS } = {}): OpenPool {
  const { applier, dataDir } = temporaryStore()
  applier.importPages('made for a test', [
    page(1, 'Rose', [revision(1, 'A [[Weed]] and {{Box}}')]),
    page(2, 'Box', [revision(2, 'box')], { namespace: 10 }),
    page(3, 'Hidden', [revision(3, undefined)]),
  ])
  const broken: Error[] = []
  const onThreadError = (error: Error): unknown => broken.push(error)
  const pool = new RenderPool({ dataDir, threads, maxWaitMs, onThreadError, renderSettings: RENDER_SETTINGS })
  onTestFinished(() => pool.close())
  return { pool, broken }
}

const toHtml = (wikitext: string): RenderJob => ({
  task: 'toHtml',
  wikitext,
  title: 'Any',
  bodyOnly: true,
  nowMs: 0,
})
const textOf = (outcome: RenderResult): string =>
  outcome.result === 'text' ? Buffer.from(outcome.bytes).toString() : outcome.result

describe('a page', () => {
  test('comes with its bundle and with what it used', async () => {
    const { pool } = openPool()
    const outcome = await pool.run({ task: 'page', revisionId: 1, nowMs: 5000 }, PATIENT_MS)
    expect(outcome).toMatchObject({
      result: 'rendering',
      rendering: {
        revisionId: 1,
        madeAt: 5,
        expiresAt: 0,
        uses: [
          { namespace: 0, dbkey: 'Rose', kind: 'existence', revisionId: 1 },
          { namespace: 10, dbkey: 'Box', kind: 'content', revisionId: 2 },
          { namespace: 0, dbkey: 'Weed', kind: 'existence', revisionId: 0 },
        ],
      },
    })
  })

  test.each([3, 99])('that has no text is missing: revision %i', async (revisionId) => {
    const { pool } = openPool()
    const job: RenderJob = { task: 'page', revisionId, nowMs: 0 }
    expect(await pool.run(job, PATIENT_MS)).toEqual({ result: 'missing' })
  })

  test('that is too much says in what', async () => {
    const { pool } = openPool()
    expect(await pool.run(toHtml('*'.repeat(100)), PATIENT_MS)).toMatchObject({ result: 'limit' })
    const cells = `{|\n${'|-\n| a\n'.repeat(10_500)}|}`
    expect(await pool.run(toHtml(cells), PATIENT_MS)).toMatchObject({ result: 'limit' })
  })
})

describe('a job that takes too long', () => {
  test('ends with its thread, and the next one finds a new thread', async () => {
    const { pool } = openPool()
    await pool.run(toHtml('warm'), PATIENT_MS)
    const started = performance.now()
    await expect(pool.run(toHtml(SLOW), 300)).rejects.toThrow(TaskTimeoutError)
    expect(performance.now() - started).toBeLessThan(3000)
    expect(textOf(await pool.run(toHtml('next'), PATIENT_MS))).toContain('next')
  })

  test('holds up others no longer than they will wait', async () => {
    const { pool } = openPool({ maxWaitMs: 100 })
    await pool.run(toHtml('warm'), PATIENT_MS)
    const slow = pool.run(toHtml(SLOW), 1500)
    await expect(pool.run(toHtml('x'), PATIENT_MS)).rejects.toThrow(TaskTimeoutError)
    await expect(slow).rejects.toThrow(TaskTimeoutError)
  })
})

describe('the queue', () => {
  test('refuses at once what it has no room for, and does the rest', async () => {
    const { pool } = openPool()
    const jobs = Array.from({ length: 40 }, () => pool.run(toHtml('x'), PATIENT_MS))
    const outcomes = await Promise.allSettled(jobs)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(40 - 17)
    for (const outcome of refused)
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(PoolFullError)
  })
})

test('a pool that is closed fails what it has', async () => {
  const { pool } = openPool()
  const running = pool.run(toHtml(SLOW), PATIENT_MS)
  await pool.close()
  await expect(running).rejects.toThrow(/thread|closed/)
})
