// @module-tag hostile
import { onTestFinished, describe, expect, test } from 'vitest'
import { MAX_TABLE_CELLS } from '../../../src/render/parsoid/limits.js'
import { PoolFullError, TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import { RenderPool, type RenderPoolOptions } from '../../../src/workers/html/renderPool.js'
import type { RenderJob, RenderResult } from '../../../src/workers/html/renderTasks.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { openFolder, page, revision, temporaryFolder, temporaryStore } from '../../support/store.js'

/** Out of reach on any machine. */
const PATIENT_MS = 900_000
/** Takes the engine far longer than a second. */
const SLOW = "'''a''' ".repeat(20_000)

interface OpenPool {
  readonly pool: RenderPool
  readonly broken: Error[]
}

function openPool({
  threads = 1,
  maxWaitMs = PATIENT_MS,
  ...options
}: Partial<RenderPoolOptions> = {}): OpenPool {
  const { applier, dataDir } = temporaryStore()
  applier.importPages('made for a test', [
    page(1, 'Rose', [revision(1, 'A [[Weed]] and {{Box}}')]),
    page(2, 'Box', [revision(2, 'box')], { namespace: 10 }),
    page(3, 'Hidden', [revision(3, undefined)]),
  ])
  const broken: Error[] = []
  const onThreadError = (error: Error): unknown => broken.push(error)
  const pool = new RenderPool({
    name: 'render',
    maxStretch: 2,
    niceness: 10,
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    threads,
    maxWaitMs,
    onThreadError,
    ...options,
  })
  onTestFinished(() => pool.close())
  return { pool, broken }
}

const OVERRUN = { name: 'TaskTimeoutError', isOverrun: true }

const toHtml = (wikitext: string): RenderJob => ({
  task: 'toHtml',
  wikitext,
  title: 'Any',
  bodyOnly: true,
  nowMs: 0,
})
const countThreads = (pool: RenderPool): number | undefined =>
  pool.figures().find(({ name }) => name === 'palimpsest_render_threads')?.values[0]?.value
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
    const cells = `{|\n${'|-\n| a\n'.repeat(MAX_TABLE_CELLS + 1)}|}`
    expect(await pool.run(toHtml(cells), PATIENT_MS)).toMatchObject({ result: 'limit' })
  })
})

describe('a job that takes too long', () => {
  test('ends with its thread, and the next one finds a new thread', async () => {
    const { pool } = openPool({ threadCpuTimeMs: () => performance.now() })
    await pool.run(toHtml('warm'), PATIENT_MS)
    await expect(pool.run(toHtml(SLOW), 300)).rejects.toMatchObject(OVERRUN)
    expect(textOf(await pool.run(toHtml('next'), PATIENT_MS))).toContain('next')
  })

  test('is measured by what its thread was given, so that a busy machine fails nobody', async () => {
    // A machine on which a job gets no time.
    const { pool } = openPool({ threadCpuTimeMs: () => 0 })
    await pool.run(toHtml('warm'), PATIENT_MS)
    await expect(pool.run(toHtml(SLOW), 300)).rejects.toMatchObject({ ...OVERRUN, isOverrun: false })
    // Half of it: the job goes on for twice as long, and has then had its time.
    const { pool: other } = openPool({ threadCpuTimeMs: () => performance.now() / 1.5 })
    await other.run(toHtml('warm'), PATIENT_MS)
    await expect(other.run(toHtml(SLOW), 300)).rejects.toMatchObject(OVERRUN)
  })

  test('is measured by time where the system does not tell', async () => {
    const { pool } = openPool({ threadCpuTimeMs: () => undefined })
    await pool.run(toHtml('warm'), PATIENT_MS)
    await expect(pool.run(toHtml(SLOW), 300)).rejects.toMatchObject({ name: 'TaskTimeoutError' })
  })

  test('holds up others no longer than they will wait', async () => {
    const { pool } = openPool({ maxWaitMs: 100 })
    await pool.run(toHtml('warm'), PATIENT_MS)
    const slow = pool.run(toHtml(SLOW), 1500)
    await expect(pool.run(toHtml('x'), PATIENT_MS)).rejects.toThrow(TaskTimeoutError)
    await expect(slow).rejects.toThrow(TaskTimeoutError)
  })
})

describe('threads', () => {
  test('that stay ready start with the first job and are replaced, others start when they are needed', async () => {
    const { pool } = openPool({ threadCpuTimeMs: () => performance.now(), maxIdleMs: 1 })
    expect(textOf(await pool.run(toHtml('one'), PATIENT_MS))).toContain('one')
    await expect.poll(() => countThreads(pool)).toBe(0)
    expect(textOf(await pool.run(toHtml('two'), PATIENT_MS))).toContain('two')
    const { pool: ready } = openPool({ threadCpuTimeMs: () => performance.now() })
    ready.stayReady()
    expect(countThreads(ready)).toBe(0)
    await expect(ready.run(toHtml(SLOW), 300)).rejects.toMatchObject(OVERRUN)
    await expect.poll(() => countThreads(ready)).toBe(1)
  })
})

describe('a client', () => {
  test('with one job waits for one of those of a client with many', async () => {
    const { pool } = openPool()
    await pool.run(toHtml('warm'), PATIENT_MS)
    const order: string[] = []
    const run = (name: string, client: string): Promise<unknown> =>
      pool.run(toHtml(name), PATIENT_MS, { client }).then(() => order.push(name))
    await Promise.all([...[1, 2, 3, 4, 5].map((n) => run(`many ${n}`, 'many')), run('few 1', 'few')])
    // Later turns follow the time that each job took, which a test cannot know: see fairSlots.test.ts.
    expect(order.indexOf('few 1')).toBe(1)
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

/** Of a processor: enough for a thread to start and do two short jobs meanwhile. */
const LONG_MS = 8000

test('one more thread does short jobs of others beside a long one, and then ends', async () => {
  const { pool } = openPool({ extraIdleMs: 500 })
  pool.stayReady()
  await pool.run(toHtml('warm'), PATIENT_MS)
  const long = pool.run(toHtml(SLOW), LONG_MS, { client: 'a' }).catch(({ name }: Error) => name)
  for (const text of ['one', 'two'])
    expect(textOf(await pool.run(toHtml(text), PATIENT_MS, { client: 'b' }))).toContain(text)
  expect(countThreads(pool)).toBe(2)
  expect(await long).toBe('TaskTimeoutError')
  await expect.poll(() => countThreads(pool)).toBe(1)
})

test('a thread that cannot start is no fault of its job, and the next job gets another one', async () => {
  const dataDir = temporaryFolder()
  const { pool, broken } = openPool({ wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }] })
  await expect(pool.run(toHtml('x'), PATIENT_MS)).rejects.toBeInstanceOf(PoolFullError)
  expect(broken).toHaveLength(1)
  openFolder(dataDir, { create: true })
  expect(textOf(await pool.run(toHtml('next'), PATIENT_MS))).toContain('next')
})

test('the pool counts what it does', async () => {
  const { pool } = openPool()
  await pool.run(toHtml('one'), PATIENT_MS)
  await pool.run(toHtml('two'), PATIENT_MS)
  await pool.run(toHtml(SLOW), 300).catch(() => undefined)
  const values = new Map(
    pool
      .figures()
      .flatMap(({ name, values }) =>
        values.map(({ metricName, labels, value }) => [
          [metricName ?? name, ...Object.values(labels)].join(' '),
          value,
        ]),
      ),
  )
  expect(values.get('palimpsest_render_seconds_count toHtml')).toBe(2)
  expect(values.get('palimpsest_pool_shed_total render ran_too_long')).toBe(1)
  expect(values.get('palimpsest_pool_wait_seconds_count render')).toBe(3)
  expect(values.get('palimpsest_pool_running render')).toBe(0)
})

test('a pool that is closed fails what it has', async () => {
  const { pool } = openPool()
  const running = pool.run(toHtml(SLOW), PATIENT_MS)
  await pool.close()
  await expect(running).rejects.toThrow(/thread|closed/)
})
