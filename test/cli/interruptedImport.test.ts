/** Imports that are killed and begun again, with the real command and its real process. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readStats } from '../../src/storage/stats.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { temporaryFolder } from '../support/store.js'

const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')
const KILLS = rounds(24, 9)

const PAGES = 60

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

const importArguments = (dataDir: string, dump: string): string[] => [
  COMMAND,
  'import',
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
async function killImport(dataDir: string, dump: string, pages: number): Promise<boolean> {
  const child = spawn(process.execPath, importArguments(dataDir, dump), { stdio: 'ignore' })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const store = Store.open(dataDir, { create: true })
  try {
    while (child.exitCode === null && readStats(store).pages <= pages) {
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
