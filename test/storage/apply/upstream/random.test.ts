/** A wiki that changes by chance, followed in batches of chance: the store always equals it and is sound. */
// @module-tag slow
import { expect, test } from 'vitest'
import { decodeEntry, type Entry } from '../../../../src/storage/entries/entries.js'
import { logKey } from '../../../../src/storage/entries/logReader.js'
import { digestStore } from '../../../../src/storage/verify/digest.js'
import { randomNumbers } from '../../../support/random.js'
import { RandomWiki } from '../../../support/randomWiki.js'
import { problems, temporaryStore } from '../../../support/store.js'
import { Following } from '../../../support/upstream.js'
import { catchUp, expectEqual } from '../../../support/wikiModel.js'

const isThorough = process.env['THOROUGH'] !== undefined
const SEEDS = Array.from({ length: isThorough ? 100 : 8 }, (_, n) => n + 1)

test.each(SEEDS)('a wiki of chance is followed, seed %i', { timeout: 120_000 }, async (seed) => {
  const random = randomNumbers(seed)
  const wiki = new RandomWiki(random)
  const { store, applier } = temporaryStore()
  const following = new Following(store, applier)
  for (let round = 0; round < 12; round++) {
    for (let n = Math.floor(random() * 60); n >= 0; n--) wiki.change()
    const model = wiki.model()
    catchUp(following, model, random, 1 + Math.floor(random() * 8))
    expectEqual(store, model)
    expect(problems(store)).toEqual([])
  }
  const log = Array.from({ length: store.position().sequence }, (_, n) =>
    Buffer.from(store.tables.log.getBinary(logKey(n + 1))!),
  )
  const digest = digestStore(store)
  await store.close()
  const replayed = temporaryStore()
  for (const bytes of log) replayed.applier.submit(decodeEntry(bytes) as Entry)
  expect(digestStore(replayed.store)).toBe(digest)
})
