/** `palimpsest verify` of stores that end processes: it tells, and goes on. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifyInProcess } from '../../src/cli/verify/verifyInProcess.js'
import { readMetaPages } from '../../src/storage/file/metaPages.js'
import { PAGE_HEAD, StoreFile } from '../../src/storage/file/storeFile.js'
import { tableTrees, TreeWalks } from '../../src/storage/file/treeWalk.js'
import { checkPagesOfFile } from '../../src/storage/verify/pagesOfFile.js'
import { runHosted } from '../support/command.js'
import { changeRows, flipBit } from '../support/damage.js'
import { page, revision, temporaryStore } from '../support/store.js'

const PAGE = 4096

/** A closed store whose histories take several pages, with a user name that leads to nobody. */
async function closedStore(): Promise<{ dataDir: string; path: string }> {
  const { store, applier, dataDir } = temporaryStore()
  const moon = Array.from({ length: 60 }, (_, n) => revision(n + 1, `text ${n}`))
  applier.importPages('d', [page(1, 'Moon', moon), page(2, 'Sea', [revision(90, 'sea')])])
  applier.finishImport(null)
  store.transact(() => store.tables.userName.putSync('Ghost', Buffer.from([0, 0, 0, 9])))
  await store.close()
  return { dataDir, path: join(dataDir, 'store/data.mdb') }
}

/** Where the first page of a table's tree begins in the file, and how deep the tree is. */
function rootOf(path: string, table: string): { at: number; depth: number } {
  const file = new StoreFile(path)
  const { newest: meta } = readMetaPages(file)
  const walks = new TreeWalks({ file, meta: meta!, report: (fault) => expect.unreachable(fault) })
  const found = [...tableTrees(walks, meta!)].find(({ name }) => name === table)!
  file.close()
  return { at: found.tree.root! * PAGE, depth: found.tree.depth }
}

describe('palimpsest verify', () => {
  test('names what ends a process that reads it, and goes on with the next part', async () => {
    const { dataDir, path } = await closedStore()
    const bytes = readFileSync(path)
    const { at, depth } = rootOf(path, 'history')
    expect(depth).toBe(2)
    const firstBranch = at + PAGE_HEAD + bytes.readUInt16LE(at + PAGE_HEAD)
    const leaf = bytes.readUInt32LE(firstBranch) * PAGE
    // A value of a gibibyte: LMDB reads beyond its map.
    bytes.writeUInt32LE(2 ** 30, leaf + PAGE_HEAD + bytes.readUInt16LE(leaf + PAGE_HEAD + 2))
    writeFileSync(path, bytes)
    const { status, out, err } = runHosted(['verify', '--data-dir', dataDir, '--digest'])
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(out).toMatch(/^file: history: page \d+: a node at \d+ reaches out of its nodes$/m)
    expect(out).toMatch(
      /^page 1: the process that reads it ends by SIG\w+; the rest of the check "pages" is left out$/m,
    )
    expect(out).toMatch(/^user name Ghost leads to nobody$/m)
    expect(out).toMatch(/^digest: the process that reads it ends by SIG\w+/m)
  })

  test('says in one line that no process can be started', async () => {
    const { dataDir } = await closedStore()
    const { execPath } = process
    onTestFinished(() => void (process.execPath = execPath))
    process.execPath = join(dataDir, 'node')
    const options = { dataDir, hashes: false, digest: false }
    await expect(verifyInProcess(options)).rejects.toThrow(/^spawn .*node ENOENT$/)
  })

  test('reads the pages of a file that cannot be opened', async () => {
    const { dataDir, path } = await closedStore()
    const bytes = readFileSync(path)
    bytes.writeBigUInt64LE(7n, rootOf(path, 'text').at)
    writeFileSync(path, bytes)
    const { status, out } = runHosted(['verify', '--data-dir', dataDir])
    expect(status).toBe(1)
    expect(out).toMatch(/the store in .* is damaged: .*table text: page \d+ is not the first one of a tree/)
    expect(out).toMatch(/^file: text: page \d+: it is numbered 7$/m)
  })

  test('goes on behind damaged rows, and names each once', async () => {
    const { dataDir } = await closedStore()
    for (const table of ['history', 'page', 'text', 'log', 'entry', 'actorName']) {
      await changeRows(dataDir, table, ({ rows, put }) => put(rows[0]!.key, flipBit(rows[0]!.value, 9)))
    }
    const { status, out } = runHosted(['verify', '--data-dir', dataDir])
    expect(status).toBe(1)
    const damaged = out.split('\n').filter((line) => line.endsWith('is damaged'))
    const tables = damaged.map((line) => /table (\w+)/.exec(line)![1])
    expect(tables.sort()).toEqual(['actorName', 'entry', 'history', 'log', 'page', 'text'])
    expect(damaged).toContain('the row [1,1577836860,1] of the table history is damaged')
    expect(out).toMatch(/^user name Ghost leads to nobody$/m)
  })

  test('finds keys out of order', async () => {
    const { dataDir, path } = await closedStore()
    const bytes = readFileSync(path)
    const { at } = rootOf(path, 'userName')
    const nodes = [0, 2].map((n) => bytes.readUInt16LE(at + PAGE_HEAD + n))
    bytes.writeUInt16LE(nodes[1]!, at + PAGE_HEAD)
    bytes.writeUInt16LE(nodes[0]!, at + PAGE_HEAD + 2)
    writeFileSync(path, bytes)
    expect(runHosted(['verify', '--data-dir', dataDir]).out).toMatch(
      /^file: userName: page \d+: its keys are out of order$/m,
    )
  })

  test('says in one line that a store is of another format', async () => {
    const { dataDir } = await closedStore()
    await changeRows(dataDir, 'meta', ({ put }) => put(Buffer.from('format'), Buffer.from('2')))
    const { status, out, err } = runHosted(['verify', '--data-dir', dataDir])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^palimpsest: the store in .* is of format 2, .*\n$/)
  })

  test('finds nothing in the pages of a store that is open and written to', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')])])
    applier.finishImport(null)
    const found: string[] = []
    for (let n = 0; n < 50; n++) {
      store.transact(() => store.tables.text.putSync(1000, Buffer.alloc(300 * n)))
      checkPagesOfFile(store.file, (problem) => found.push(problem))
    }
    expect(found).toEqual([])
  })
})
