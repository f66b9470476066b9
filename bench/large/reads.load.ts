/**
 * Reads of a store that is larger than memory: 1,000 hot pages, alone and beside reads of any page, which come from
 * the disk. Memory is bounded by a control group. See bench/README.md.
 */
import { join } from 'node:path'
import { mainThreadCpuMs, mainThreadFaults } from '../support/cpuTime.js'
import { findProgram } from '../support/machine.js'
import { readOptions } from '../support/options.js'
import { choosePinning } from '../support/pinning.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { chooseLoopCores, reserveLoopCore } from '../support/eventLoopCore.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, summariseFigures } from '../support/statistics.js'
import { formatSummary, printTable } from '../support/table.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'
import { dbkeyOf } from './madePages.js'
import { forgetPages, largeStore } from './largeStore.js'
import { MemoryGroup } from './memoryGroup.js'

const GIB = 2 ** 30
const MEMORY_BYTES = GIB
const HOT_PAGES = 1000
const HOT_READS_PER_SECOND = 1000
const CONNECTIONS = 16
const SEED = 141_421
/** Cold reads a second beside the hot ones: a twentieth and a third of all. */
const SHARES = { none: 0, 'a twentieth': 53, 'a third': 500 } as const
type Share = keyof typeof SHARES

const { rounds = 5, seconds: secondsGiven = 5, pages = 1_050_000 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

interface Sample {
  readonly round: number
  readonly share: Share
  readonly hot: ProbeSample
  /** Undefined for the share `none`. */
  readonly cold: ProbeSample | undefined
  /** Hot reads as fast as wrk's connections allow, beside the same cold reads. */
  readonly rate: number
  /** Such reads for each second of the event loop's processor time: what it would answer without waiting for wrk. */
  readonly ratePerLoopSecond: number
  /** Times the event loop waited for the disk while hot pages were read at a steady pace. */
  readonly loopWaits: number
}

/** Reads of any page so far: each series has other pages. */
let asked = 0

const wrk = findProgram('wrk')
if (wrk === undefined) console.log('wrk is missing (Debian: apt install wrk). Not measured: large stores.')
else await measure(wrk)

async function measure(wrkPath: string): Promise<void> {
  const { dataDir, bytes } = await largeStore(pages)
  const group = MemoryGroup.make(MEMORY_BYTES)
  if (group === undefined) return
  const sandbox = new Sandbox()
  try {
    const samples = await measureReads(sandbox, group, wrkPath, dataDir)
    report(samples, bytes)
  } finally {
    await sandbox.close()
    await group.remove()
  }
}

async function measureReads(
  sandbox: Sandbox,
  group: MemoryGroup,
  wrkPath: string,
  dataDir: string,
): Promise<Sample[]> {
  forgetPages(join(dataDir, 'store/data.mdb'))
  const pinning = choosePinning()
  const serve = serveArguments(dataDir, '--log-level', 'error')
  const { greeting, pid } = await sandbox.serve(
    ...group.inside(PALIMPSEST, serve),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  const origin = greeting[1]!
  const numbers = Array.from({ length: pages }, (_, n) => n + 1)
  const paths = drawSome(numbers, HOT_PAGES, randomNumbers(SEED)).map(
    (number) => `/v1/page/${dbkeyOf(number)}`,
  )
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const script = writeLoadScript(sandbox.folder('large'), paths)
  const cores = chooseLoopCores()
  const stopSeparating = cores && (await reserveLoopCore(pid, cores))
  const probeHot = (): Promise<ProbeSample> =>
    probeReads({ origin, paths, readsPerSecond: HOT_READS_PER_SECOND, seconds })
  await probeHot()
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const [share, coldPerSecond] of Object.entries(SHARES) as [Share, number][]) {
      const readCold = (): Promise<ProbeSample> | undefined =>
        coldPerSecond === 0 ? undefined : probeCold(sandbox, origin, coldPerSecond)
      const waitsBefore = mainThreadFaults(pid)
      const [hot, cold] = await Promise.all([probeHot(), readCold()])
      const loopWaits = mainThreadFaults(pid) - waitsBefore
      const cpuBefore = mainThreadCpuMs(pid)
      const [{ requests, durationMs }] = await Promise.all([
        generate(origin, { seconds, connections: CONNECTIONS, script }),
        readCold(),
      ])
      const rate = requests / (durationMs / 1000)
      const ratePerLoopSecond = requests / ((mainThreadCpuMs(pid) - cpuBefore) / 1000)
      samples.push({ round, share, hot, cold, rate, ratePerLoopSecond, loopWaits })
    }
    console.log(`round ${round} of ${rounds}`)
  }
  stopSeparating?.()
  await sandbox.stop(pid)
  return samples
}

async function probeCold(sandbox: Sandbox, origin: string, readsPerSecond: number): Promise<ProbeSample> {
  const program = join(import.meta.dirname, 'coldReader.js')
  const args = [program, origin, ...[pages, readsPerSecond, seconds, ++asked].map(String)]
  const { status, stdout } = await sandbox.run(process.execPath, args)
  if (status !== 0) throw new Error('the cold reads failed')
  return JSON.parse(stdout) as ProbeSample
}

function report(samples: readonly Sample[], storeBytes: number): void {
  const shares = Object.keys(SHARES) as Share[]
  const idle = samples.filter(({ share }) => share === 'none')
  const summary = shares.map((share) => {
    const own = samples.filter((sample) => sample.share === share)
    const figures = summariseFigures(own, {
      p50Ms: ({ hot }) => hot.p50Ms,
      p99Ms: ({ hot }) => hot.p99Ms,
      maxMs: ({ hot }) => hot.maxMs,
      rate: ({ rate }) => rate,
      ratePerLoopSecond: ({ ratePerLoopSecond }) => ratePerLoopSecond,
      loopWaits: ({ loopWaits }) => loopWaits,
      coldP50Ms: ({ cold }) => cold?.p50Ms ?? 0,
      coldP99Ms: ({ cold }) => cold?.p99Ms ?? 0,
    })
    const p99ToIdle = summarise(own.map(({ hot }, n) => hot.p99Ms / idle[n]!.hot.p99Ms))
    const rateToIdle = summarise(own.map(({ rate }, n) => rate / idle[n]!.rate))
    const loopRateToIdle = summarise(
      own.map((sample, n) => sample.ratePerLoopSecond / idle[n]!.ratePerLoopSecond),
    )
    return { share, ...figures, p99ToIdle, rateToIdle, loopRateToIdle }
  })
  console.log(`store ${(storeBytes / GIB).toFixed(1)} GiB, memory ${MEMORY_BYTES / GIB} GiB`)
  printTable(
    [
      'cold reads',
      'hot p50 ms',
      'p99',
      'longest',
      'p99 to none',
      'waits of the loop',
      'hot/s',
      'rate to none',
      'hot per loop second',
      'to none',
      'cold p50',
      'cold p99',
    ],
    summary.map((row) => [
      `${row.share} (${SHARES[row.share]}/s)`,
      ...[row.p50Ms, row.p99Ms, row.maxMs, row.p99ToIdle].map((figure) => formatSummary(figure, 2)),
      formatSummary(row.loopWaits, 0),
      formatSummary(row.rate, 0),
      formatSummary(row.rateToIdle, 2),
      formatSummary(row.ratePerLoopSecond, 0),
      formatSummary(row.loopRateToIdle, 2),
      ...[row.coldP50Ms, row.coldP99Ms].map((figure) => formatSummary(figure, 2)),
    ]),
  )
  console.log('Aims: p99 at most 2 times that without cold reads, and 0.8 of the rate.')
  const errors = samples.reduce((sum, { hot, cold }) => sum + hot.errors + (cold?.errors ?? 0), 0)
  if (errors > 0) {
    console.log(`${errors} reads failed: these figures are not to be trusted.`)
    process.exitCode = 1
  }
  const setup = { rounds, seconds, pages, storeBytes, MEMORY_BYTES, HOT_PAGES, HOT_READS_PER_SECOND, SHARES }
  writeResult('large-reads', { setup, samples, summary })
}
