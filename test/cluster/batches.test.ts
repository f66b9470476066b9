/** Records of the shared log become transactions; those that the store has are left out. And the log is asked sparingly. */
import { expect, test } from 'vitest'
import { batchesOf } from '../../src/cluster/batches.js'
import { LogProof } from '../../src/cluster/logProof.js'
import type { PlacedRecord } from '../../src/log/logEngine.js'
import { SharedLog } from '../../src/log/sharedLog.js'
import { joinLog } from '../../src/storage/apply/sharedEntries.js'
import { encodeEntry, type Entry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { MemoryEngine, MemoryServer } from '../support/memoryEngine.js'
import { START, temporaryStore } from '../support/store.js'

const page = (text: string): Entry => ({
  kind: 'create',
  id: randomEntryId(),
  time: START,
  namespace: 0,
  dbkey: 'Page',
  editor: { id: null, name: '127.0.0.1' },
  comment: '',
  minor: false,
  contentModel: 'wikitext',
  text,
})

const recordsOf = (texts: readonly string[]): PlacedRecord[] =>
  texts.map((text, n) => ({ sequence: n + 1, bytes: encodeEntry(page(text)) }))

/** Positions of each batch. */
const placesOf = (records: readonly PlacedRecord[], position: () => number): number[][] =>
  [...batchesOf(records, position)].map((batch) => batch.map(({ sequence }) => sequence))

test('a transaction has at most 200 entries and, with more than one, 2 MiB of text', () => {
  const many = placesOf(recordsOf(Array.from({ length: 450 }, () => 'x')), () => 0)
  expect(many.map((batch) => [batch[0], batch.length])).toEqual([
    [1, 200],
    [201, 200],
    [401, 50],
  ])
  const [mega, small] = ['x'.repeat(2 ** 20), 'x']
  expect(placesOf(recordsOf([mega, mega, small, mega + mega + mega, small]), () => 0)).toEqual([
    [1, 2],
    [3],
    [4],
    [5],
  ])
})

test('entries that the store has are not decoded, also those that it gets between two transactions', () => {
  const records = recordsOf(Array.from({ length: 450 }, () => 'x'))
  let read = 0
  const watched = records.map(({ sequence, bytes }) => ({
    sequence,
    get bytes() {
      read++
      return bytes
    },
  }))
  const positions = [250]
  expect(placesOf(watched, () => positions.shift()!)).toEqual([
    Array.from({ length: 200 }, (_, n) => 251 + n),
  ])
  expect(read).toBe(200)
  positions.push(0, 300)
  expect(placesOf(watched, () => positions.shift() ?? 300).map(({ length }) => length)).toEqual([200, 151])
  expect(placesOf(watched, () => 450)).toEqual([])
})

test('a node that proves the log asks once for its end', async () => {
  const { store } = temporaryStore()
  const origin = { epoch: 'e'.repeat(32), ...store.position() }
  let asked = 0
  class CountingEngine extends MemoryEngine {
    override bounds() {
      asked++
      return super.bounds()
    }
  }
  const engine = new CountingEngine(new MemoryServer())
  await engine.create(origin)
  joinLog(store, origin)
  const proof = new LogProof(store)
  const log = new SharedLog(engine, origin.epoch)
  // The first proof compares the newest entries, too.
  expect([await proof.prove(log), asked]).toEqual([0, 1])
  expect([await proof.prove(log), asked]).toEqual([0, 2])
})
