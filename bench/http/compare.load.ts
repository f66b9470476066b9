/**
 * Comparisons of revisions of 20 kB over HTTP: how many a second by the number of compute threads, and what page reads
 * notice of a queue that is always full. See bench/README.md.
 */
import { join } from 'node:path'
import { canReadCpuTime } from '../support/cpuTime.js'
import { comparisonPaths, type HistoryShape, pagePaths, writeHistoryStore } from '../support/historyStore.js'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { allowedCores, findProgram } from '../support/machine.js'
import { readOptions } from '../support/options.js'
import { NOTHING_PINNED } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { type Summary, summarise } from '../support/statistics.js'
import { formatSummary, printTable } from '../support/table.js'
import { type LoadCounts, type LoadGenerator, loadGenerator, writeLoadScript } from '../support/wrk.js'

const SHAPE: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 20_000, edits: 5 }
/** Enough for every thread to find the next task waiting, and few enough for the queue of one thread. */
const COMPARISON_CONNECTIONS = 32
/** With a pause after each answer, so that page reads are a steady load of some 1,000 a second and fill no core. */
const PAGE_CONNECTIONS = 16
const PAGE_PAUSE_MS = 15
const LEAD_SECONDS = 1
/** Most that p99 of page reads may rise beside comparisons, as a multiple. */
const AIM_OF_IDLE = 2

const { rounds = 5, seconds: secondsGiven = 3 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

const wrk = findProgram('wrk')
if (wrk === undefined) console.log('wrk is missing (Debian: apt install wrk): comparisons are not measured.')
if (!canReadCpuTime()) console.log('there is no /proc/PID/stat (Linux has it): comparisons are not measured.')
if (wrk !== undefined && canReadCpuTime()) {
  const sandbox = new Sandbox()
  try {
    await measureComparisons(sandbox, wrk)
  } finally {
    await sandbox.close()
  }
}

async function measureComparisons(sandbox: Sandbox, wrkPath: string): Promise<void> {
  const dataDir = join(sandbox.folder('history'), 'store')
  await writeHistoryStore(dataDir, SHAPE)
  const cores = allowedCores().length
  const threadCounts = [1, 2, 4, 8, 16].filter((count) => count <= cores)
  const servers: LoadedServer[] = []
  for (const count of threadCounts) servers.push(await startServer(sandbox, dataDir, count))
  const generate = loadGenerator(sandbox, NOTHING_PINNED, wrkPath)
  const comparisons = writeLoadScript(sandbox.folder('comparisons'), comparisonPaths(SHAPE))
  const pages = writeLoadScript(sandbox.folder('pages'), pagePaths(SHAPE), PAGE_PAUSE_MS)
  const setup = {
    shape: SHAPE,
    rounds,
    seconds,
    cores,
    threadCounts,
    COMPARISON_CONNECTIONS,
    PAGE_CONNECTIONS,
  }
  console.log(`${cores} cores, ${rounds} rounds of ${seconds} s`)

  const load = { rounds, seconds, connections: COMPARISON_CONNECTIONS, script: comparisons }
  const samples = await loadInTurns(servers, generate, load)
  const threads = servers.map(({ name }) => summariseServer(samples, name))
  const ratios = servers.slice(1).map(({ name }) => summariseRatio(samples, name, servers[0]!.name))
  console.log()
  printServers(threads)
  if (ratios.length > 0) printRatios(ratios)

  const { origin } = servers[0]!
  const reads: PageReads[] = []
  for (let round = 1; round <= rounds; round++) {
    reads.push(await readPages(generate, origin, { pages, comparisons, seconds, round }))
  }
  const summary = summariseReads(reads)
  reportReads(summary)
  const errors = [...samples, ...reads.flatMap(({ idle, beside }) => [idle, beside])].some(
    (one) => one.errors > 0,
  )
  if (errors) {
    console.log('There were errors: these figures are not to be trusted.')
    process.exitCode = 1
  }
  writeResult('http-compare', {
    setup,
    samples: [...samples, ...reads],
    summary: { threads, ratios, pages: summary },
  })
}

/** A server that keeps no comparison, so that each is made. */
async function startServer(sandbox: Sandbox, dataDir: string, threads: number): Promise<LoadedServer> {
  const flags = ['--compute-threads', String(threads), '--comparisons-bytes', '0', '--log-level', 'warn']
  const { pid, greeting } = await sandbox.serve(
    process.execPath,
    [PALIMPSEST, 'serve', '--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0', ...flags],
    /(http:\/\/127\.0\.0\.1:\d+)\/v1/,
  )
  return { name: `${threads} ${threads === 1 ? 'thread' : 'threads'}`, group: pid, origin: greeting[1]! }
}

/** Page reads of one round: alone, and while comparisons wait in the queue. */
interface PageReads {
  /** Counted from 1. */
  readonly round: number
  readonly idle: LoadCounts
  readonly beside: LoadCounts
}

async function readPages(
  generate: LoadGenerator,
  origin: string,
  load: {
    readonly pages: string
    readonly comparisons: string
    readonly seconds: number
    readonly round: number
  },
): Promise<PageReads> {
  const readAll = (): Promise<LoadCounts> =>
    generate(origin, { seconds: load.seconds, connections: PAGE_CONNECTIONS, script: load.pages })
  const readBeside = async (): Promise<LoadCounts> => {
    const comparing = generate(origin, {
      seconds: load.seconds + 2 * LEAD_SECONDS,
      connections: COMPARISON_CONNECTIONS,
      script: load.comparisons,
    })
    await new Promise((resolve) => setTimeout(resolve, LEAD_SECONDS * 1000))
    const [counts] = await Promise.all([readAll(), comparing])
    return counts
  }
  // Another order each round, since what comes second may find the machine in another state.
  if (load.round % 2 === 1) return { round: load.round, idle: await readAll(), beside: await readBeside() }
  const beside = await readBeside()
  return { round: load.round, idle: await readAll(), beside }
}

type ReadSummary = Readonly<Record<'idle' | 'beside' | 'ratio', Readonly<Record<'p50Ms' | 'p99Ms', Summary>>>>

function summariseReads(reads: readonly PageReads[]): ReadSummary {
  const each = (figure: (one: PageReads, name: 'p50Ms' | 'p99Ms') => number): ReadSummary['idle'] => ({
    p50Ms: summarise(reads.map((one) => figure(one, 'p50Ms'))),
    p99Ms: summarise(reads.map((one) => figure(one, 'p99Ms'))),
  })
  return {
    idle: each(({ idle }, name) => idle[name]),
    beside: each(({ beside }, name) => beside[name]),
    ratio: each(({ idle, beside }, name) => beside[name] / idle[name]),
  }
}

function reportReads({ idle, beside, ratio }: ReadSummary): void {
  const row = (name: string, { p50Ms, p99Ms }: ReadSummary['idle']): string[] => [
    name,
    formatSummary(p50Ms, 2),
    formatSummary(p99Ms, 2),
  ]
  console.log()
  printTable(
    ['page reads, one compute thread', 'p50 ms', 'p99 ms'],
    [row('alone', idle), row('beside comparisons', beside), row('ratio within a round', ratio)],
  )
  console.log(`Aim: p99 beside comparisons below ${AIM_OF_IDLE} times that alone.`)
}
