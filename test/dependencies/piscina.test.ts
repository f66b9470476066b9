/** Properties of Piscina that the compute pool needs, beyond its types and documentation. */
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Piscina } from 'piscina'
import { expect, test } from 'vitest'
import { afterFile, removeAfterFile } from '../support/cleanUp.js'

const WORKER = `
import { parentPort } from 'node:worker_threads'
parentPort.postMessage('started')
export default (input) => (input === 'for ever' ? new Promise(() => setInterval(() => 0, 1000)) : input)
`

/** A pool of one thread. Its events are collected from its first one on. */
function openPool(): { pool: Piscina<unknown, unknown>; created: object[] } {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-piscina-'))
  removeAfterFile(folder)
  const filename = join(folder, 'worker.mjs')
  writeFileSync(filename, WORKER)
  const pool = new Piscina<unknown, unknown>({
    filename,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
  })
  const created: object[] = []
  pool.on('workerCreate', (description: object) => created.push(description))
  afterFile(() => pool.destroy())
  return { pool, created }
}

test('Piscina describes a new thread by an object whose one symbol leads to the thread, which made it', async () => {
  const { pool, created } = openPool()
  expect(await pool.run('a')).toBe('a')
  expect(created).toHaveLength(1)
  const [description] = created as [Record<symbol, object>]
  const [key, ...others] = Object.getOwnPropertySymbols(description)
  expect(others).toEqual([])
  const thread = description[key!]!
  expect(thread, 'pool.ts cannot keep the description of a thread').toHaveProperty('interface')
  Object.defineProperty(thread, 'interface', { value: description })
  expect(await pool.run('b')).toBe('b')
})

test('Piscina passes on what a thread says outside its tasks', async () => {
  const { pool } = openPool()
  const [message] = (await once(pool, 'message')) as [unknown]
  expect(message).toBe('started')
})

test('an emitter with `abort` ends a task of Piscina and its thread, and the next task gets another', async () => {
  const { pool } = openPool()
  await once(pool, 'message')
  const [first] = pool.threads.map(({ threadId }) => threadId)
  const signal = new EventEmitter()
  const task = pool.run('for ever', { signal })
  setImmediate(() => signal.emit('abort'))
  await expect(task).rejects.toMatchObject({ name: 'AbortError' })
  expect(await pool.run('next')).toBe('next')
  expect(pool.threads.map(({ threadId }) => threadId)).not.toEqual([first])
})
