/** Comparisons per second over HTTP, of revisions of 20 kB, by the number of compute threads. See bench/README.md. */
import { join } from 'node:path'
import { canReadCpuTime } from '../support/cpuTime.js'
import { comparisonPaths, type HistoryShape, writeHistoryStore } from '../support/historyStore.js'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { allowedCores, findProgram } from '../support/machine.js'
import { readOptions } from '../support/options.js'
import { NOTHING_PINNED } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const SHAPE: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 20_000, edits: 5 }
/** Enough that every thread always finds its next task, and few enough for the queue of one thread. */
const COMPARISON_CONNECTIONS = 32

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
  const comparisons = writeLoadScript(sandbox.folder('comparisons'), comparisonPaths(SHAPE), {
    neverTwice: true,
  })
  const setup = {
    shape: SHAPE,
    rounds,
    seconds,
    cores,
    threadCounts,
    COMPARISON_CONNECTIONS,
  }
  console.log(`${cores} cores, ${rounds} rounds of ${seconds} s`)

  const load = { rounds, seconds, connections: COMPARISON_CONNECTIONS, script: comparisons }
  const samples = await loadInTurns(servers, generate, load)
  const threads = servers.map(({ name }) => summariseServer(samples, name))
  const ratios = servers.slice(1).map(({ name }) => summariseRatio(samples, name, servers[0]!.name))
  console.log()
  printServers(threads)
  if (ratios.length > 0) printRatios(ratios)

  if (samples.some(({ errors }) => errors > 0)) {
    console.log('There were errors: these figures are not to be trusted.')
    process.exitCode = 1
  }
  writeResult('http-compare', { setup, samples, summary: { threads, ratios } })
}

/** A server without a cache of comparisons, so that it makes each one. */
async function startServer(sandbox: Sandbox, dataDir: string, threads: number): Promise<LoadedServer> {
  const flags = ['--compute-threads', String(threads), '--comparisons-bytes', '0', '--log-level', 'warn']
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    serveArguments(dataDir, ...flags),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name: `${threads} ${threads === 1 ? 'thread' : 'threads'}`, group: pid, origin: greeting[1]! }
}
