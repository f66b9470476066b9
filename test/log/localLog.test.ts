/** The contract of every log driver, tested on the log of one machine. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DirectWriter } from '../../src/log/directWriter.js'
import type { EditLog, LogBatch } from '../../src/log/editLog.js'
import { LocalLog } from '../../src/log/localLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { encodeEntry, type Entry, type PlacedEntry } from '../../src/storage/entries.js'
import { randomEntryId } from '../../src/storage/entryIds.js'
import { LOG_START, type Position } from '../../src/storage/meta.js'
import { Store } from '../../src/storage/store.js'
import { START, temporaryFolder } from '../support/store.js'

interface OpenLog {
  readonly log: EditLog
  readonly store: Store
}

function openLog(folder = temporaryFolder()): OpenLog {
  const store = Store.open(folder, { create: true })
  const log = new LocalLog(store, new DirectWriter(new Applier(store)))
  onTestFinished(async () => {
    await log.close()
    await store.close()
  })
  return { log, store }
}

/** An entry that makes an account. */
const account = (name: string): Entry => ({
  kind: 'user',
  action: 'create',
  id: randomEntryId(),
  time: START,
  name,
  passwordHash: null,
  groups: [],
})

async function take(batches: AsyncIterable<LogBatch>, count: number): Promise<PlacedEntry[]> {
  const taken: PlacedEntry[] = []
  for await (const { items } of batches) {
    taken.push(...items)
    if (taken.length >= count) break
  }
  return taken.slice(0, count)
}

describe('a log', () => {
  test('is empty at first', async () => {
    const { log } = openLog()
    expect(await log.bounds()).toEqual({ first: 1, last: 0 })
    expect(await log.check(LOG_START)).toBe('same')
  })

  test('gives each entry the next position, and the same entry the same one', async () => {
    const { log } = openLog()
    const [ann, bob] = [account('Ann'), account('Bob')]
    expect(await log.append([ann])).toEqual([1])
    expect(await log.append([bob])).toEqual([2])
    expect(await log.append([ann])).toEqual([1])
    expect(await log.bounds()).toEqual({ first: 1, last: 2 })
  })

  test('keeps an entry that can be logged but not applied, and refuses one without an id', async () => {
    const { log } = openLog()
    const malformed = { ...account('Ann'), groups: 'sysop' } as unknown as Entry
    expect(await log.append([malformed])).toEqual([1])
    await expect(log.append([{ ...account('Bob'), id: 'x' }])).rejects.toThrow('not an entry of the log')
  })

  test('reads from any position on, in order', async () => {
    const { log } = openLog()
    const entries = ['Ann', 'Bob', 'Cleo'].map(account)
    for (const entry of entries) await log.append([entry])
    expect(await take(log.read(0), 3)).toEqual(
      entries.map((entry, n) => ({ sequence: n + 1, entry, row: encodeEntry(entry) })),
    )
    expect(await take(log.read(2), 1)).toEqual([
      { sequence: 3, entry: entries[2], row: encodeEntry(entries[2]!) },
    ])
  })

  test('a reader at the end gets what is written later, by another thread too', async () => {
    const folder = temporaryFolder()
    const { log } = openLog(folder)
    await log.append([account('Ann')])
    const next = take(log.read(1), 2)
    const bob = account('Bob')
    await log.append([bob])
    const other = new Worker(WRITE_ELSEWHERE, { eval: true, workerData: { folder, entry: account('Cleo') } })
    await once(other, 'exit')
    expect((await next).map(({ sequence, entry }) => [sequence, 'name' in entry && entry.name])).toEqual([
      [2, 'Bob'],
      [3, 'Cleo'],
    ])
  })

  test('ends its readers when it is closed, or their signal says so', async () => {
    const { log } = openLog()
    const stop = new AbortController()
    const [first, second] = [take(log.read(0, stop.signal), 1), take(log.read(0), 1)]
    stop.abort()
    expect(await first).toEqual([])
    await log.close()
    expect(await second).toEqual([])
  })
})

describe('a log tells a store', () => {
  async function threeEntries(): Promise<{ log: EditLog; positions: Position[] }> {
    const { log, store } = openLog()
    const positions = [LOG_START]
    for (const name of ['Ann', 'Bob', 'Cleo']) {
      await log.append([account(name)])
      positions.push(store.position())
    }
    return { log, positions }
  }

  test('that it goes through its position, wherever that is', async () => {
    const { log, positions } = await threeEntries()
    for (const position of positions) expect(await log.check(position)).toBe('same')
  })

  test('that it ends before it', async () => {
    const { log, positions } = await threeEntries()
    expect(await log.check({ ...positions[3]!, sequence: 4 })).toBe('behind')
  })

  test('that it has other entries', async () => {
    const [{ log }, other] = [await threeEntries(), await threeEntries()]
    for (const position of other.positions.slice(1)) expect(await log.check(position)).toBe('forked')
  })

  test('that what it needs was cut off', async () => {
    const { log, store } = openLog()
    const positions = [LOG_START]
    for (const name of ['Ann', 'Bob', 'Cleo']) {
      await log.append([account(name)])
      positions.push(store.position())
    }
    store.transact(() => store.tables.log.removeSync([0, 1]))
    expect(await log.bounds()).toEqual({ first: 2, last: 3 })
    expect(await log.check(positions[0]!)).toBe('truncated')
    expect(await log.check(positions[1]!)).toBe('same')
    await expect(take(log.read(0), 1)).rejects.toThrow('was cut off')
    expect(await take(log.read(1), 2)).toHaveLength(2)
  })
})

const WRITE_ELSEWHERE = `
  const { workerData: { folder, entry } } = require('node:worker_threads')
  const dist = ${JSON.stringify(new URL('../../dist/storage/', import.meta.url).href)}
  Promise.all([import(dist + 'store.js'), import(dist + 'apply/applier.js')]).then(async ([{ Store }, { Applier }]) => {
    const store = Store.open(folder)
    new Applier(store).submit(entry)
    await store.close()
  })
`
