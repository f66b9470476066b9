/** Imports that are killed and begun again, with the real command and its real process. */
// @module-tag kills
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readStats } from '../../src/storage/stats.js'
import { Store } from '../../src/storage/store.js'
import { type Table, WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { temporaryFolder } from '../support/store.js'

const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')
const KILLS = rounds(24, 6)
const INDEX_KILLS = rounds(12, 3)

const PAGES = rounds(60, 40)

/** Pages with up to 40 revisions; the texts of one page are long enough for several transactions. */
function history(): DumpPage[] {
  let id = 0
  return Array.from({ length: PAGES }, (_, page) => ({
    id: page + 1,
    title: `Page ${page}`,
    revisions: Array.from({ length: 1 + ((page * 7) % 40) }, (_, n) => {
      const lines = Array.from(
        { length: 20 },
        (_, line) => `line ${line} of page ${page}${line === n % 20 ? `, edit ${n}` : ''}`,
      )
      const editor = n % 3 === 0 ? `192.0.2.${n}` : { id: (n % 5) + 1, name: `Editor ${n % 5}` }
      return { id: ++id, text: lines.join('\n'), editor, comment: `edit ${n}`, minor: n % 4 === 0 }
    }),
  }))
}

test(`an import killed ${KILLS} times leaves a sound store each time, and ends as an undisturbed one`, async () => {
  const folder = temporaryFolder()
  const dump = join(folder, 'dump.xml')
  writeFileSync(dump, dumpXml(history()))
  runImport(join(folder, 'undisturbed'), dump)
  const wanted = await inspect(join(folder, 'undisturbed'))
  expect(wanted.problems).toEqual([])

  const random = randomNumbers(20)
  let kills = 0
  let partial = 0
  for (let round = 0; kills < KILLS; round++) {
    const dataDir = join(folder, `round-${round}`)
    for (let n = 0; n < 3; n++) {
      if (await killImport(dataDir, dump, Math.floor(random() * PAGES))) kills++
      const { problems, pages } = await inspect(dataDir)
      expect(problems).toEqual([])
      if (pages > 0 && pages < PAGES) partial++
    }
    runImport(dataDir, dump)
    expect(await inspect(dataDir)).toEqual(wanted)
  }
  // The kills are only worth something if some of them met the import in the middle.
  expect(partial).toBeGreaterThan(KILLS / 6)
})

describe('an import that indexes while it reads', () => {
  /** Pages with some common and many rare words. */
  const MANY = 1500
  const many = (): DumpPage[] => {
    const random = randomNumbers(5)
    const word = (): string => `w${Math.floor(random() ** 3 * 5000)}`
    return Array.from({ length: MANY }, (_, n) => ({
      id: n + 1,
      title: `Page ${n}`,
      revisions: [
        {
          id: n + 1,
          text: `${Array.from({ length: 60 }, word).join(' ')} [[Page ${n >> 3}]] [[Category:${word()}]]`,
        },
      ],
    }))
  }

  test(`and is killed ${INDEX_KILLS} times ends with the index of an undisturbed one`, async () => {
    const folder = temporaryFolder()
    const dump = join(folder, 'dump.xml')
    writeFileSync(dump, dumpXml(many()))
    runImport(join(folder, 'undisturbed'), dump)
    const wanted = await indexRows(join(folder, 'undisturbed'))
    expect(wanted.indexed).toBe(MANY)

    const random = randomNumbers(21)
    const dataDir = join(folder, 'killed')
    let partial = 0
    for (let kills = 0; kills < INDEX_KILLS;) {
      const pages = Math.floor(random() * 1.5 * MANY)
      // Beyond the last page the kill meets the index, after so many looks at the store.
      let looks = Math.max(0, pages - MANY)
      const isKilled = await killImportWhen(
        dataDir,
        dump,
        (store) => readStats(store).pages >= Math.min(pages, MANY) && looks-- <= 0,
      )
      if (!isKilled) {
        expect(await indexRows(dataDir)).toEqual(wanted)
        rmSync(dataDir, { recursive: true })
        continue
      }
      kills++
      const { problems, ...found } = await indexRows(dataDir)
      expect(problems).toEqual([])
      if (found.pages === 0) continue
      if (found.indexed < MANY) partial++
      else rmSync(dataDir, { recursive: true })
    }
    runImport(dataDir, dump)
    expect(await indexRows(dataDir)).toEqual(wanted)
    expect(partial).toBeGreaterThan(INDEX_KILLS / 3)
  })
})

/** Hashes of the search index by table, numbers of pages, and the problems of the store. */
async function indexRows(
  dataDir: string,
): Promise<{ hashes: Record<string, string>; pages: number; indexed: number; problems: readonly string[] }> {
  const store = Store.open(dataDir)
  try {
    const hashes: Record<string, string> = {}
    for (const [name, table] of Object.entries(store.search.inForce())) {
      const hash = createHash('sha256')
      for (const { key, value } of (table as Table<unknown>).getRange({ ...WHOLE_TABLE }))
        hash.update(JSON.stringify(key)).update(value)
      hashes[name] = hash.digest('hex')
    }
    return {
      hashes,
      pages: readStats(store).pages,
      indexed: store.search.countIndexed(),
      problems: verifyStore(store).problems,
    }
  } finally {
    await store.close()
  }
}

const importArguments = (dataDir: string, dump: string): string[] => [
  COMMAND,
  'import',
  // A slow machine would show its progress.
  '--quiet',
  '--data-dir',
  dataDir,
  '--batch-bytes',
  '4000',
  dump,
]

function runImport(dataDir: string, dump: string): void {
  const { status, stderr } = spawnSync(process.execPath, importArguments(dataDir, dump), { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

/** Starts an import and kills it when the store has more than so many pages; false when it was quicker. */
const killImport = (dataDir: string, dump: string, pages: number): Promise<boolean> =>
  killImportWhen(dataDir, dump, (store) => readStats(store).pages > pages)

async function killImportWhen(
  dataDir: string,
  dump: string,
  isDue: (store: Store) => boolean,
): Promise<boolean> {
  const child = spawn(process.execPath, importArguments(dataDir, dump), { stdio: 'ignore' })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const store = Store.open(dataDir, { create: true })
  try {
    while (child.exitCode === null && !isDue(store)) {
      await setImmediate()
      store.refresh()
    }
  } finally {
    await store.close()
  }
  child.kill('SIGKILL')
  const [, signal] = await ended
  return signal === 'SIGKILL'
}

/** Contents of a store; a missing store counts as empty. */
async function inspect(
  dataDir: string,
): Promise<{ problems: readonly string[]; pages: number; digest: string }> {
  const store = Store.open(dataDir, { create: true })
  try {
    const { problems, pages } = verifyStore(store)
    return { problems, pages, digest: digestStore(store) }
  } finally {
    await store.close()
  }
}
