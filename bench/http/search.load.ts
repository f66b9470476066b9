/**
 * Searches and titles over HTTP on one core, then page reads beside one client that floods the server with searches for
 * common words. See bench/README.md.
 */
import { Store } from '../../src/storage/store.js'
import { TermLists } from '../../src/index/search/termLists.js'
import { encodeText } from '../../src/index/text/encoder.js'
import { benchTexts } from '../search/texts.js'
import { printServers, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber } from '../support/table.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const PATHS = 1000
/** Enough that a run repeats none: what a search leaves in memory must not be that of the same query before. */
const SEARCHES = 40_000
/** A thread compiles the code of searches during its first 20,000 ones, and each takes up to four times as long. */
const WARM_UP_SECONDS = 15
const CONNECTIONS = 16
const FLOOD_CONNECTIONS = 64
const SEED = 4711

const { rounds = 3, seconds: secondsGiven = 3 } = readOptions()
const seconds = Math.max(1, Math.round(secondsGiven))

await runLoadBench({ what: 'searches', dump: DUMP, needsCpuTime: true }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const dataDir = await cachedStore(sandbox, dumpPath)
  const { searches, titles, common } = await drawPaths(dataDir)
  const pages = (await drawPageKeys(dumpPath, PATHS)).map(pagePath)
  const server = await startServer(sandbox, pinning, dataDir)
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const script = (paths: readonly string[], neverTwice: boolean): string =>
    writeLoadScript(sandbox.folder('load'), paths, { neverTwice })
  const kinds = {
    'page reads': script(pages, false),
    'searches, 10 results, made anew': script(searches, true),
    'titles, 10 results, made anew': script(titles, true),
    'titles, 10 results': script(titles, false),
  }
  const warmUp = { seconds: WARM_UP_SECONDS, connections: CONNECTIONS }
  await generate(server.origin, { ...warmUp, script: kinds['searches, 10 results, made anew'] })
  const summaries = []
  for (const [name, paths] of Object.entries(kinds)) {
    const load = { rounds, seconds, connections: CONNECTIONS, script: paths }
    const samples = await loadInTurns([{ ...server, name }], generate, load)
    summaries.push(summariseServer(samples, name))
  }
  console.log()
  printServers(summaries)
  await measureFlood(server, generate, { pages: script(pages, false), common: script(common, true) })
  writeResult('http-search', {
    setup: { rounds, seconds, connections: CONNECTIONS },
    samples: [],
    summary: summaries,
  })
}

/** Page reads alone, and beside a client that searches for common words over many connections. */
async function measureFlood(
  { origin }: LoadedServer,
  generate: ReturnType<typeof loadGenerator>,
  scripts: { readonly pages: string; readonly common: string },
): Promise<void> {
  const reads = { seconds, connections: 4, script: scripts.pages }
  const idle = await generate(origin, reads)
  const flood = generate(origin, {
    seconds: seconds + 2,
    connections: FLOOD_CONNECTIONS,
    script: scripts.common,
  })
  const flooded = await generate(origin, reads)
  const { requests, errors } = await flood
  const facts = (counts: typeof idle): string =>
    `p50 ${formatNumber(counts.p50Ms, 2)} ms, p99 ${formatNumber(counts.p99Ms, 2)} ms`
  console.log(`\npage reads alone: ${facts(idle)}`)
  console.log(`beside ${requests} searches for common words (${errors} turned away): ${facts(flooded)}`)
}

async function drawPaths(
  dataDir: string,
): Promise<{ searches: string[]; titles: string[]; common: string[] }> {
  const store = Store.open(dataDir)
  const random = randomNumbers(SEED)
  const texts = benchTexts(store)
  const lists = new TermLists(store.search.inForce().bodyPostings, 0)
  const words = drawSome(texts, 4000, random).flatMap(({ text }) =>
    drawSome([...encodeText(text)], 8, random),
  )
  const frequent = [...new Set(words)]
    .map((word) => ({ word, frequency: lists.find(word)?.frequency ?? 0 }))
    .sort((a, b) => b.frequency - a.frequency)
    .slice(0, 40)
    .map(({ word }) => word)
  const path = (route: string, text: string): string =>
    `/v1/search/${route}?limit=10&q=${encodeURIComponent(text)}`
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
  const searches = Array.from({ length: SEARCHES }, (_, n) =>
    path('page', n % 2 === 0 ? pick(words) : `${pick(words)} ${pick(frequent)}`),
  )
  const common = Array.from({ length: PATHS }, () => path('page', `${pick(frequent)} ${pick(frequent)}`))
  const titles = drawSome(texts, PATHS, random).map(({ title }) =>
    path('title', title.slice(0, 2 + Math.floor(random() * 6))),
  )
  await store.close()
  return { searches, titles, common }
}

async function startServer(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  dataDir: string,
): Promise<LoadedServer> {
  const args = serveArguments(dataDir, '--log-level', 'warn')
  const { pid, greeting } = await sandbox.serve(
    ...pin(serverCore, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name: 'palimpsest', group: pid, origin: greeting[1]! }
}
