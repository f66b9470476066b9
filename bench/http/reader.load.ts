/**
 * Pages for readers, plain and in gzip, against sources of the same pages, and against kiwix-serve with the same pages.
 * See bench/README.md.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Store } from '../../src/storage/store.js'
import { groupCpuTime } from '../support/cpuTime.js'
import { kiwixPath, missingForKiwix, startKiwix } from '../support/kiwix.js'
import { runLoadBench } from '../support/loadBench.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { type Summary, summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { type LoadCounts, loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const PAGES = 200
const DRAWN = 4000
const CONNECTIONS = 16
const SOURCE = 'page source'
const GZIP = { 'Accept-Encoding': 'gzip' }

const { rounds = 5, seconds: secondsGiven = 3 } = readOptions()
const seconds = Math.max(1, Math.round(secondsGiven))

/** What is loaded: where, with which requests, and how many bytes a body has on average. */
interface Target {
  readonly name: string
  readonly origin: string
  readonly group: number
  readonly script: string
  readonly bytes: number
}

interface Sample extends LoadCounts {
  readonly name: string
  readonly round: number
  readonly requestsPerSecond: number
  /** Of bodies, as they are on the wire. */
  readonly megabytesPerSecond: number
  readonly cpuMicros: number
  /** Share of the page source's rate in the same round. */
  readonly ofSource: number
  readonly bytes: number
}

await runLoadBench({ what: 'pages for readers', dump: DUMP, needsCpuTime: true }, measureReader)

async function measureReader(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const dataDir = join(sandbox.folder('reader'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const keys = await drawArticles(dumpPath, dataDir)
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error']
  const { pid, greeting } = await sandbox.serve(
    ...pinning.pin(pinning.serverCore, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  const origin = greeting[1]!
  const paths = {
    [SOURCE]: keys.map(pagePath),
    HTML: keys.map((key) => `${pagePath(key)}/html`),
    'page for readers': keys.map((key) => `/wiki/${encodeURIComponent(key)}`),
  }
  const targets: Target[] = []
  for (const [name, list] of Object.entries(paths))
    for (const [suffix, headers] of [
      ['', {}],
      [', gzip', GZIP],
    ] as const)
      for (const [end, neverTwice] of [
        ['', false],
        [', made anew', true],
      ] as const) {
        const bytes = await averageLength(origin, list, headers)
        const script = writeLoadScript(sandbox.folder('script'), list, { headers, neverTwice })
        targets.push({ name: name + suffix + end, origin, group: pid, script, bytes })
      }
  targets.push(...(await kiwixTargets(sandbox, pinning, origin, paths['page for readers'])))
  const samples = await loadAll(sandbox, pinning, wrkPath, targets)
  const summary = summarise(samples)
  print(summary)
  writeResult('http-reader', {
    setup: { rounds, seconds, connections: CONNECTIONS, dump: DUMP },
    samples,
    summary,
  })
}

/** Keys of random pages that are not redirects. */
async function drawArticles(dumpPath: string, dataDir: string): Promise<string[]> {
  const keys = await drawPageKeys(dumpPath, DRAWN)
  const store = Store.open(dataDir)
  try {
    return keys.filter((key) => store.getPage(0, key)?.redirect === false).slice(0, PAGES)
  } finally {
    await store.close()
  }
}

async function kiwixTargets(
  sandbox: Sandbox,
  pinning: Pinning,
  origin: string,
  paths: readonly string[],
): Promise<Target[]> {
  const missing = missingForKiwix()
  if (missing.length > 0) {
    console.log(
      `${missing.join(' and ')} missing (Debian: apt install kiwix-tools zim-tools). Not measured: kiwix-serve.`,
    )
    return []
  }
  const pages = await Promise.all(paths.map(async (path) => (await bodyOf(origin + path, {})).plain))
  const kiwix = await startKiwix(sandbox, pinning, pages)
  const list = pages.map((_, n) => kiwixPath(n))
  return Promise.all(
    [
      ['kiwix-serve', {}],
      ['kiwix-serve, gzip', GZIP],
    ].map(async ([name, headers]) => ({
      name: name as string,
      origin: kiwix.origin,
      group: kiwix.group,
      script: writeLoadScript(sandbox.folder('script'), list, { headers: headers as Record<string, string> }),
      bytes: await averageLength(kiwix.origin, list, headers as Record<string, string>),
    })),
  )
}

/** Bytes of a body on the wire, on average. Each page is then made. */
async function averageLength(
  origin: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  let sum = 0
  for (const path of paths) sum += (await bodyOf(origin + path, headers)).sent
  return sum / paths.length
}

async function bodyOf(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly plain: Buffer; readonly sent: number }> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity', ...headers } })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  const plain = Buffer.from(await response.arrayBuffer())
  return { plain, sent: Number(response.headers.get('content-length') ?? plain.length) }
}

async function loadAll(
  sandbox: Sandbox,
  pinning: Pinning,
  wrkPath: string,
  targets: readonly Target[],
): Promise<Sample[]> {
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const samples: Sample[] = []
  for (let round = 0; round <= rounds; round++) {
    let sourceRate = 0
    for (const { name, origin, group, script, bytes } of targets) {
      const before = groupCpuTime(group)
      const counts = await generate(origin, { seconds, connections: CONNECTIONS, script })
      const after = groupCpuTime(group)
      const requestsPerSecond = (counts.requests * 1000) / counts.durationMs
      if (name === SOURCE) sourceRate = requestsPerSecond
      const usedMs = after.userMs + after.systemMs - before.userMs - before.systemMs
      const cpuMicros = (usedMs * 1000) / counts.requests
      const megabytesPerSecond = (requestsPerSecond * bytes) / 1e6
      const ofSource = requestsPerSecond / sourceRate
      // The first round warms up.
      if (round > 0)
        samples.push({
          name,
          round,
          ...counts,
          requestsPerSecond,
          megabytesPerSecond,
          cpuMicros,
          ofSource,
          bytes,
        })
    }
    console.log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`)
  }
  return samples
}

type Figure = 'requestsPerSecond' | 'megabytesPerSecond' | 'ofSource' | 'cpuMicros' | 'p99Ms' | 'bytes'
type Row = { readonly name: string } & Readonly<Record<Figure, Summary>>

function summarise(samples: readonly Sample[]): Row[] {
  return [...new Set(samples.map(({ name }) => name))].map((name) => ({
    name,
    ...summariseFigures<Sample, Figure>(
      samples.filter((sample) => sample.name === name),
      {
        requestsPerSecond: (sample) => sample.requestsPerSecond,
        megabytesPerSecond: (sample) => sample.megabytesPerSecond,
        ofSource: (sample) => sample.ofSource,
        cpuMicros: (sample) => sample.cpuMicros,
        p99Ms: (sample) => sample.p99Ms,
        bytes: (sample) => sample.bytes,
      },
    ),
  }))
}

function print(rows: readonly Row[]): void {
  console.log()
  printTable(
    ['what', 'bytes', 'requests/s', 'of page source', 'MB/s', 'CPU µs/request', 'p99 ms'],
    rows.map(({ name, bytes, requestsPerSecond, ofSource, megabytesPerSecond, cpuMicros, p99Ms }) => [
      name,
      formatSummary(bytes, 0),
      formatSummary(requestsPerSecond, 0),
      formatSummary(ofSource, 2),
      formatSummary(megabytesPerSecond, 0),
      formatSummary(cpuMicros, 1),
      formatSummary(p99Ms, 2),
    ]),
  )
}
