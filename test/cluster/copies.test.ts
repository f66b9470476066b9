/** Copies of the store for new nodes: those of killed processes go, and no other. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCopy, removeDeadCopies } from '../../src/cluster/copies.js'
import { ownMark } from '../../src/storage/processMark.js'
import { temporaryFolder, temporaryStore } from '../support/store.js'

const MINUTE_MS = 60_000

test('copies of dead processes are removed at once, those of unknown ones when nobody writes to them', async () => {
  const dataDir = temporaryFolder()
  const put = (name: string, maker?: string): void => {
    mkdirSync(join(dataDir, name, 'store'), { recursive: true })
    writeFileSync(join(dataDir, name, 'store', 'data.mdb'), 'the beginning of a store')
    if (maker !== undefined) writeFileSync(join(dataDir, name, 'maker.json'), maker)
  }
  const left = async (afterMs: number): Promise<string[]> => {
    await removeDeadCopies(dataDir, Date.now() + afterMs)
    return readdirSync(dataDir).sort()
  }
  put('.copy-dead', JSON.stringify({ ...ownMark(), pid: spawnSync('true').pid }))
  put('.copy-elsewhere', JSON.stringify({ ...ownMark(), where: 'another container' }))
  put('.copy-running', JSON.stringify(ownMark()))
  put('.copy-torn', '{"pid":')
  put('.copy-unmarked')
  put('store')
  expect(await left(0)).toEqual(['.copy-elsewhere', '.copy-running', '.copy-torn', '.copy-unmarked', 'store'])
  expect(await left(9 * MINUTE_MS)).toHaveLength(5)
  expect(await left(11 * MINUTE_MS)).toEqual(['.copy-running', 'store'])
})

test('a copy that fails leaves nothing', async () => {
  const { store, dataDir } = temporaryStore()
  const before = readdirSync(dataDir)
  await store.close()
  await expect(makeCopy(store, dataDir)).rejects.toThrow()
  expect(readdirSync(dataDir)).toEqual(before)
})
