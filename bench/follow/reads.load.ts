/** Page reads of a mirror: alone, and while a follower takes over a long backlog. See bench/README.md. */
import { setTimeout as delay } from 'node:timers/promises'
import { chooseLoopCores, reserveLoopCore } from '../support/eventLoopCore.js'
import { readOptions } from '../support/options.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { type ReadsBeside, reportReadsBeside } from '../support/readsBeside.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { startWiki } from './wikiProcess.js'

const PAGES = 2000
const READS_PER_SECOND = 500
const ANSWER_MS = 100
/** More than a follower takes over in a sample. */
const CHANGES_A_SECOND = 600
/** From the start of the follower to the first sample: it then writes what it has read. */
const LEAD_MS = 3000
const { rounds = 5, seconds = 5 } = readOptions()

interface Round extends ReadsBeside {
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
    const serve = serveArguments(dataDir, '--log-level', 'error')
    const { greeting, pid } = await sandbox.serve(PALIMPSEST, serve, /(http:\/\/127\.0\.0\.1:\d+)\//)
    const cores = chooseLoopCores()
    const stopSeparating = cores && (await reserveLoopCore(pid, cores))
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
  const { ratio, errors } = reportReadsBeside(samples, 'a catch-up')
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
