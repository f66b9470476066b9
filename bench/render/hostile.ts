/**
 * Sends hostile texts for conversion, over and over. Each must get an answer, pages must be served meanwhile, and
 * memory must not grow. See bench/README.md.
 */
import { join } from 'node:path'
import { readOptions } from '../support/options.js'
import { readMemory } from '../support/processMemory.js'
import { PALIMPSEST, REPOSITORY } from '../support/repository.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise } from '../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../support/table.js'
import { HOSTILE_TEXTS } from './hostileTexts.js'

/** Rounds, with more than a thousand texts in total. */
const ROUNDS = 15
/** Time limit of a conversion. It is short, so that many texts make their thread end. */
const LIMIT_SECONDS = 2
/** Wiki id of the handbook, which the server serves. */
const WIKI_ID = 'palimpsest'
/** Time between two readings of the server's memory. */
const LOOK_EVERY_MS = 200
const READS = { paths: ['/v1/page/Main_Page', '/v1/page/Main_Page/bare'], readsPerSecond: 50, seconds: 2 }
/** Statuses of valid answers to a hostile text: HTML or a reason for refusing it. */
const ANSWERS: ReadonlySet<number> = new Set([200, 413, 503])

interface Sent {
  readonly name: string
  readonly status: number
  readonly wallMs: number
}

const { rounds = ROUNDS, seconds = LIMIT_SECONDS } = readOptions()
const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

async function measure(): Promise<void> {
  const dataDir = join(sandbox.folder('hostile'), 'store')
  await sandbox.run(PALIMPSEST, ['import', '--data-dir', dataDir, join(REPOSITORY, 'sample/handbook.xml')])
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    [
      'serve',
      '--data-dir',
      dataDir,
      '--port',
      '0',
      '--log-level',
      'fatal',
      '--convert-timeout-ms',
      String(Math.round(seconds * 1000)),
    ],
    /at (http:\/\/[^/\s]+)\//,
  )
  const origin = greeting[1]!
  const url = `${origin}/${WIKI_ID}/Any`
  const alone = await probeReads({ origin, ...READS })
  const sent: Sent[] = []
  const memory: MemoryRange[] = []
  const beside: ProbeSample[] = []
  let isDone = false
  const reading = (async () => {
    while (!isDone) beside.push(await probeReads({ origin, ...READS }))
  })()
  for (let round = 1; round <= rounds; round++) {
    const range = watchMemory(pid)
    for (const [name, text] of HOSTILE_TEXTS) sent.push(await convert(url, name, text))
    memory.push(range())
    console.log(`round ${round}: ${sent.length} texts, ${formatRange(memory.at(-1)!)} MB`)
  }
  isDone = true
  await reading
  report({ sent, memory, alone, beside })
}

async function convert(url: string, name: string, text: string): Promise<Sent> {
  const form = new FormData()
  form.set('wt', text)
  const startMs = performance.now()
  const answer = await fetch(url, { method: 'POST', body: form })
  await answer.arrayBuffer()
  return { name, status: answer.status, wallMs: performance.now() - startMs }
}

/** Least and most private memory of a round, in MB. */
interface MemoryRange {
  readonly leastMegabytes: number
  readonly mostMegabytes: number
}

/**
 * Samples a process until the caller calls the returned function. A render thread's memory is freed when the thread
 * ends, and changes with the texts. A leak therefore shows in the minimum of a round, just after a thread has ended.
 */
function watchMemory(pid: number): () => MemoryRange {
  const samples: number[] = []
  const look = (): number => samples.push((readMemory(pid)?.privateBytes ?? NaN) / 2 ** 20)
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    return { leastMegabytes: Math.min(...samples), mostMegabytes: Math.max(...samples) }
  }
}

function formatRange({ leastMegabytes, mostMegabytes }: MemoryRange): string {
  return `${formatNumber(leastMegabytes, 0)} to ${formatNumber(mostMegabytes, 0)}`
}

interface Measured {
  readonly sent: readonly Sent[]
  /** One for each round. */
  readonly memory: readonly MemoryRange[]
  readonly alone: ProbeSample
  readonly beside: readonly ProbeSample[]
}

function report({ sent, memory, alone, beside }: Measured): void {
  const byName = HOSTILE_TEXTS.map(([name]) => {
    const answers = sent.filter((one) => one.name === name)
    const statuses = [...new Set(answers.map(({ status }) => status))].join(', ')
    return { name, statuses, wallMs: summarise(answers.map(({ wallMs }) => wallMs)) }
  })
  console.log()
  printTable(
    ['text', 'answer', 'ms'],
    byName.map(({ name, statuses, wallMs }) => [name, statuses, formatSummary(wallMs, 0)]),
  )
  const figures = {
    texts: sent.length,
    without: sent.filter(({ status }) => !ANSWERS.has(status)).length,
    tooSlow: sent.filter(({ status }) => status === 503).length,
    longestMs: Math.max(...sent.map(({ wallMs }) => wallMs)),
    readsFailed: beside.reduce((sum, { errors }) => sum + errors, alone.errors),
    aloneP99Ms: alone.p99Ms,
    besideP99Ms: summarise(beside.map(({ p99Ms }) => p99Ms)),
    memory,
  }
  console.log(
    `\n${figures.texts} texts; ${figures.without} without a proper answer; ${figures.tooSlow} ended (503).`,
  )
  console.log(
    `Longest answer: ${formatNumber(figures.longestMs, 0)} ms, with a limit of ${seconds} s and the start of a new thread.`,
  )
  console.log(
    `Page reads: ${figures.readsFailed} failed; p99 ${formatNumber(alone.p99Ms, 1)} ms alone, ${formatSummary(figures.besideP99Ms, 1)} ms beside.`,
  )
  console.log(`Private memory in MB, least to most of each round: ${memory.map(formatRange).join(', ')}`)
  if (figures.without > 0 || figures.readsFailed > 0) process.exitCode = 1
  writeResult('render-hostile', {
    setup: { rounds, seconds, texts: HOSTILE_TEXTS.length },
    samples: sent,
    summary: figures,
  })
}
