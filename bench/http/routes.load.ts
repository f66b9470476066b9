/** Costs of each kind of read, compared with a page's source. See bench/README.md. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { groupCpuTime } from '../support/cpuTime.js'
import { addHistories, comparisonPaths, type HistoryShape, type LargestIds } from '../support/historyStore.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { type Summary, summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { type LoadCounts, type LoadGenerator, loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const CONNECTIONS = 16
const SOURCE = 'page source'
/** Page source, requested as a proxy does. The server adopts the request id. */
const BEHIND_PROXY = 'page source behind a proxy'
const PROXY_HEADERS = {
  'X-Request-Id': '4f1c2b7e9a3d4e0f8b6c5d2a1e0f9b8c',
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Host': 'wiki.example',
  'X-Forwarded-Proto': 'https',
}
const HISTORIES: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 5000, edits: 5 }

type Paths = Readonly<Record<string, readonly string[]>>
type Scripts = Readonly<Record<string, string>>

const { rounds = 5, seconds: secondsGiven = 3 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

await runLoadBench({ what: 'routes', dump: DUMP, needsCpuTime: true }, measureRoutes)

async function measureRoutes(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const keys = await drawPageKeys(dumpPath, TITLES)
  const dataDir = join(sandbox.folder('routes'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const ids = await addHistories(dataDir, HISTORIES)
  const paths = pathsOf(keys, ids)
  const { group, origin } = await startServer(sandbox, dataDir, pinning)
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const folder = (name: string): string => sandbox.folder(name.replaceAll(' ', '-'))
  const scripts: Scripts = Object.fromEntries(
    Object.entries(paths).flatMap(([name, list]) => {
      const headers = name === BEHIND_PROXY ? PROXY_HEADERS : {}
      return [
        [name, writeLoadScript(folder(name), list, { headers })],
        [`${name}, made anew`, writeLoadScript(folder(`${name}-anew`), list, { headers, neverTwice: true })],
      ]
    }),
  )

  const alone = await loadAlone(generate, origin, group, scripts)
  const summary = { routes: summariseRoutes(alone) }
  print(summary)
  const setup = { rounds, seconds, connections: CONNECTIONS, dump: DUMP, titles: TITLES }
  writeResult('http-routes', { setup, samples: alone, summary })
}

async function startServer(
  sandbox: Sandbox,
  dataDir: string,
  { pin, serverCore }: Pinning,
): Promise<{ group: number; origin: string }> {
  const settings = ['--port', '0', '--log-level', 'error', '--trusted-proxies', '127.0.0.1']
  const args = ['serve', '--data-dir', dataDir, ...settings]
  const command = pin(serverCore, PALIMPSEST, args)
  const { pid, greeting } = await sandbox.serve(...command, /(http:\/\/127\.0\.0\.1:\d+)\//)
  return { group: pid, origin: greeting[1]! }
}

function pathsOf(keys: readonly string[], ids: LargestIds): Paths {
  const histories = HISTORIES.pages * HISTORIES.revisionsOfPage
  const revisions = Array.from({ length: histories }, (_, n) => `/v1/revision/${ids.revision + 1 + n}/bare`)
  const under = (rest: string): string[] => keys.map((key) => pagePath(key) + rest)
  const firstLetters = [...new Set(keys.map((key) => encodeURIComponent(key.slice(0, 3).toLowerCase())))]
  const words = [...new Set(keys.flatMap((key) => key.split('_')).filter((word) => word.length > 3))]
  return {
    [SOURCE]: under(''),
    [BEHIND_PROXY]: under(''),
    'page bare': under('/bare'),
    history: under('/history'),
    'revision bare': revisions,
    comparison: comparisonPaths(HISTORIES, ids),
    'language links': under('/links/language'),
    autocomplete: firstLetters.map((letters) => `/v1/search/title?q=${letters}&limit=10`),
    search: words.map((word) => `/v1/search/page?q=${encodeURIComponent(word)}&limit=10`),
  }
}

interface RouteSample extends LoadCounts {
  readonly route: string
  readonly round: number
  readonly requestsPerSecond: number
  readonly cpuMicros: number
  /** Share of the page source's rate in the same round. */
  readonly ofSource: number
}

async function loadAlone(
  generate: LoadGenerator,
  origin: string,
  group: number,
  scripts: Scripts,
): Promise<RouteSample[]> {
  const samples: RouteSample[] = []
  for (let round = 0; round <= rounds; round++) {
    let sourceRate = 0
    for (const [route, script] of Object.entries(scripts)) {
      const before = groupCpuTime(group)
      const counts = await generate(origin, { seconds, connections: CONNECTIONS, script })
      const after = groupCpuTime(group)
      const requestsPerSecond = (counts.requests * 1000) / counts.durationMs
      if (route === SOURCE) sourceRate = requestsPerSecond
      const usedMs = after.userMs + after.systemMs - before.userMs - before.systemMs
      const cpuMicros = (usedMs * 1000) / counts.requests
      // The first round warms up.
      if (round > 0)
        samples.push({
          route,
          round,
          ...counts,
          requestsPerSecond,
          cpuMicros,
          ofSource: requestsPerSecond / sourceRate,
        })
    }
    console.log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`)
  }
  return samples
}

type RouteSummary = { readonly route: string } & Readonly<
  Record<'requestsPerSecond' | 'ofSource' | 'cpuMicros' | 'p50Ms' | 'p99Ms', Summary>
>

function summariseRoutes(samples: readonly RouteSample[]): RouteSummary[] {
  return [...new Set(samples.map(({ route }) => route))].map((route) => ({
    route,
    ...summariseFigures<RouteSample, 'requestsPerSecond' | 'ofSource' | 'cpuMicros' | 'p50Ms' | 'p99Ms'>(
      samples.filter((sample) => sample.route === route),
      {
        requestsPerSecond: (sample) => sample.requestsPerSecond,
        ofSource: (sample) => sample.ofSource,
        cpuMicros: (sample) => sample.cpuMicros,
        p50Ms: (sample) => sample.p50Ms,
        p99Ms: (sample) => sample.p99Ms,
      },
    ),
  }))
}

function print({ routes }: { routes: RouteSummary[] }): void {
  console.log()
  printTable(
    ['route', 'requests/s', 'of page source', 'CPU µs/request', 'p50 ms', 'p99 ms'],
    routes.map(({ route, requestsPerSecond, ofSource, cpuMicros, p50Ms, p99Ms }) => [
      route,
      formatSummary(requestsPerSecond, 0),
      formatSummary(ofSource, 2),
      formatSummary(cpuMicros, 1),
      formatSummary(p50Ms, 2),
      formatSummary(p99Ms, 2),
    ]),
  )
}
