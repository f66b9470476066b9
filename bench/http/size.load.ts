/**
 * Costs of reads by the size of the wiki, at 1,000, 10,000 and 100,000 pages. Reads are page sources, from memory and
 * from the store, and autocomplete. See bench/README.md.
 */
import { Store } from '../../src/storage/store.js'
import { scaledStore } from '../search/scaledStore.js'
import { printServers, summariseRatio, summariseServer, printRatios } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns, type LoadSample } from '../support/loadTurns.js'
import { readOptions } from '../support/options.js'
import { pagePath } from '../support/pageSample.js'
import { choosePinning, type Pinning } from '../support/pinning.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { PALIMPSEST } from '../support/repository.js'
import { serveArguments } from '../support/serveArguments.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { runLoadBench } from '../support/loadBench.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const SIZES = [1000, 10_000, 100_000]
const TITLES = 20_000
const CONNECTIONS = 16
const SEED = 23

const { rounds = 3, seconds: secondsGiven = 2 } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

/** A wiki of one size with two servers: one with default settings, and one without a cache of pages. */
interface SizedWiki {
  readonly pages: number
  readonly usual: LoadedServer
  readonly keepsNothing: LoadedServer
  readonly sources: string
  readonly completions: string
}

await runLoadBench({ what: 'sizes', dump: DUMP, needsCpuTime: true }, measure)

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string): Promise<void> {
  const pinning = choosePinning()
  const wikis: SizedWiki[] = []
  for (const pages of SIZES) wikis.push(await startWiki(sandbox, pinning, dumpPath, pages))
  const generate = loadGenerator(sandbox, pinning, wrkPath)
  const load = async (
    route: string,
    of: (wiki: SizedWiki) => { server: LoadedServer; script: string },
  ): Promise<SizeSummary[]> => {
    const scripts = new Map(wikis.map((wiki) => [of(wiki).server.origin, of(wiki).script]))
    const samples = await loadInTurns(
      wikis.map((wiki) => ({ ...of(wiki).server, name: `${route}, ${wiki.pages} pages` })),
      (origin, options) => generate(origin, { ...options, script: scripts.get(origin)! }),
      { rounds, seconds, connections: CONNECTIONS, script: '' },
    )
    all.push(...samples)
    return report(route, samples)
  }
  const all: LoadSample[] = []
  const summary = [
    ...(await load('page source', ({ usual, sources }) => ({ server: usual, script: sources }))),
    ...(await load('page source from the store', ({ keepsNothing, sources }) => ({
      server: keepsNothing,
      script: sources,
    }))),
    ...(await load('autocomplete', ({ usual, completions }) => ({ server: usual, script: completions }))),
  ]
  const setup = { rounds, seconds, connections: CONNECTIONS, corpus: DUMP, sizes: SIZES, titles: TITLES }
  writeResult('http-size', { setup, samples: all, summary: { sizes: summary } })
}

async function startWiki(
  sandbox: Sandbox,
  pinning: Pinning,
  dumpPath: string,
  pages: number,
): Promise<SizedWiki> {
  const dataDir = await scaledStore(sandbox, dumpPath, pages)
  const keys = await drawKeys(dataDir)
  const completions = keys.map((key, n) => {
    const letters = [...key.replace(/^[^:]*:/, '')].slice(0, 1 + (n % 6)).join('')
    return `/v1/search/title?limit=10&q=${encodeURIComponent(letters)}`
  })
  const script = (paths: readonly string[]): string => writeLoadScript(sandbox.folder('load'), paths)
  return {
    pages,
    usual: await startServer(sandbox, pinning, dataDir),
    keepsNothing: await startServer(sandbox, pinning, dataDir, '--hot-answers-bytes', '0'),
    sources: script(keys.map(pagePath)),
    completions: script(completions),
  }
}

/** Random titles of the main namespace, in URL form. */
async function drawKeys(dataDir: string): Promise<string[]> {
  const store = Store.open(dataDir)
  try {
    const keys = [...store.tables.title.getKeys({ start: [0, ''], end: [1, ''] })].map(([, dbkey]) => dbkey)
    return drawSome(keys, TITLES, randomNumbers(SEED))
  } finally {
    await store.close()
  }
}

async function startServer(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  dataDir: string,
  ...flags: string[]
): Promise<LoadedServer> {
  const args = serveArguments(dataDir, '--log-level', 'error')
  const { pid, greeting } = await sandbox.serve(
    ...pin(serverCore, PALIMPSEST, [...args, ...flags]),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { name: dataDir, group: pid, origin: greeting[1]! }
}

type SizeSummary = ReturnType<typeof summariseServer> & { readonly route: string; readonly pages: number }

function report(route: string, samples: readonly LoadSample[]): SizeSummary[] {
  const names = SIZES.map((pages) => `${route}, ${pages} pages`)
  const summaries = names.map((name) => summariseServer(samples, name))
  console.log()
  printServers(summaries)
  printRatios(names.slice(1).map((name) => summariseRatio(samples, name, names[0]!)))
  console.log()
  return summaries.map((summary, n) => ({ ...summary, route, pages: SIZES[n]! }))
}
