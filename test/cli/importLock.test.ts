/** One import at a time: between processes, containers, copies of a store, and after crashes. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backUp } from '../../src/cli/backup/backUp.js'
import { takeImportLock } from '../../src/import/importLock.js'
import { ImportRefused } from '../../src/import/importer.js'
import { ownMark, stateOf } from '../../src/storage/processMark.js'
import { LEASE_MS } from '../../src/storage/lease.js'
import { type LeaseRow, readMeta, writeMeta } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { run, type Run } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { importInto, openFolder, source, temporaryFolder, temporaryStore } from '../support/store.js'

const PAGES = [{ id: 1, title: 'Moon', revisions: [{ id: 1, text: 'a' }] }]
/** Newer than the reader knows: it says so before the first page. */
const NEWER = dumpXml(PAGES).replace('version="0.11"', 'version="0.12"')
const SAID = /export format 0\.12 is newer/

const fail = (message: string): never => expect.fail(message)

/** A process that imports, and waits for the rest of its dump. */
async function waitingImport(dataDir: string): Promise<Run & { finish(): void }> {
  const half = NEWER.indexOf('<page>')
  const importing = run('import', '--data-dir', dataDir, '-')
  importing.child.stdin!.write(NEWER.slice(0, half))
  await importing.printed(SAID)
  return { ...importing, finish: () => void importing.child.stdin!.end(NEWER.slice(half)) }
}

/** Leaves the lease of an import that was killed. */
async function killedImport(dataDir: string): Promise<void> {
  const { child, exit } = await waitingImport(dataDir)
  child.kill('SIGKILL')
  await exit
}

function dumpIn(folder: string): string {
  const path = join(folder, 'dump.xml')
  writeFileSync(path, dumpXml(PAGES))
  return path
}

/** The row in the store of a folder, with what `change` makes of it. */
async function changeLease(dataDir: string, change: (row: LeaseRow) => LeaseRow): Promise<void> {
  const store = Store.open(dataDir)
  store.transactDerived(() => writeMeta(store.tables, 'lease', change(readMeta(store.tables, 'lease')!)))
  await store.close()
}

const elsewhere = (row: LeaseRow, ageMs: number): LeaseRow => ({
  ...row,
  process: { pid: 1, started: '1', where: 'another container' },
  renewed: Date.now() - ageMs,
})

describe('an import', () => {
  test('is refused while another process imports, and not when that has ended', async () => {
    const folder = temporaryFolder()
    const first = await waitingImport(folder)
    const refused = await importInto(folder, [dumpIn(folder)])
    expect(refused.error).toBeInstanceOf(ImportRefused)
    expect(refused.error?.message).toMatch(`process ${first.child.pid} is importing into ${folder} already`)
    first.finish()
    expect(await first.exit).toBe(0)
    expect((await importInto(folder, [dumpIn(folder)])).error).toBeUndefined()
  })

  test('goes on at once after one that was killed', async () => {
    const folder = temporaryFolder()
    await killedImport(folder)
    expect((await importInto(folder, [dumpIn(folder)])).error).toBeUndefined()
    const store = openFolder(folder)
    expect(source(store, 'Moon')).toBe('a')
    expect(readMeta(store.tables, 'lease')).toBeUndefined()
  })

  test('is refused beside one of another container, and told how long', async () => {
    const folder = temporaryFolder()
    await killedImport(folder)
    await changeLease(folder, (row) => elsewhere(row, 0))
    const { error } = await importInto(folder, [dumpIn(folder)])
    expect(error).toBeInstanceOf(ImportRefused)
    expect(error?.message).toMatch(
      /process 1 of another container or machine was importing .* s ago: if it has been killed, try again in \d+ s/,
    )
  })

  test.each([
    ['was not renewed for long', LEASE_MS],
    ['was renewed by a clock that has been put back', -2 * LEASE_MS],
  ])('takes over the lease of another container that %s', async (_case, ageMs) => {
    const folder = temporaryFolder()
    await killedImport(folder)
    await changeLease(folder, (row) => elsewhere(row, ageMs))
    expect((await importInto(folder, [dumpIn(folder)])).error).toBeUndefined()
    expect(source(openFolder(folder), 'Moon')).toBe('a')
  })

  test('of several that find the lease of a dead one begins alone', async () => {
    const folder = temporaryFolder()
    await killedImport(folder)
    const contenders = Array.from({ length: 4 }, () => run('import', '--data-dir', folder, '-'))
    for (const { child } of contenders) child.stdin!.on('error', () => undefined).write(NEWER.slice(0, -20))
    const said = await Promise.all(
      contenders.map(async (contender) => (await contender.printed(/is newer|is importing into/))[0]),
    )
    expect(said.toSorted()).toEqual([...Array<string>(3).fill('is importing into'), 'is newer'])
  })

  test('writes nothing more when another took over', async () => {
    const folder = temporaryFolder()
    const first = await waitingImport(folder)
    await changeLease(folder, (row) => ({ ...row, holder: 'f'.repeat(32) }))
    first.finish()
    expect(await first.exit).toBe(1)
    expect(first.output.stderr).toContain('another process took over: nothing more is written')
    const store = openFolder(folder)
    expect(source(store, 'Moon')).toBeUndefined()
    expect(readMeta(store.tables, 'lease')?.holder).toBe('f'.repeat(32))
  })

  test('is not held up by the lease in a copy of a store that is being imported into', async () => {
    const folder = temporaryFolder()
    await waitingImport(folder)
    const copy = join(temporaryFolder(), 'copy')
    await backUp(folder, copy, { tell: () => undefined, warn: fail })
    expect((await importInto(copy, [dumpIn(folder)])).error).toBeUndefined()
  })
})

describe('a lease', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is renewed while nothing is written, and given back', () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 })
    const { store, dataDir } = temporaryStore()
    const unlock = takeImportLock(store, dataDir)
    const renewed = (): number => readMeta(store.tables, 'lease')!.renewed - 1_800_000_000_000
    expect(renewed()).toBe(0)
    vi.advanceTimersByTime(LEASE_MS - 1)
    expect(LEASE_MS - renewed()).toBeLessThan(LEASE_MS / 5)
    unlock()
    expect(readMeta(store.tables, 'lease')).toBeUndefined()
    vi.advanceTimersByTime(LEASE_MS)
    expect(readMeta(store.tables, 'lease')).toBeUndefined()
  })

  test('is renewed at the end of a transaction that takes long', () => {
    vi.useFakeTimers({ now: 0 })
    const { store, dataDir } = temporaryStore()
    const unlock = takeImportLock(store, dataDir)
    store.transact(() => vi.setSystemTime(3 * LEASE_MS))
    expect(readMeta(store.tables, 'lease')?.renewed).toBe(3 * LEASE_MS)
    unlock()
  })

  test('is one for each who takes it, in one process too', () => {
    const { store, dataDir } = temporaryStore()
    const unlock = takeImportLock(store, dataDir)
    expect(() => takeImportLock(store, dataDir)).toThrow(`process ${process.pid} is importing`)
    unlock()
    takeImportLock(store, dataDir)()
  })
})

describe('the mark of a process', () => {
  test('says whether it runs', () => {
    const mark = ownMark()
    expect(stateOf(mark)).toBe('running')
    expect(stateOf({ ...mark, started: '1' })).toBe('dead')
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    expect(stateOf({ ...mark, pid })).toBe('dead')
  })

  test.each([
    ['elsewhere', { where: 'elsewhere' }],
    ['in an unknown place', { where: '' }],
  ])('says nothing of one %s', (_case, parts) => {
    expect(stateOf({ ...ownMark(), ...parts })).toBe('unknown')
  })
})
