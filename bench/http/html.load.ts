/**
 * Costs of HTML: pages rendered for the first time, and kept HTML against page sources of the same size. See
 * bench/README.md.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Namespaces } from '../../src/domain/namespaces.js'
import { parseTitle } from '../../src/domain/title.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { readCounters } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import { groupCpuTime } from '../support/cpuTime.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning } from '../support/pinning.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { type LoadCounts, type LoadGenerator, loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const PAGES_OF_ROUND = 60
const TITLES = 4000
const CONNECTIONS = 16
/** Enough that a render thread always has a page. */
const CLIENTS = 2
const START = Date.UTC(2020, 0, 1) / 1000
/** Bytes of the JSON around a source. */
const FRAME_BYTES = 200
const SOURCE = 'page source'

const { rounds = 3, seconds: secondsGiven = 3 } = readOptions()
const seconds = Math.max(1, Math.round(secondsGiven))

interface ColdSample {
  readonly name: 'made for the first time'
  readonly round: number
  readonly pages: number
  readonly errors: number
  readonly bytes: number
  readonly cpuMs: number
  readonly pagesPerCpuSecond: number
}

interface KeptSample extends LoadCounts {
  readonly route: string
  readonly round: number
  readonly requestsPerSecond: number
  readonly cpuMicros: number
  /** Share of the rate for a page source of the same size, requested in the same way in the same round. */
  readonly ofSource: number
}

interface MadePage {
  readonly path: string
  readonly bytes: number
}

await runLoadBench({ what: 'HTML', dump: DUMP, needsCpuTime: true }, measureHtml)

async function measureHtml(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const dataDir = join(sandbox.folder('html'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const keys = await drawArticles(dumpPath, dataDir, (rounds + 1) * PAGES_OF_ROUND)
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error']
  const { pid, greeting } = await sandbox.serve(
    ...pinning.pin(pinning.serverCore, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  const origin = greeting[1]!

  const { samples: cold, made } = await makeAll(origin, pid, keys)
  await addPagesOfSize(
    dataDir,
    made.map(({ bytes }) => bytes),
  )
  const paths = {
    [SOURCE]: made.map((_, n) => pagePath(sameSizeKey(n))),
    'page HTML': made.map(({ path }) => path),
  }
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const kept = await loadKept(sandbox, generate, origin, pid, paths)
  const summary = { cold: summariseCold(cold), kept: summariseKept(kept) }
  print(summary)
  const setup = { rounds, seconds, connections: CONNECTIONS, dump: DUMP, pagesOfRound: PAGES_OF_ROUND }
  writeResult('http-html', { setup, samples: [...cold, ...kept], summary })
}

/** Keys of random pages that are not redirects. */
async function drawArticles(dumpPath: string, dataDir: string, count: number): Promise<string[]> {
  const keys = await drawPageKeys(dumpPath, TITLES)
  const store = Store.open(dataDir)
  try {
    const namespaces = new Namespaces(store.site())
    const articles = keys.filter((key) => {
      const parsed = parseTitle(key, namespaces)
      const page = parsed.ok ? store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
      return page?.redirect === false
    })
    return articles.slice(0, count)
  } finally {
    await store.close()
  }
}

/** Requests every page once. The first set warms up. */
async function makeAll(
  origin: string,
  group: number,
  keys: readonly string[],
): Promise<{ samples: ColdSample[]; made: MadePage[] }> {
  const samples: ColdSample[] = []
  const made: MadePage[] = []
  for (let round = 0; round <= rounds; round++) {
    const lot = keys.slice(round * PAGES_OF_ROUND, (round + 1) * PAGES_OF_ROUND)
    const before = groupCpuTime(group)
    const answers = await askAll(origin, lot)
    const after = groupCpuTime(group)
    made.push(...answers)
    const cpuMs = after.userMs + after.systemMs - before.userMs - before.systemMs
    const pages = answers.length
    const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0)
    const pagesPerCpuSecond = (pages * 1000) / cpuMs
    const errors = lot.length - pages
    if (round > 0)
      samples.push({ name: 'made for the first time', round, pages, errors, bytes, cpuMs, pagesPerCpuSecond })
    console.log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`)
  }
  return { samples, made }
}

/** Lists the pages with status 200, and the length of their HTML. */
async function askAll(origin: string, keys: readonly string[]): Promise<MadePage[]> {
  const left = [...keys]
  const made: MadePage[] = []
  const client = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const path = `${pagePath(key)}/html`
      const response = await fetch(origin + path)
      const bytes = (await response.arrayBuffer()).byteLength
      if (response.status === 200) made.push({ path, bytes })
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return made
}

function sameSizeKey(n: number): string {
  return `Same_size_${n}`
}

/** Adds pages whose sources, as JSON, have the given lengths. The store is served meanwhile. */
async function addPagesOfSize(dataDir: string, sizes: readonly number[]): Promise<void> {
  const store = Store.open(dataDir)
  try {
    const { nextPageId, nextRevisionId } = readCounters(store.tables)
    const pages = sizes.map((bytes, n) => ({
      id: nextPageId + n,
      namespace: 0,
      dbkey: sameSizeKey(n),
      redirectTarget: undefined,
      revisions: [
        {
          id: nextRevisionId + n,
          parentId: undefined,
          timestamp: START + n,
          editor: { id: 1, name: 'Bench' },
          comment: '',
          minor: false,
          contentModel: 'wikitext',
          text: 'x'.repeat(Math.max(1, bytes - FRAME_BYTES)),
          statedSizeBytes: undefined,
          statedSha1: undefined,
        },
      ],
    }))
    const writer = new DumpWriter(store, new Applier(store), 'bench')
    writer.writePages(pages)
    writer.end(null)
  } finally {
    await store.close()
  }
}

async function loadKept(
  sandbox: Sandbox,
  generate: LoadGenerator,
  origin: string,
  group: number,
  paths: Readonly<Record<string, readonly string[]>>,
): Promise<KeptSample[]> {
  const samples: KeptSample[] = []
  for (const neverTwice of [false, true]) {
    const scripts = Object.entries(paths).map(([route, list]) => {
      return { route, script: writeLoadScript(sandbox.folder('script'), list, { neverTwice }) }
    })
    for (let round = 0; round <= rounds; round++) {
      let sourceRate = 0
      for (const { route, script } of scripts) {
        const before = groupCpuTime(group)
        const counts = await generate(origin, { seconds, connections: CONNECTIONS, script })
        const after = groupCpuTime(group)
        const requestsPerSecond = (counts.requests * 1000) / counts.durationMs
        if (route === SOURCE) sourceRate = requestsPerSecond
        const usedMs = after.userMs + after.systemMs - before.userMs - before.systemMs
        const cpuMicros = (usedMs * 1000) / counts.requests
        const ofSource = requestsPerSecond / sourceRate
        const name = neverTwice ? `${route}, made anew` : route
        // The first round warms up.
        if (round > 0) samples.push({ route: name, round, ...counts, requestsPerSecond, cpuMicros, ofSource })
      }
    }
  }
  return samples
}

function summariseCold(samples: readonly ColdSample[]) {
  return summariseFigures<ColdSample, 'pagesPerCpuSecond' | 'bytesOfPage' | 'errors'>(samples, {
    pagesPerCpuSecond: (sample) => sample.pagesPerCpuSecond,
    bytesOfPage: (sample) => sample.bytes / sample.pages,
    errors: (sample) => sample.errors,
  })
}

function summariseKept(samples: readonly KeptSample[]) {
  return [...new Set(samples.map(({ route }) => route))].map((route) => ({
    route,
    ...summariseFigures<KeptSample, 'requestsPerSecond' | 'ofSource' | 'cpuMicros' | 'p50Ms' | 'p99Ms'>(
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

function print({
  cold,
  kept,
}: {
  cold: ReturnType<typeof summariseCold>
  kept: ReturnType<typeof summariseKept>
}): void {
  console.log()
  printTable(
    ['HTML', 'pages/CPU second', 'bytes a page', 'failed'],
    [
      [
        'made for the first time',
        formatSummary(cold.pagesPerCpuSecond, 1),
        formatSummary(cold.bytesOfPage, 0),
        formatSummary(cold.errors, 0),
      ],
    ],
  )
  console.log()
  printTable(
    ['route', 'requests/s', 'of page source', 'CPU µs/request', 'p50 ms', 'p99 ms'],
    kept.map(({ route, requestsPerSecond, ofSource, cpuMicros, p50Ms, p99Ms }) => [
      route,
      formatSummary(requestsPerSecond, 0),
      formatSummary(ofSource, 2),
      formatSummary(cpuMicros, 1),
      formatSummary(p50Ms, 2),
      formatSummary(p99Ms, 2),
    ]),
  )
}
