/** A recorded wiki followed from any step to any other one: the store then equals the wiki in every part. */
// @module-tag slow
import { expect, test } from 'vitest'
import { decodeEntry, type Entry } from '../../../../src/storage/entries/entries.js'
import { logKey } from '../../../../src/storage/entries/logReader.js'
import { digestStore } from '../../../../src/storage/verify/digest.js'
import { openModels } from '../../../support/recordedWiki.js'
import { RECORDING } from '../../../support/replay.js'
import { randomNumbers } from '../../../support/random.js'
import { problems, temporaryStore } from '../../../support/store.js'
import { Following } from '../../../support/upstream.js'
import { catchUp, expectEqual } from '../../../support/wikiModel.js'
import { describeShared } from '../../../support/shared.js'

const SEEDS = Array.from({ length: process.env['THOROUGH'] === undefined ? 6 : 60 }, (_, n) => n + 1)

describeShared('a recorded wiki', RECORDING, () => {
  test.each(SEEDS)('is followed over steps of chance, seed %i', { timeout: 120_000 }, async (seed) => {
    const random = randomNumbers(seed)
    const recording = await openModels()
    const { store, applier } = temporaryStore()
    const following = new Following(store, applier)
    for (let step = Math.floor(random() * 20); ;) {
      const wiki = recording.at(step)
      catchUp(following, wiki, random, 1 + Math.floor(random() * 40))
      expectEqual(store, wiki)
      expect(problems(store)).toEqual([])
      if (step === recording.last) break
      step = Math.min(recording.last, step + 1 + Math.floor(random() * 25))
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
})
