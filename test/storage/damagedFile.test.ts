/**
 * Files that would make LMDB end the process are refused before it maps them. Sound files are accepted, even while
 * other processes write to them.
 */
// @module-tag hostile
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/storage/tables/errors.js'
import { checkFile } from '../../src/storage/file/checkFile.js'
import { readMetaPages } from '../../src/storage/file/metaPages.js'
import { StoreFile } from '../../src/storage/file/storeFile.js'
import { tableTrees, TreeWalks } from '../../src/storage/file/treeWalk.js'
import { Store } from '../../src/storage/store.js'
import { runCommand } from '../support/command.js'
import { page, problems, revision, source, temporaryFolder, temporaryStore } from '../support/store.js'

/** Mark of a row that is the head of a tree. */
const SUB_TREE = 2

/** A closed store with some transactions: its folder, the path of its file, and all rows before and after the last one. */
async function closedStore(): Promise<{ dataDir: string; path: string; snapshots: string[] }> {
  const { store, applier, dataDir } = temporaryStore()
  const path = join(dataDir, 'store/data.mdb')
  applier.importPages('d', [page(1, 'Moon', [revision(1, 'a'), revision(2, 'b'.repeat(10_000))])])
  applier.importPages('d', [page(2, 'Sea', [revision(3, 'c')])])
  const before = allRows(path)
  applier.finishImport(null)
  await store.close()
  return { dataDir, path, snapshots: [before, allRows(path)] }
}

/** Every row that can be reached in a file, as text; throws what is wrong with it. */
function allRows(path: string): string {
  const file = new StoreFile(path)
  try {
    const { newest, fault } = readMetaPages(file)
    if (newest === undefined) throw new Error(fault)
    const faults: string[] = []
    const walks = new TreeWalks({ file, meta: newest, report: (found) => faults.push(found) })
    const rows: string[] = []
    for (const { name, tree } of [...tableTrees(walks, newest)]) {
      for (const { key, value } of walks.rows(name, tree))
        rows.push(`${name} ${key.toString('hex')} ${value.toString('hex')}`)
    }
    return rows.join('\n')
  } finally {
    file.close()
  }
}

const isRefused = (path: string): boolean => {
  try {
    checkFile(path, { tries: 1 })
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    return true
  }
}

describe('a command ends with one line and status 1 where the file of the store', () => {
  const PAGE = 4096
  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['is empty', () => Buffer.alloc(0), /data\.mdb is empty/],
    ['ends within the first page', (bytes) => bytes.subarray(0, 100), /it ends after 100 bytes/],
    ['ends within the second page', (bytes) => bytes.subarray(0, PAGE + 7), /it ends after 4103 bytes/],
    [
      'ends before its last page',
      (bytes) => bytes.subarray(0, bytes.length / 2),
      /it ends after \d+ bytes of \d+/,
    ],
    [
      'ends within its last page',
      (bytes) => bytes.subarray(0, bytes.length - 1),
      /it ends after \d+ bytes of \d+/,
    ],
    [
      'is none of LMDB',
      (bytes) => Buffer.alloc(bytes.length, 'palimpsest '),
      /does not begin as an LMDB file does/,
    ],
    ['is all zeros', (bytes) => Buffer.alloc(bytes.length), /does not begin as an LMDB file does/],
    [
      'has lost its second meta page',
      (bytes) => Buffer.concat([bytes.subarray(0, PAGE), Buffer.alloc(PAGE), bytes.subarray(2 * PAGE)]),
      /meta page 1: it is numbered 0/,
    ],
    [
      'has zeros in the place of all else',
      (bytes) => Buffer.concat([bytes.subarray(0, 2 * PAGE), Buffer.alloc(bytes.length - 2 * PAGE)]),
      /page \d+ is not the first one of a tree/,
    ],
    [
      'tells a root that is none',
      (bytes) => {
        for (const meta of [0, PAGE]) bytes.writeBigUInt64LE(1n << 40n, meta + 24 + 72 + 40)
        return bytes
      },
      /meta page 0: a tree is said to begin on page 1099511627776/,
    ],
    [
      'has a damaged row in the table that is read first',
      (bytes) => {
        // The length of its value, in every copy of the row.
        const key = Buffer.from('storeId')
        let found = 0
        for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
          if (bytes.readUInt16LE(at - 2) !== key.length) continue
          bytes[at - 5]! ^= 0x40
          found++
        }
        expect(found).toBeGreaterThan(0)
        return bytes
      },
      /data\.mdb: meta: page \d+: a node at \d+ reaches out of its nodes/,
    ],
  ])('%s', async (_case, damage, fault) => {
    const { dataDir, path } = await closedStore()
    writeFileSync(path, damage(readFileSync(path)))
    const { status, err } = runCommand(['stats', '--data-dir', dataDir])
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(fault) as string })
    expect(err).toMatch(
      /^palimpsest: the store in .* is damaged: .*restore the data folder from a backup.*\n$/,
    )
  })
})

test('any bit of the meta pages that flips is noticed, or leaves all rows of one of the two snapshots', async () => {
  const { path, snapshots } = await closedStore()
  const sound = readFileSync(path)
  const flipped = join(temporaryFolder(), 'data.mdb')
  let refused = 0
  for (const meta of [0, 2048, 4096]) {
    for (let bit = 0; bit < 8 * 168; bit++) {
      const bytes = Buffer.from(sound)
      bytes[meta + (bit >> 3)]! ^= 1 << (bit & 7)
      writeFileSync(flipped, bytes)
      if (isRefused(flipped)) refused++
      else expect(snapshots.includes(allRows(flipped)), `bit ${bit} behind ${meta}`).toBe(true)
    }
  }
  expect(refused).toBeGreaterThan(1000)
})

test('a table that is marked as one of another order is refused, since its rows would seem to be missing', async () => {
  const { path } = await closedStore()
  const sound = readFileSync(path)
  const key = Buffer.from('title\0')
  const heads: number[] = []
  for (let at = sound.indexOf(key); at >= 0; at = sound.indexOf(key, at + 1))
    if (sound.readUInt16LE(at - 2) === key.length && sound.readUInt16LE(at - 4) === SUB_TREE)
      heads.push(at + key.length)
  expect(heads.length).toBeGreaterThan(0)
  const flipped = join(temporaryFolder(), 'data.mdb')
  for (let bit = 0; bit < 16; bit++) {
    const bytes = Buffer.from(sound)
    // In every copy of the row, as the file keeps those of earlier transactions.
    for (const head of heads) bytes.writeUInt16LE(1 << bit, head + 4)
    writeFileSync(flipped, bytes)
    expect(isRefused(flipped), `bit ${bit}`).toBe(true)
  }
})

describe('a sound file is not refused', () => {
  test('when it is larger than what is used', async () => {
    const { dataDir, path } = await closedStore()
    const descriptor = openSync(path, 'r+')
    ftruncateSync(descriptor, 50 * 2 ** 20)
    closeSync(descriptor)
    expect(runCommand(['verify', '--data-dir', dataDir])).toMatchObject({ status: 0 })
  })

  test('when it ends before its last pages, which are free', async () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')])])
    applier.finishImport(null)
    const { text } = store.tables
    store.transact(() => text.putSync(99, Buffer.alloc(2 ** 20)))
    store.transact(() => text.removeSync(99))
    // Small writes go to the low pages that are free.
    for (let n = 0; n < 8; n++) store.transact(() => undefined)
    await store.close()
    const path = join(dataDir, 'store/data.mdb')
    const whole = readFileSync(path)
    const shorter = join(temporaryFolder(), 'data.mdb')
    let end = whole.length
    do writeFileSync(shorter, whole.subarray(0, (end -= 4096)))
    while (!isRefused(shorter))
    expect(end).toBeLessThan(whole.length - 2 ** 19)
    writeFileSync(path, whole.subarray(0, end + 4096))
    const opened = Store.open(dataDir)
    expect(source(opened, 'Moon')).toBe('a')
    expect(problems(opened)).toEqual([])
    await opened.close()
  })

  test('when it is a copy by backup, whole or without a write since', async () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')])])
    const target = temporaryFolder()
    await store.backup(target)
    checkFile(join(target, 'store/data.mdb'))
    const copy = Store.open(target)
    expect(source(copy, 'Moon')).toBe('a')
    await copy.close()
  })

  test('while it is written to', () => {
    const { store, dataDir } = temporaryStore()
    const path = join(dataDir, 'store/data.mdb')
    for (let n = 0; n < 300; n++) {
      store.transact(() => store.tables.text.putSync(n, Buffer.alloc(100 * (n % 50))))
      checkFile(path, { tries: 1 })
    }
  })

  test('when nothing was written to it but its beginning', async () => {
    const { store, dataDir } = temporaryStore()
    await store.close()
    const target = temporaryFolder()
    mkdirSync(join(target, 'store'))
    copyFileSync(join(dataDir, 'store/data.mdb'), join(target, 'store/data.mdb'))
    await Store.open(target).close()
  })
})
