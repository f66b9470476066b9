/**
 * The import of dumps, compared with decompression, XML parsing and the importer's reader alone. See bench/README.md.
 */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DumpCounts } from './import/countPages.js'
import {
  type ImportRatio,
  type ImportSample,
  printImportRatios,
  printSteps,
  type StepSummary,
  summariseImportRatio,
  summariseStep,
} from './import/report.js'
import { runStep, type StepName, STEPS } from './import/steps.js'
import { findProgram } from './support/machine.js'
import { readOptions } from './support/options.js'
import { findDump } from './support/repository.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { formatNumber } from './support/table.js'

const DUMPS = [
  'demo-wikipedia-sample.xml.bz2',
  'gdwiki-pages-articles.xml.gz',
  'mixed-pages-articles.xml.bz2',
]
/** Takes minutes, so it is read only on request, and once. */
const HISTORY = 'gdwiki-pages-meta-history.xml.bz2'
const AIM =
  'Aim: import with index at most 2.5 times decompression and XML parsing alone on two cores, own memory under 200 MB.'
const STEP_NAMES = Object.keys(STEPS) as StepName[]

interface DumpResult {
  readonly dump: string
  readonly counts: DumpCounts
  readonly samples: readonly ImportSample[]
  readonly steps: readonly StepSummary[]
  readonly ratios: readonly ImportRatio[]
}

const { rounds = 3, history } = readOptions()
if (findProgram('bash') === undefined) {
  console.log('bash is missing, whose `time` measures the processes: the import is not measured.')
} else {
  const sandbox = new Sandbox()
  try {
    await measureDumps(sandbox)
  } finally {
    await sandbox.close()
  }
}

async function measureDumps(sandbox: Sandbox): Promise<void> {
  const plan = DUMPS.map((name) => ({ name, rounds }))
  if (history) plan.push({ name: HISTORY, rounds: 1 })
  const results: DumpResult[] = []
  for (const { name, rounds } of plan) {
    const dump = findDump(name)
    if (dump !== undefined) results.push(await measureDump(sandbox, dump, rounds))
  }
  if (results.length === 0) return
  console.log(`\n${AIM}`)
  const corpus = results.map(({ dump, counts }) => ({
    file: basename(dump),
    bytes: statSync(dump).size,
    ...counts,
  }))
  writeResult('import', {
    setup: { corpus, rounds },
    samples: results.flatMap(({ samples }) => samples),
    summary: results.map(({ dump, steps, ratios }) => ({ dump: basename(dump), steps, ratios })),
  })
}

/** Runs all steps in turns, round after round, and prints the results. */
async function measureDump(sandbox: Sandbox, dump: string, rounds: number): Promise<DumpResult> {
  const samples: ImportSample[] = []
  let counts: DumpCounts | undefined
  for (let round = 1; round <= rounds; round++) {
    console.log(`${basename(dump)}: round ${round} of ${rounds}`)
    for (const step of STEP_NAMES) {
      const usage = await runStep(sandbox, step, dump)
      if (usage === undefined) continue
      const { stdout, ...sample } = usage
      if (step === 'read') counts = JSON.parse(stdout) as DumpCounts
      samples.push({ dump: basename(dump), step, round, ...sample })
    }
  }
  if (counts === undefined) throw new Error(`${dump} was not read`)
  return report(dump, counts, samples)
}

function report(dump: string, counts: DumpCounts, samples: readonly ImportSample[]): DumpResult {
  const ofStep = (step: StepName): ImportSample[] => samples.filter((sample) => sample.step === step)
  const measured = STEP_NAMES.filter((step) => ofStep(step).length > 0)
  const steps = measured.map((step) => summariseStep(step, ofStep(step), counts))
  const ratios = measured
    .filter((step) => step !== 'import')
    .map((step) => summariseImportRatio(samples, step))
  const [pages, revisions] = [formatNumber(counts.pages, 0), formatNumber(counts.revisions, 0)]
  console.log(
    `\n${basename(dump)}: ${formatNumber(counts.xmlBytes / 1e6, 1)} MB of XML, ${pages} pages, ${revisions} revisions\n`,
  )
  printSteps(steps)
  console.log()
  printImportRatios(ratios)
  console.log()
  return { dump, counts, samples, steps, ratios }
}
