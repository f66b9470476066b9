/** Page reads beside edits: a burst of writes must not stall reads. See bench/README.md. */
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type EditLoadSample, loadEdits } from '../support/editLoad.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { findDump, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const EDITED_PAGES = 200
const EDITS_PER_SECOND = 200
const READS_PER_SECOND = 500
/** Most that p99 of reads beside edits may be, as a multiple of p99 of reads alone. */
const AIM = 3

const { rounds = 5, seconds = 5 } = readOptions()

interface Round {
  readonly idle: ProbeSample
  readonly beside: ProbeSample
  /** Reads while another server on the same machine gets the edits. Shows the effect of shared cores alone. */
  readonly elsewhere: ProbeSample
  readonly edits: EditLoadSample
}

const dump = findDump(DUMP)
if (dump !== undefined) {
  const sandbox = new Sandbox()
  try {
    await measure(sandbox, dump)
  } finally {
    await sandbox.close()
  }
}

async function measure(sandbox: Sandbox, dumpPath: string): Promise<void> {
  const origin = await startCopy(sandbox, dumpPath)
  const elsewhereOrigin = await startCopy(sandbox, dumpPath)
  const paths = (await drawPageKeys(dumpPath, TITLES)).map(pagePath)
  const reads = { origin, paths, readsPerSecond: READS_PER_SECOND, seconds }
  const writes = { origin, paths: paths.slice(0, EDITED_PAGES), editsPerSecond: EDITS_PER_SECOND, seconds }
  const otherWrites = { ...writes, origin: elsewhereOrigin }
  // Warms up all sides.
  await Promise.all([probeReads(reads), loadEdits(writes)])
  await loadEdits(otherWrites)
  const samples: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const idle = await probeReads(reads)
    const [beside, edits] = await Promise.all([probeReads(reads), loadEdits(writes)])
    const [elsewhere] = await Promise.all([probeReads(reads), loadEdits(otherWrites)])
    samples.push({ idle, beside, elsewhere, edits })
  }
  report(samples, basename(dumpPath))
}

/** Starts a server over a copy of the imported dump. Returns its origin. */
async function startCopy(sandbox: Sandbox, dumpPath: string): Promise<string> {
  const dataDir = join(sandbox.folder('edited'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--anonymous-edits', '--log-level', 'warn']
  const { greeting } = await sandbox.serve(PALIMPSEST, args, /(http:\/\/127\.0\.0\.1:\d+)\//)
  return greeting[1]!
}

function report(samples: readonly Round[], corpus: string): void {
  const row = (name: string, side: (round: Round) => ProbeSample | EditLoadSample): string[] => {
    const { p50, p99, max } = summariseFigures(samples, {
      p50: (round) => side(round).p50Ms,
      p99: (round) => side(round).p99Ms,
      max: (round) => side(round).maxMs,
    })
    return [name, ...[p50, p99, max].map((figure) => formatSummary(figure, 2))]
  }
  printTable(
    ['latency in ms', 'p50', 'p99', 'longest'],
    [
      row('reads alone', ({ idle }) => idle),
      row('reads beside edits', ({ beside }) => beside),
      row('reads beside edits of another server', ({ elsewhere }) => elsewhere),
      row('edits', ({ edits }) => edits),
    ],
  )
  const ratio = summarise(samples.map(({ idle, beside }) => beside.p99Ms / idle.p99Ms))
  const share = summarise(samples.map(({ beside, elsewhere }) => beside.p99Ms / elsewhere.p99Ms))
  const savedPerSecond = summarise(samples.map(({ edits }) => edits.saved / seconds))
  const errors = samples.reduce((sum, { idle, beside }) => sum + idle.errors + beside.errors, 0)
  console.log(`\np99 of reads beside edits to p99 alone: ${formatSummary(ratio, 2)}; aim: at most ${AIM}.`)
  console.log(`The same to p99 beside edits of another server: ${formatSummary(share, 2)}.`)
  console.log(`Edits saved in a second, of ${EDITS_PER_SECOND} offered: ${formatSummary(savedPerSecond, 0)}.`)
  if (errors > 0) {
    console.log(`${errors} reads failed: these figures are not to be trusted.`)
    process.exitCode = 1
  }
  const setup = {
    corpus,
    rounds,
    seconds,
    titles: TITLES,
    editedPages: EDITED_PAGES,
    editsPerSecond: EDITS_PER_SECOND,
    readsPerSecond: READS_PER_SECOND,
  }
  writeResult('http-edit', { setup, samples, summary: { ratio, share, savedPerSecond } })
}
