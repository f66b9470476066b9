/** Properties of lmdb that the store needs, beyond its types and documentation. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Key, open, type RootDatabase } from 'lmdb'
import { expect, test } from 'vitest'
import { PAGE_HEAD } from '../../src/storage/file/storeFile.js'
import { isWriteLocked } from '../../src/storage/writeLock.js'
import { afterFile, removeAfterFile } from '../support/cleanUp.js'

const OPTIONS = { encoding: 'binary', cache: false } as const

function openNew(options: { readonly maxDbs?: number } = {}): { root: RootDatabase; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'palimpsest-lmdb-'))
  const root = open({ path, ...OPTIONS, ...options })
  removeAfterFile(path)
  afterFile(() => root.close())
  return { root, path }
}

test('lmdb calls the methods of a key encoder, which its types leave out, without their object', () => {
  const { root } = openNew()
  const objects = new Set<unknown>()
  const keyEncoder = {
    writeKey(this: unknown, key: number, target: Buffer, start: number): number {
      objects.add(this)
      target.writeUInt32BE(key, start)
      return start + 4
    },
    readKey(this: unknown, source: Buffer, start: number, end: number): number {
      objects.add(this)
      expect(end - start).toBe(4)
      return source.readUInt32BE(start)
    },
  }
  const table = root.openDB<Buffer, Key>('numbers', { ...OPTIONS, keyEncoder } as object)
  table.putSync(258, Buffer.from('a'))
  table.putSync(3, Buffer.from('b'))
  expect([...table.getKeys()]).toEqual([3, 258])
  expect(objects, 'they were called with the encoder: HashingCodec need not bind them').not.toContain(
    keyEncoder,
  )
})

test('getBinaryFast of lmdb gives a view of the right length, which the next read overwrites', () => {
  const { root } = openNew()
  const table = root.openDB<Buffer, string>('rows', OPTIONS)
  table.putSync('a', Buffer.from('first'))
  table.putSync('b', Buffer.from('other row'))
  const view = table.getBinaryFast('a') as Buffer
  expect(view.toString('utf8', 0, view.length)).toBe('first')
  const start = view.subarray(0, 5)
  expect(table.getBinaryFast('b')).toHaveLength(9)
  expect(start.toString(), 'rows are views no more: rows.ts may keep them').toBe('other')
})

test('lmdb keeps its snapshot while the event loop does not turn, until resetReadTxn', () => {
  const { root, path } = openNew()
  const table = root.openDB<Buffer, string>('rows', OPTIONS)
  table.putSync('a', Buffer.from('old'))
  const read = (): string | undefined => table.getBinary('a')?.toString()
  root.resetReadTxn()
  expect(read()).toBe('old')
  const program = `
    import { open } from 'lmdb'
    const root = open({ path: ${JSON.stringify(path)}, encoding: 'binary' })
    root.openDB('rows', { encoding: 'binary' }).putSync('a', Buffer.from('new'))
    await root.close()`
  execFileSync(process.execPath, ['--input-type=module', '-e', program])
  expect(read()).toBe('old')
  root.resetReadTxn()
  expect(read()).toBe('new')
})

test('useReadTransaction of lmdb holds a snapshot that the list of readers shows', () => {
  const { root } = openNew()
  root.openDB<Buffer, string>('rows', OPTIONS).putSync('a', Buffer.from('1'))
  root.resetReadTxn()
  const snapshot = root.useReadTransaction()
  root.openDB<Buffer, string>('rows', OPTIONS).getBinary('a')
  const lines = root.readerList().split('\n').slice(1)
  const readers = lines.filter((line) => /^\s*\d+ [0-9a-f]+ (\d+|-)$/.test(line))
  expect(readers.length).toBeGreaterThan(0)
  expect(readers.length).toBe(lines.filter((line) => line.trim() !== '').length)
  snapshot.done()
})

test('getStats of lmdb has the figures of the environment', () => {
  const { root } = openNew()
  const stats = root.getStats() as Record<string, unknown>
  for (const name of ['pageSize', 'lastPageNumber', 'lastTxnId', 'maxReaders'])
    expect(stats[name], `getStats has no ${name}`).toBeTypeOf('number')
})

test('errors of lmdb carry the numbers of LMDB as their code', () => {
  const { root } = openNew({ maxDbs: 1 })
  root.openDB('one', OPTIONS)
  const openAnother = (): unknown => root.openDB('two', OPTIONS)
  // MDB_DBS_FULL
  expect(openAnother).toThrow(expect.objectContaining({ code: -30791 }))
})

test('the file of lmdb begins with a meta page of version 2', () => {
  const { root, path } = openNew()
  root.openDB<Buffer, string>('rows', OPTIONS).putSync('a', Buffer.from('1'))
  const head = readFileSync(join(path, 'data.mdb')).subarray(0, 64)
  expect(head.readUInt32LE(PAGE_HEAD).toString(16)).toBe('beefc0de')
  expect(head.readUInt32LE(PAGE_HEAD + 4)).toBe(2)
})

test.runIf(process.platform === 'linux')('the lock file of lmdb names the thread that writes', () => {
  const { root, path } = openNew()
  expect(isWriteLocked(path)).toBe(false)
  expect(root.transactionSync(() => isWriteLocked(path))).toBe(true)
  expect(isWriteLocked(path)).toBe(false)
})

const MEBIBYTE = 2 ** 20
const LARGE_ROWS = 8

test.runIf(existsSync('/proc/self/smaps'))(
  'prefetch of lmdb reads all pages of rows in a thread, by the keys of a key encoder',
  async () => {
    const { root, path } = openNew()
    const keyEncoder = {
      writeKey: (key: number, target: Buffer, start: number): number => target.writeUInt32BE(key, start),
      readKey: (source: Buffer, start: number): number => source.readUInt32BE(start),
    }
    const options = { ...OPTIONS, keyEncoder } as object
    const table = root.openDB<Buffer, Key>('numbers', options)
    for (let key = 0; key < 2 * LARGE_ROWS; key++) table.putSync(key, Buffer.alloc(MEBIBYTE, key))
    await root.close()
    // Another process, in which no page of the file is mapped yet.
    const program = `
      import { readFileSync } from 'node:fs'
      import { open } from 'lmdb'
      const mapped = () => {
        const areas = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
        const own = areas.filter((area) => area.split('\\n')[0].endsWith('data.mdb'))
        return own.reduce((sum, area) => sum + Number(/^Rss: +(\\d+)/m.exec(area)[1]) * 1024, 0)
      }
      const keyEncoder = {
        writeKey: (key, target, start) => target.writeUInt32BE(key, start),
        readKey: (source, start) => source.readUInt32BE(start),
      }
      const root = open({ path: ${JSON.stringify(path)}, encoding: 'binary', noReadAhead: true })
      const table = root.openDB('numbers', { encoding: 'binary', keyEncoder })
      const before = mapped()
      await table.prefetch([9999])
      const without = mapped()
      await table.prefetch(Array.from({ length: ${LARGE_ROWS} }, (_, n) => 2 * n))
      console.log(JSON.stringify([without - before, mapped() - without]))
      await root.close()`
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    const [missing, present] = JSON.parse(printed) as [number, number]
    expect(missing).toBeLessThan(MEBIBYTE)
    expect(present, 'reads of cold rows stop the event loop').toBeGreaterThanOrEqual(LARGE_ROWS * MEBIBYTE)
  },
)
