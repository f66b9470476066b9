/** Another process holds the write lock of the store, as one does that was stopped in the middle of writing. */
// @module-tag slow
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mayBeLockedElsewhere, writeLockHolder } from '../../../src/storage/writeLock.js'
import { gardenFolder } from '../../conformance/garden.js'
import { ADDRESS, portOf, type Run, run, runProgram, runUnder } from '../../support/command.js'
import { whenStopped } from '../../support/processes.js'
import { temporaryFolder, temporaryStore } from '../../support/store.js'

const FIXTURE = join(import.meta.dirname, '../../fixtures/garden.xml')
const support = (name: string): string => join(import.meta.dirname, '../../support', name)

async function holdLock(dataDir: string): Promise<Run> {
  const holder = runProgram(process.execPath, support('holdLock.mjs'), dataDir)
  await holder.printed(/held/)
  await whenStopped(holder.child.pid!)
  return holder
}

async function letGo(holder: Run): Promise<void> {
  holder.child.kill('SIGCONT')
  expect(await holder.exit).toBe(0)
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: { readonly errorKey?: string }
}

async function create(port: number, title: string): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'any', title, comment: '', token: '+\\' }),
  })
  const body = (await answer.json()) as Answer['body']
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body }
}

const statusOf = async (port: number, title: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/v1/page/${title}`)).status

/** The time of an edit may be up on a busy machine, whatever the lock does. */
async function savesAgain(port: number): Promise<void> {
  let tries = 0
  await expect.poll(async () => (await create(port, `After ${++tries}`)).status).toBe(201)
}

/** Threads need the lock to open the store, and take their time to start on a busy machine. */
async function threadsAreReady(port: number): Promise<void> {
  let tries = 0
  const compare = `http://127.0.0.1:${port}/v1/revision/101/compare/102`
  await expect.poll(async () => (await fetch(compare)).status).toBe(200)
  await expect.poll(async () => (await create(port, `Try ${port} ${++tries}`)).status).toBe(201)
}

const FLAGS = [
  '--port',
  '0',
  '--anonymous-edits',
  '--write-timeout-ms',
  '1000',
  '--no-html',
  '--compute-threads',
  '1',
]

test('the process that holds it is known', async () => {
  const dataDir = await gardenFolder()
  const path = join(dataDir, 'store')
  expect(writeLockHolder(path)).toBeUndefined()
  expect(mayBeLockedElsewhere(path)).toBe(false)
  const holder = await holdLock(dataDir)
  const found = writeLockHolder(path)
  expect(found?.pid).toBe(holder.child.pid)
  expect(found?.command).toContain('holdLock.mjs')
  expect(mayBeLockedElsewhere(path)).toBe(true)
  await letGo(holder)
  expect(writeLockHolder(path)).toBeUndefined()
  expect(mayBeLockedElsewhere(path)).toBe(false)
})

test('this process is told apart from others', () => {
  const { store } = temporaryStore()
  expect(store.transactDerived(() => writeLockHolder(store.path)?.pid)).toBe(process.pid)
  expect(store.transactDerived(() => mayBeLockedElsewhere(store.path))).toBe(false)
})

describe('a server', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await gardenFolder()
  })

  test('takes edits back that cannot be written in time, says who is in the way, and saves later ones', async () => {
    const server = run('serve', '--data-dir', dataDir, ...FLAGS)
    const port = portOf(await server.printed(ADDRESS))
    await threadsAreReady(port)
    const holder = await holdLock(dataDir)
    const titles = ['First', 'Second', 'Third']
    for (const answer of await Promise.all(titles.map((title) => create(port, title)))) {
      expect(answer).toMatchObject({
        status: 503,
        retryAfter: '1',
        body: { errorKey: 'rest-write-timeout' },
      })
    }
    await server.printed(
      new RegExp(`edits wait for the write lock of the store, which process ${holder.child.pid} `),
    )
    expect(await statusOf(port, 'Compost')).toBe(200)
    await letGo(holder)
    await savesAgain(port)
    for (const title of titles) expect([title, await statusOf(port, title)]).toEqual([title, 404])
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  test('says of an edit that it may still be saved, when its transaction has begun', async () => {
    const slow = join(temporaryFolder(), 'slow')
    const starter = ['env', `NODE_OPTIONS=--import=${support('slowDisk.mjs')}`, `DISK_IS_SLOW=${slow}`]
    const server = runUnder(starter, 'serve', '--data-dir', dataDir, ...FLAGS)
    const port = portOf(await server.printed(ADDRESS))
    await threadsAreReady(port)
    writeFileSync(slow, '')
    let tries = 0
    // On a busy machine the time of an edit may be up before its transaction has begun.
    await expect
      .poll(async () => (await create(port, `Slow ${++tries}`)).body.errorKey)
      .toBe('rest-write-unknown')
    rmSync(slow)
    await savesAgain(port)
    expect(await statusOf(port, `Slow ${tries}`)).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  // At the same time: each waits for seconds.
  test('ends while its writer waits, though not in order, with one process and with two', async () => {
    await Promise.all(['1', '2'].map(async (count) => endsWhileWaiting(await gardenFolder(), count)))
  })
})

async function endsWhileWaiting(dataDir: string, processes: string): Promise<void> {
  const flags = [...FLAGS, '--processes', processes, '--drain-timeout-ms', '0']
  const server = run('serve', '--data-dir', dataDir, ...flags)
  const port = portOf(await server.printed(ADDRESS))
  for (let n = 0; n < 4 * Number(processes); n++) await threadsAreReady(port)
  const holder = await holdLock(dataDir)
  expect(await create(port, 'Lost'), `--processes ${processes}`).toMatchObject({ status: 503 })
  server.child.kill('SIGTERM')
  expect(await server.exit, `--processes ${processes}`).not.toBe(0)
  expect(server.output.stderr).toMatch(/cannot stop cleanly|did not end in order/)
  await letGo(holder)
}

describe('a command', () => {
  const commands = [
    ['import', [FIXTURE]],
    ['reindex', []],
    ['site set', ['name', 'Another']],
    ['user create', ['Ann']],
    ['page protect', ['Compost', '--edit', 'user']],
  ] as const
  const rows = commands.flatMap(([name]) =>
    (['SIGTERM', 'SIGINT'] as const).map((signal) => [name, signal] as const),
  )
  let holder: Run
  const waiting = new Map<string, Run>()
  // All at the same time: each waits for seconds before it says so.
  beforeAll(async () => {
    const dataDir = await gardenFolder()
    holder = await holdLock(dataDir)
    for (const [name, signal] of rows) {
      const values = commands.find((command) => command[0] === name)![1]
      waiting.set(`${name} ${signal}`, run(...name.split(' '), ...values, '--data-dir', dataDir))
    }
  })
  afterAll(() => letGo(holder))

  test.each(rows)('%s says for whom it waits, and ends at once by %s', async (name, signal) => {
    const command = waiting.get(`${name} ${signal}`)!
    await command.printed(
      new RegExp(
        `waiting for the write lock of .*, which process ${holder.child.pid} \\(.*holdLock.*\\) holds`,
      ),
    )
    command.child.kill(signal)
    expect(await command.exit).toBeNull()
  })
})
