/** Keys whose pages are damaged: after the walk over the file's pages LMDB is not asked for them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DamagedRowError } from '../../src/storage/tables/errors.js'
import { findDamagedPages } from '../../src/storage/file/damagedPages.js'
import { readMetaPages } from '../../src/storage/file/metaPages.js'
import { BRANCH, PAGE_HEAD, StoreFile } from '../../src/storage/file/storeFile.js'
import { NODE_HEAD, tableTrees, TreeWalks } from '../../src/storage/file/treeWalk.js'
import { Store } from '../../src/storage/store.js'
import { temporaryStore } from '../support/store.js'

const ROWS = 200
/** Some 13 rows fit into a page. */
const textOf = (id: number): Buffer => Buffer.alloc(280, id)

/** A closed store whose table of texts has a branch above its leaves. */
async function storeWithBranch(): Promise<{ dataDir: string; path: string }> {
  const { store, dataDir } = temporaryStore()
  const { text } = store.tables
  store.transact(() => {
    for (let id = 1; id <= ROWS; id++) text.putSync(id * 3, textOf(id))
  })
  await store.close()
  return { dataDir, path: join(dataDir, 'store/data.mdb') }
}

/** Where the last bytes of the keys stand in the branch at the root of the table of texts, without the ignored first. */
function separators(path: string): number[] {
  const file = new StoreFile(path)
  const { newest: meta } = readMetaPages(file)
  const walks = new TreeWalks({ file, meta: meta!, report: (fault) => expect.unreachable(fault) })
  const { tree } = [...tableTrees(walks, meta!)].find(({ name }) => name === 'text')!
  expect(tree.depth).toBe(2)
  const at = tree.root! * meta!.pageBytes
  const bytes = file.read(at, meta!.pageBytes)
  file.close()
  expect(bytes.readUInt16LE(18)).toBe(BRANCH)
  return Array.from({ length: bytes.readUInt16LE(20) / 2 - 1 }, (_, n) => {
    const node = PAGE_HEAD + bytes.readUInt16LE(PAGE_HEAD + 2 * (n + 1))
    return at + node + NODE_HEAD + bytes.readUInt16LE(node + 6) - 1
  })
}

/** Rows that are missing or another one without an error, and how many fail. */
function readRows(store: Store): { wrong: number[]; failed: number } {
  const wrong: number[] = []
  let failed = 0
  for (let id = 1; id <= ROWS; id++) {
    try {
      if (store.tables.text.getBinary(id * 3)?.equals(textOf(id)) !== true) wrong.push(id)
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedRowError)
      failed++
    }
  }
  return { wrong, failed }
}

test('a damaged key of a branch hides no row', async () => {
  const { dataDir, path } = await storeWithBranch()
  const sound = readFileSync(path)
  const places = separators(path)
  let harmful = 0
  for (const place of [places[0]!, places[places.length >> 1]!, places.at(-1)!]) {
    for (let bit = 0; bit < 16; bit++) {
      const bytes = Buffer.from(sound)
      bytes[place - (bit >> 3)]! ^= 1 << (bit & 7)
      writeFileSync(path, bytes)
      const store = Store.open(dataDir)
      store.avoid(findDamagedPages(path).ranges)
      const { wrong, failed } = readRows(store)
      await store.close()
      expect(wrong, `byte ${place}, bit ${bit}`).toEqual([])
      if (failed > 0) harmful++
    }
  }
  expect(harmful).toBeGreaterThan(20)
})
