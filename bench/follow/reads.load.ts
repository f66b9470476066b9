/** Page reads of a mirror: alone, and while a follower takes over a long backlog. See bench/README.md. */
import { setTimeout as delay } from 'node:timers/promises'
import { runFirst, separateEventLoops } from '../support/eventLoopCore.js'
import { readOptions } from '../support/options.js'
import { choosePinning } from '../support/pinning.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, summariseFigures } from '../support/statistics.js'
import { formatSummary, printTable } from '../support/table.js'
import { startWiki } from './wikiProcess.js'

const PAGES = 2000
const READS_PER_SECOND = 500
const ANSWER_MS = 100
/** More than a follower takes over in a sample. */
const CHANGES_A_SECOND = 600
/** From the start of the follower to the first sample: it then writes what it has read. */
const LEAD_MS = 3000
/** Most that p99 beside a catch-up may be, as a multiple of p99 alone. */
const AIM = 2
const { rounds = 5, seconds = 5 } = readOptions()

interface Round {
  readonly idle: ProbeSample
  readonly beside: ProbeSample
  /** True if the follower still had work when the sample ended. */
  readonly isWhole: boolean
}

async function measure(sandbox: Sandbox): Promise<void> {
  const wiki = await startWiki(PAGES)
  try {
    const dataDir = sandbox.folder('follow-reads-')
    const follow = ['follow', '--data-dir', dataDir, '--log-level', 'error', '--once']
    await wiki.edit(1, 0)
    await run(sandbox, [...follow, '--upstream', wiki.url])
    const serve = [
      'serve',
      '--data-dir',
      dataDir,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--log-level',
      'error',
    ]
    const { greeting, pid } = await sandbox.serve(PALIMPSEST, serve, /(http:\/\/127\.0\.0\.1:\d+)\//)
    const { serverCore: loopCore, loadCore: otherCore } = choosePinning()
    const cores = loopCore !== undefined && otherCore !== undefined ? { loopCore, otherCore } : undefined
    // This thread sends the reads from the core of the event loop. Its little work has priority there.
    if (cores && !runFirst())
      console.log('no right to run first (chrt): the reads include waits of their own.')
    const stopSeparating = cores && (await separateEventLoops([pid, process.pid], cores))
    const paths = Array.from({ length: PAGES }, (_, n) => `/v1/page/Page_${String(n + 1).padStart(6, '0')}`)
    const read = (): Promise<ProbeSample> =>
      probeReads({ origin: greeting[1]!, paths, readsPerSecond: READS_PER_SECOND, seconds })
    await read()
    const samples: Round[] = []
    for (let round = 0; round < rounds; round++) {
      const idle = await read()
      await wiki.edit(CHANGES_A_SECOND * (seconds + LEAD_MS / 1000), ANSWER_MS)
      let isWhole = true
      const following = run(sandbox, follow).then(() => (isWhole = false))
      await delay(LEAD_MS)
      const beside = await read()
      samples.push({ idle, beside, isWhole })
      await following
    }
    stopSeparating?.()
    await sandbox.stop(pid)
    report(samples)
  } finally {
    await wiki.close()
  }
}

async function run(sandbox: Sandbox, args: readonly string[]): Promise<void> {
  const { status } = await sandbox.run(PALIMPSEST, [...args])
  if (status !== 0) throw new Error(`palimpsest ${args.join(' ')} ended with status ${status}`)
}

function report(samples: readonly Round[]): void {
  const row = (name: string, side: 'idle' | 'beside'): string[] => {
    const { p50, p99, max } = summariseFigures(samples, {
      p50: (round) => round[side].p50Ms,
      p99: (round) => round[side].p99Ms,
      max: (round) => round[side].maxMs,
    })
    return [name, ...[p50, p99, max].map((figure) => formatSummary(figure, 2))]
  }
  printTable(
    ['latency in ms', 'p50', 'p99', 'longest'],
    [row('reads alone', 'idle'), row('reads beside a catch-up', 'beside')],
  )
  const ratio = summarise(samples.map(({ idle, beside }) => beside.p99Ms / idle.p99Ms))
  console.log(`p99 beside a catch-up to p99 alone: ${formatSummary(ratio, 2)}; aim: at most ${AIM}.`)
  const errors = samples.reduce((sum, { idle, beside }) => sum + idle.errors + beside.errors, 0)
  const short = samples.filter(({ isWhole }) => !isWhole).length
  if (errors > 0 || short > 0) {
    console.log(
      `${errors} reads failed, ${short} catch-ups ended early: these figures are not to be trusted.`,
    )
    process.exitCode = 1
  }
  const setup = { rounds, seconds, PAGES, READS_PER_SECOND, ANSWER_MS }
  writeResult('follow-reads', { setup, samples, summary: { ratio } })
}

const sandbox = new Sandbox()
try {
  await measure(sandbox)
} finally {
  await sandbox.close()
}
