/**
 * The time to render pages, idle and beside a flood. Four clients send texts for conversion without a pause. Each
 * page's HTML is requested for the first time. See bench/README.md.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../support/options.js'
import { PALIMPSEST, REPOSITORY } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise } from '../support/statistics.js'
import { formatNumber, formatSummary, printTable } from '../support/table.js'

const ROUNDS = 3
/** Wiki id of the handbook, which the server serves. */
const WIKI_ID = 'palimpsest'
const CLIENTS = 4
/** Texts that each client has under way at a time. */
const TEXTS_OF_CLIENT = 6
/** Pages requested one after another: five idle and five beside the flood in each round. */
const PAGES_OF_ROUND = 5
/** Time until the queue is full. */
const LEAD_MS = 2000
/** Most time that pages may take beside the flood, as a multiple of the time idle. */
const AIM = 2
/** Unclosed and overlapping styles, links and tags. */
const FLOOD = Array.from({ length: 3000 }, (_, n) => `'''a''[[b|'''c]]'' <b><i>${n}`).join('')
/** Takes the engine some tenths of a second. */
const PAGE = "== Rose ==\n* A [[rose]] is a ''rose''.<ref>A book</ref>\n{|\n| one || two\n|}\n".repeat(40)

interface Sample {
  readonly round: number
  readonly idleMs: readonly number[]
  readonly besideMs: readonly number[]
  /** Statuses of pages other than 200. */
  readonly failed: readonly number[]
  /** Number of answers to the flood's texts, by status. */
  readonly converted: Readonly<Record<string, number>>
}

const { rounds = ROUNDS } = readOptions()
const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

async function measure(): Promise<void> {
  const folder = sandbox.folder('flood')
  const dataDir = join(folder, 'store')
  await sandbox.run(PALIMPSEST, ['import', '--data-dir', dataDir, join(REPOSITORY, 'sample/handbook.xml')])
  const args = serveArguments(dataDir, '--log-level', 'fatal')
  const { greeting } = await sandbox.serve(
    PALIMPSEST,
    [...args, '--anonymous-edits', '--trusted-proxies', '127.0.0.1'],
    /at (http:\/\/[^/\s]+)\//,
  )
  const origin = greeting[1]!
  const titles = Array.from({ length: 2 * PAGES_OF_ROUND * rounds + 1 }, (_, n) => `Flood ${n}`)
  for (const title of titles) await save(origin, title)
  const next = (): string => titles.pop()!
  // The first page makes Node compile the code for the later ones.
  await readPage(origin, next())
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round++) samples.push(await measureRound(origin, round, next))
  report(samples)
}

async function measureRound(origin: string, round: number, next: () => string): Promise<Sample> {
  const idle = await readPages(origin, next)
  const flood = startFlood(origin)
  await delay(LEAD_MS)
  const beside = await readPages(origin, next)
  const converted = await flood.stop()
  console.log(`round ${round} of ${rounds}`)
  const failed = [...idle, ...beside].map(({ status }) => status).filter((status) => status !== 200)
  const times = (answers: readonly PageAnswer[]): number[] => answers.map(({ ms }) => ms)
  return { round, idleMs: times(idle), besideMs: times(beside), failed, converted }
}

interface PageAnswer {
  readonly status: number
  readonly ms: number
}

async function readPages(origin: string, next: () => string): Promise<PageAnswer[]> {
  const answers: PageAnswer[] = []
  for (let n = 0; n < PAGES_OF_ROUND; n++) answers.push(await readPage(origin, next()))
  return answers
}

async function readPage(origin: string, title: string): Promise<PageAnswer> {
  const start = performance.now()
  const answer = await fetch(`${origin}/v1/page/${encodeURIComponent(title)}/html`)
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - start }
}

async function save(origin: string, title: string): Promise<void> {
  const answer = await fetch(`${origin}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, source: PAGE, comment: '', token: '+\\' }),
  })
  if (answer.status !== 201) throw new Error(`${title} was not saved: ${await answer.text()}`)
}

/** Each client sends its texts under its own address. */
function startFlood(origin: string): { stop(): Promise<Record<string, number>> } {
  const statuses = new Map<string, number>()
  const ending = new AbortController()
  const send = async (client: number): Promise<void> => {
    const form = new FormData()
    form.set('wt', FLOOD)
    while (!ending.signal.aborted) {
      try {
        const answer = await fetch(`${origin}/${WIKI_ID}/Any`, {
          method: 'POST',
          headers: { 'x-forwarded-for': `10.0.0.${client}` },
          body: form,
          signal: ending.signal,
        })
        await answer.arrayBuffer()
        statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1)
        // A refused client waits a little.
        if (answer.status === 503) await delay(100)
      } catch (error) {
        if (!ending.signal.aborted) throw error
      }
    }
  }
  const clients = Array.from({ length: CLIENTS * TEXTS_OF_CLIENT }, (_, n) => send(1 + (n % CLIENTS)))
  return {
    async stop() {
      ending.abort()
      await Promise.all(clients)
      return Object.fromEntries(statuses)
    },
  }
}

function report(samples: readonly Sample[]): void {
  const ratios = samples.map(({ idleMs, besideMs }) => Math.max(...besideMs) / Math.max(...idleMs))
  const idle = summarise(samples.flatMap(({ idleMs }) => idleMs))
  const beside = summarise(samples.flatMap(({ besideMs }) => besideMs))
  const toIdle = summarise(ratios)
  const failed = samples.flatMap((sample) => sample.failed)
  printTable(
    ['pages', 'ms'],
    [
      ['idle', formatSummary(idle, 0)],
      ['beside the flood', formatSummary(beside, 0)],
    ],
  )
  console.log(
    `Slowest page beside the flood to slowest idle: ${formatSummary(toIdle, 2)}. Aim: at most ${AIM}.`,
  )
  console.log(`Pages without HTML: ${formatNumber(failed.length, 0)}.`)
  console.log(
    `Answers to the flood by status: ${samples.map((one) => JSON.stringify(one.converted)).join(', ')}`,
  )
  if (failed.length > 0) process.exitCode = 1
  writeResult('render-flood', {
    setup: { rounds, clients: CLIENTS, textsOfClient: TEXTS_OF_CLIENT, pages: PAGES_OF_ROUND },
    samples,
    summary: { idle, beside, toIdle, failed: failed.length },
  })
}
