/**
 * A made wiki of any size: its import, reads and edits, checks, copies and a new index. It shows what grows faster than the wiki: run it
 * with several numbers of pages. See bench/README.md.
 */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from '../support/options.js'
import { RESULTS } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { formatNumber, printTable } from '../support/table.js'
import { importMade } from './importMade.js'
import { serveMade } from './served.js'
import { runTimed } from './timedRun.js'

const DEFAULT_PAGES = 10_000
const DEFAULT_SECONDS = 10
const { pages = DEFAULT_PAGES, seconds = DEFAULT_SECONDS, only } = readOptions()
const dataDir = join(RESULTS, 'cache', `made-wiki-${pages}`)
const file = join(dataDir, 'store/data.mdb')

const digitsOf = (value: number): number => (Math.abs(value) >= 100 ? 0 : 2)

type Figures = Readonly<Record<string, number>>
const samples: object[] = []

const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

async function measure(): Promise<void> {
  const stages: Readonly<Record<string, () => Promise<Figures>>> = {
    import: () => importMade(sandbox, pages, dataDir),
    served: () => serveMade(sandbox, pages, dataDir, seconds),
    verify: () => runTimed(sandbox, ['verify', '--data-dir', dataDir]),
    backup: () => backup(),
    export: () => runTimed(sandbox, ['export', '--data-dir', dataDir, '-']),
    reindex: () => runTimed(sandbox, ['reindex', '--data-dir', dataDir]),
  }
  for (const [stage, run] of Object.entries(stages)) {
    const isNeeded = stage === 'import' && !existsSync(file)
    if (!isNeeded && (stage === 'import' || (only !== undefined && !stage.includes(only)))) continue
    const figures = await run()
    samples.push({ stage, ...figures })
    console.log(`\n${stage}, ${pages.toLocaleString('en')} pages`)
    printTable(
      ['figure', 'value'],
      Object.entries(figures).map(([name, value]) => [name, formatNumber(value, digitsOf(value))]),
    )
  }
  const storeBytes = statSync(file).size
  const summary = { 'store bytes a page': storeBytes / pages }
  writeResult('large-wiki', { setup: { pages, dataDir, storeBytes }, samples, summary })
}

async function backup(): Promise<Figures> {
  const folder = join(sandbox.folder('backup'), 'copy')
  const figures = await runTimed(sandbox, ['backup', '--data-dir', dataDir, folder])
  const copyBytes = statSync(join(folder, 'store/data.mdb')).size
  rmSync(folder, { recursive: true })
  return { ...figures, 'bytes a page of the copy': copyBytes / pages }
}
