/** Contents that reach a running server: whole under their final name, and safe while their row is written. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withArrivingPath, withPlacedContents, writeContents } from '../../src/files/arriving.js'
import { originalPath, Originals } from '../../src/files/originals.js'
import { removeUnused } from '../../src/files/removeUnused.js'
import { noteUnused } from '../../src/storage/apply/eraseRequests.js'
import { temporaryStore } from '../support/store.js'

test('contents are there while their row is written, whoever finds them unused', async () => {
  const { store, dataDir } = temporaryStore()
  const parts = [Buffer.alloc(100_000, 'a'), Buffer.from('b')]
  const path = await withArrivingPath(dataDir, async (arriving) => {
    const received = await writeContents(arriving, parts)
    const target = originalPath(dataDir, received.sha256)
    expect(received).toMatchObject({ sizeBytes: 100_001, sha1: expect.stringMatching(/^\w{31}$/) as unknown })
    await withPlacedContents(received, dataDir, () => {
      noteUnused(store, received.sha256)
      for (const _step of removeUnused(store, dataDir));
      expect(readFileSync(target)).toEqual(Buffer.concat(parts))
      // Even this is put right.
      new Originals(dataDir).remove(received.sha256)
      return Promise.resolve()
    })
    return target
  })
  expect(readFileSync(path)).toEqual(Buffer.concat(parts))
  expect(readdirSync(join(dataDir, 'files', 'arriving'))).toEqual([])
  for (const _step of removeUnused(store, dataDir));
  expect(existsSync(path)).toBe(false)
})
