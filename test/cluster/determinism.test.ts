/** Machines that apply the same log have the same store: whatever their language, time zone, Node.js and compressor. */
// @module-tag cluster
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { joinLog } from '../../src/storage/apply/sharedEntries.js'
import { encodeEntry, type Entry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { logKey } from '../../src/storage/entries/logReader.js'
import type { Store } from '../../src/storage/store.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { RandomEntries } from '../support/randomEntries.js'
import { RandomWiki } from '../support/randomWiki.js'
import { temporaryFolder, temporaryStore } from '../support/store.js'
import { Following } from '../support/upstream.js'
import { catchUp } from '../support/wikiModel.js'

const PROGRAM = join(import.meta.dirname, '../support/applyRecords.mjs')
const run = promisify(execFile)

/** A program besides the one that runs the tests, such as `/opt/node-22/bin/node`. */
const OTHER_NODE = process.env['PALIMPSEST_OTHER_NODE']

const MACHINES: readonly { readonly node?: string; readonly env: Readonly<Record<string, string>> }[] = [
  { env: { TZ: 'UTC', LC_ALL: 'C' } },
  { env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
  { env: { TZ: 'America/St_Johns', LANG: 'sv_SE.UTF-8', LANGUAGE: 'sv', OTHER_COMPRESSOR: '1' } },
  ...(OTHER_NODE === undefined ? [] : [{ node: OTHER_NODE, env: { TZ: 'Asia/Kathmandu' } }]),
]

interface Outcome {
  readonly digest: string
  readonly position: unknown
  readonly problems: readonly string[]
}

/** Copies a founding store for each machine, and has each apply the records. */
async function applyEverywhere(store: Store, rows: readonly Buffer[], seed: number): Promise<Outcome[]> {
  const folder = temporaryFolder()
  const file = join(folder, 'records.json')
  writeFileSync(file, JSON.stringify(rows.map((row) => row.toString('base64'))))
  joinLog(store, { epoch: randomEntryId(), ...store.position() })
  const outcomes: Outcome[] = []
  for (const [n, { node = process.execPath, env }] of MACHINES.entries()) {
    const dataDir = join(folder, String(n))
    mkdirSync(dataDir)
    await store.backup(dataDir)
    const { stdout } = await run(node, [PROGRAM, dataDir, file, String(seed + n)], { env })
    outcomes.push(JSON.parse(stdout) as Outcome)
  }
  return outcomes
}

function expectSame(outcomes: readonly Outcome[], rows: readonly Buffer[]): void {
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
  expect(outcomes[0]).toMatchObject({ problems: [] })
  expect(rows.length).toBeGreaterThan(30)
}

const SEEDS = Array.from({ length: rounds(30, 2) }, (_, n) => n + 1)
const withOtherNode = OTHER_NODE === undefined ? ' (PALIMPSEST_OTHER_NODE names no other Node.js)' : ''

describe(`machines with the same log${withOtherNode}`, () => {
  test.each(SEEDS)('have equal stores after entries of all kinds, seed %i', async (seed) => {
    const { store, applier } = temporaryStore()
    const entries = new RandomEntries(randomNumbers(seed))
    // The store that founds the cluster has a log of its own.
    for (let n = 0; n < 60; n++) applier.submit(entries.next())
    const shared: Entry[] = Array.from({ length: rounds(2000, 400) }, () => entries.next())
    const rows = shared.map((entry) => encodeEntry(entry))
    expectSame(await applyEverywhere(store, rows, seed), rows)
  })

  test.each(SEEDS)('have equal stores after states of a followed wiki, seed %i', async (seed) => {
    const random = randomNumbers(seed)
    const wiki = new RandomWiki(random)
    const { store, applier } = temporaryStore()
    const following = new Following(store, applier)
    for (let round = 0; round < rounds(12, 8); round++) {
      for (let n = Math.floor(random() * 60); n >= 0; n--) wiki.change()
      catchUp(following, wiki.model(), random, 1 + Math.floor(random() * 8))
    }
    const rows = Array.from({ length: store.position().sequence }, (_, n) =>
      Buffer.from(store.tables.log.getBinary(logKey(n + 1))!),
    )
    expectSame(await applyEverywhere(temporaryStore().store, rows, seed), rows)
  })
})
