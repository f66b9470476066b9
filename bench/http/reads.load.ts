/**
 * Reads over HTTP in five tables: kinds of reads, forms of pages, the action API and summaries, settings, and the same
 * reads from a MediaWiki. The rows of a table take turns. See bench/README.md.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { TermLists } from '../../src/index/search/termLists.js'
import { encodeText } from '../../src/index/text/encoder.js'
import { Store } from '../../src/storage/store.js'
import { benchTexts } from '../search/texts.js'
import { addHistories, comparisonPaths, type HistoryShape } from '../support/historyStore.js'
import { kiwixPath, missingForKiwix, startKiwix } from '../support/kiwix.js'
import { runLoadBench } from '../support/loadBench.js'
import { printRatios, printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns } from '../support/loadTurns.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys, pagePath } from '../support/pageSample.js'
import { choosePinning, NOTHING_PINNED, type Pinning } from '../support/pinning.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { writeResult } from '../support/results.js'
import type { Sandbox } from '../support/sandbox.js'
import { startServer } from '../support/serveArguments.js'
import { cachedStore } from '../support/storeCache.js'
import { loadGenerator, type ScriptOptions, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const TITLES = 2000
const ARTICLES = 200
const CONNECTIONS = 16
const SOURCE = 'page source'
const HISTORIES: HistoryShape = { pages: 200, revisionsOfPage: 6, sizeBytes: 20_000, edits: 5 }
/** Enough that a run repeats none: what a search leaves in memory must not be that of the same query before. */
const SEARCHES = 40_000
/** A thread compiles the code of searches during its first 20,000 ones, and each takes up to four times as long. */
const SEARCH_WARM_UP = { warmUpSeconds: 15 }
const SEED = 4711
const GZIP = { 'Accept-Encoding': 'gzip' }
/** A page as a proxy reads it. The server adopts the request id. */
const PROXY_HEADERS = {
  'X-Request-Id': '4f1c2b7e9a3d4e0f8b6c5d2a1e0f9b8c',
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Host': 'wiki.example',
  'X-Forwarded-Proto': 'https',
}

/** The rows of a MediaWiki have the names of ours with this at the end. */
const THEIRS = ', MediaWiki'

const { rounds, seconds: secondsGiven, only = '', mediawiki } = readOptions()

/** What a table is measured with. */
interface Bench {
  readonly sandbox: Sandbox
  readonly pinning: Pinning
  readonly dump: string
  /** A data folder that servers may change. */
  readonly dataDir: string
  readonly keys: readonly string[]
}

interface Table {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly isPinned: boolean
  /** Its rows, and the rows to compare: of each pair, the first with the second. */
  readonly rows: (bench: Bench) => Promise<readonly LoadedServer[]>
  readonly peerOf: (name: string) => string | undefined
}

const ofSource = (name: string): string | undefined => (name === SOURCE ? undefined : SOURCE)
const USUAL = { rounds: 5, seconds: 3, connections: CONNECTIONS, isPinned: true, peerOf: ofSource }

const TABLES: Readonly<Record<string, Table>> = {
  routes: { ...USUAL, rows: routes },
  forms: { ...USUAL, rows: forms },
  actionApi: { ...USUAL, rows: actionApi },
  // One second is enough: the differences are about a microsecond, and machines drift over longer times.
  settings: { ...USUAL, rounds: 15, seconds: 1, rows: settings },
  // Few connections, since a MediaWiki has few processes.
  mediawiki: { ...USUAL, rounds: 3, connections: 4, isPinned: false, rows: besideMediaWiki, peerOf: theirs },
}

for (const [name, table] of Object.entries(TABLES)) {
  if (!name.includes(only)) continue
  if (name === 'mediawiki' && mediawiki === undefined)
    console.log('no --mediawiki URL, such as http://127.0.0.1/w/rest.php: measured without this peer.')
  else
    await runLoadBench({ what: name, dump: DUMP, needsCpuTime: true }, (sandbox, dump, wrk) =>
      measure(name, table, { sandbox, dump, wrk }),
    )
}

async function measure(
  name: string,
  table: Table,
  { sandbox, dump, wrk }: { readonly sandbox: Sandbox; readonly dump: string; readonly wrk: string },
): Promise<void> {
  const pinning = table.isPinned ? choosePinning() : NOTHING_PINNED
  const dataDir = join(sandbox.folder(name), 'wiki')
  cpSync(await cachedStore(sandbox, dump), dataDir, { recursive: true })
  const keys = await drawPageKeys(dump, TITLES)
  const rows = await table.rows({ sandbox, pinning, dump, dataDir, keys })
  const load = {
    rounds: rounds ?? table.rounds,
    // wrk takes whole seconds only.
    seconds: Math.max(1, Math.round(secondsGiven ?? table.seconds)),
    connections: table.connections,
  }
  console.log(`\n${name}: ${load.rounds} rounds of ${load.seconds} s, ${load.connections} connections`)
  const generate = loadGenerator(sandbox, pinning, wrk)
  const samples = await loadInTurns(rows, generate, { ...load, script: '' })
  const servers = rows.map((row) => summariseServer(samples, row.name))
  const ratios = rows.flatMap((row) => {
    const peer = table.peerOf(row.name)
    return peer === undefined ? [] : [summariseRatio(samples, row.name, peer)]
  })
  printServers(servers)
  console.log()
  printRatios(ratios)
  if (servers.some(({ errors }) => errors > 0)) {
    console.log('There were errors: these figures are not to be trusted.')
    process.exitCode = 1
  }
  writeResult(`http-${name}`, { setup: { ...load, dump: DUMP }, samples, summary: { servers, ratios } })
}

type Row = Omit<LoadedServer, 'script'> & { readonly paths: readonly string[] } & ScriptOptions

function rowsOf(sandbox: Sandbox, rows: readonly Row[]): LoadedServer[] {
  return rows.map(({ paths, headers, neverTwice, ...server }) => {
    const options = { ...(headers && { headers }), neverTwice: neverTwice === true }
    return { ...server, script: writeLoadScript(sandbox.folder('load'), paths, options) }
  })
}

/** Cached, and made anew: another URL for each request, so that no cached answer fits. */
function bothWays(row: Row): Row[] {
  return [row, { ...row, name: `${row.name}, made anew`, neverTwice: true }]
}

function onServerCore({ pin, serverCore }: Pinning): Parameters<typeof startServer>[1] {
  return { pin, core: serverCore }
}

async function routes({ sandbox, pinning, dataDir, keys }: Bench): Promise<LoadedServer[]> {
  const searches = await drawSearches(dataDir)
  const ids = await addHistories(dataDir, HISTORIES)
  const place = onServerCore(pinning)
  const server = await startServer(sandbox, place, dataDir, ['--trusted-proxies', '127.0.0.1'])
  const forgetful = await startServer(sandbox, place, dataDir, ['--comparisons-bytes', '0'])
  const under = (rest: string): string[] => keys.map((key) => pagePath(key) + rest)
  const firstLetters = [...new Set(keys.map((key) => encodeURIComponent(key.slice(0, 3).toLowerCase())))]
  const words = [...new Set(keys.flatMap((key) => key.split('_')).filter((word) => word.length > 3))]
  const revisions = Array.from(
    { length: HISTORIES.pages * HISTORIES.revisionsOfPage },
    (_, n) => `/v1/revision/${ids.revision + 1 + n}/bare`,
  )
  const comparisons = comparisonPaths(HISTORIES, ids)
  const kinds: Readonly<Record<string, readonly string[]>> = {
    [SOURCE]: under(''),
    'page bare': under('/bare'),
    history: under('/history'),
    'revision bare': revisions,
    comparison: comparisons,
    'language links': under('/links/language'),
    autocomplete: firstLetters.map((letters) => `/v1/search/title?q=${letters}&limit=10`),
    search: words.map((word) => `/v1/search/page?q=${encodeURIComponent(word)}&limit=10`),
  }
  return rowsOf(sandbox, [
    ...Object.entries(kinds).flatMap(([name, paths]) =>
      bothWays({ ...server, name, paths, ...(name === 'search' && SEARCH_WARM_UP) }),
    ),
    ...bothWays({
      ...server,
      name: 'page source behind a proxy',
      paths: under(''),
      headers: PROXY_HEADERS,
    }),
    { ...forgetful, name: 'comparison, computed', paths: comparisons, neverTwice: true },
    {
      ...{ ...server, name: 'search for words of texts, made anew', paths: searches },
      ...{ neverTwice: true, ...SEARCH_WARM_UP },
    },
  ])
}

/** Searches for a word of a random text, half of them together with one of the most frequent words. */
async function drawSearches(dataDir: string): Promise<string[]> {
  const store = Store.open(dataDir)
  try {
    const random = randomNumbers(SEED)
    const lists = new TermLists(store.search.inForce().bodyPostings, 0)
    const words = drawSome(benchTexts(store), 4000, random).flatMap(({ text }) =>
      drawSome([...encodeText(text)], 8, random),
    )
    const frequent = [...new Set(words)]
      .map((word) => ({ word, frequency: lists.find(word)?.frequency ?? 0 }))
      .sort((a, b) => b.frequency - a.frequency)
      .slice(0, 40)
      .map(({ word }) => word)
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
    return Array.from({ length: SEARCHES }, (_, n) => {
      const query = n % 2 === 0 ? pick(words) : `${pick(words)} ${pick(frequent)}`
      return `/v1/search/page?limit=10&q=${encodeURIComponent(query)}`
    })
  } finally {
    await store.close()
  }
}

/** Sources, HTML and pages for readers of the same articles, plain and in gzip, beside kiwix-serve. */
async function forms({ sandbox, pinning, dataDir, dump }: Bench): Promise<LoadedServer[]> {
  const keys = await drawArticles(dump, dataDir)
  const server = await startServer(sandbox, onServerCore(pinning), dataDir)
  const kinds: Readonly<Record<string, readonly string[]>> = {
    [SOURCE]: keys.map(pagePath),
    HTML: keys.map((key) => `${pagePath(key)}/html`),
    'page for readers': keys.map((key) => `/wiki/${encodeURIComponent(key)}`),
  }
  const rows: Row[] = Object.entries(kinds).flatMap(([name, paths]) => [
    ...bothWays({ ...server, name, paths }),
    ...bothWays({ ...server, name: `${name}, gzip`, paths, headers: GZIP }),
  ])
  rows.push(...(await kiwixRows(sandbox, pinning, server.origin, kinds['page for readers']!)))
  for (const { name, origin, paths, headers = {}, neverTwice = false } of rows) {
    if (neverTwice) continue
    let bytes = 0
    // Each page is made then.
    for (const path of paths) bytes += (await bodyOf(origin + path, headers)).sent
    console.log(`${name}: ${Math.round(bytes / paths.length)} bytes of a body on average`)
  }
  return rowsOf(sandbox, rows)
}

/** The calls that programs of Wikipedia make most, beside page sources. */
async function actionApi({ sandbox, pinning, dataDir, dump }: Bench): Promise<LoadedServer[]> {
  const keys = await drawArticles(dump, dataDir)
  const server = await startServer(sandbox, onServerCore(pinning), dataDir)
  const titles = keys.map(encodeURIComponent)
  const call = (question: string): string => `/api.php?format=json&formatversion=2&${question}`
  const ofPage = (question: string): string[] =>
    titles.map((title) => call(`action=query&titles=${title}&${question}`))
  const kinds: Readonly<Record<string, readonly string[]>> = {
    [SOURCE]: keys.map(pagePath),
    summary: titles.map((title) => `/api/rest_v1/page/summary/${title}`),
    extracts: ofPage('prop=extracts&exintro=1&explaintext=1'),
    opensearch: keys.map((key) =>
      call(`action=opensearch&search=${encodeURIComponent(key.slice(0, 3).toLowerCase())}`),
    ),
    info: ofPage('prop=info'),
    revisions: ofPage('prop=revisions&rvprop=ids|timestamp|user|comment|content&rvslots=main'),
    categories: ofPage('prop=categories&cllimit=max'),
    links: ofPage('prop=links&pllimit=max'),
    'list=search': titles.map((title) => call(`action=query&list=search&srsearch=${title.split('_')[0]}`)),
    parse: titles.map((title) => call(`action=parse&prop=text&page=${title}`)),
  }
  // HTML is made then.
  for (const path of kinds['extracts']!) await bodyOf(server.origin + path, {})
  return rowsOf(
    sandbox,
    Object.entries(kinds).flatMap(([name, paths]) => bothWays({ ...server, name, paths })),
  )
}

/** Keys of random pages that are not redirects. */
async function drawArticles(dump: string, dataDir: string): Promise<string[]> {
  const keys = await drawPageKeys(dump, 2 * TITLES)
  const store = Store.open(dataDir)
  try {
    return keys.filter((key) => store.getPage(0, key)?.redirect === false).slice(0, ARTICLES)
  } finally {
    await store.close()
  }
}

async function kiwixRows(
  sandbox: Sandbox,
  pinning: Pinning,
  origin: string,
  paths: readonly string[],
): Promise<Row[]> {
  const missing = missingForKiwix().join(' and ')
  if (missing !== '') {
    console.log(`${missing} missing (Debian: apt install kiwix-tools zim-tools). Not measured: kiwix-serve.`)
    return []
  }
  const pages: Buffer[] = []
  for (const path of paths) pages.push((await bodyOf(origin + path, {})).plain)
  const row = { ...(await startKiwix(sandbox, pinning, pages)), paths: pages.map((_, n) => kiwixPath(n)) }
  return [
    { ...row, name: 'kiwix-serve' },
    { ...row, name: 'kiwix-serve, gzip', headers: GZIP },
  ]
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

/** Ready page sources from servers with other settings. */
async function settings({ sandbox, pinning, dataDir, keys }: Bench): Promise<LoadedServer[]> {
  const log = (format: string): string[] => {
    return ['--access-log', format, '--access-log-file', `${sandbox.folder('log')}/access.log`]
  }
  // More than wrk can send, so that nothing is refused.
  const limit = ['--reads-per-second', '1000000']
  const flags: Readonly<Record<string, readonly string[]>> = {
    [SOURCE]: [],
    'access log, JSON': log('json'),
    'access log, combined': log('combined'),
    'limit of reads': limit,
    'limit of reads and access log, JSON': [...limit, ...log('json')],
    'real-time priority': ['--real-time'],
    'uWebSockets.js': ['--http', 'uws'],
  }
  const paths = keys.map(pagePath)
  const rows: Row[] = []
  for (const [name, given] of Object.entries(flags))
    rows.push({ ...(await startServer(sandbox, onServerCore(pinning), dataDir, given)), name, paths })
  return rowsOf(sandbox, rows)
}

function theirs(name: string): string | undefined {
  return name.endsWith(THEIRS) ? undefined : name + THEIRS
}

/** Ours stands below the path of the MediaWiki, so that both get the same requests. */
async function besideMediaWiki({ sandbox, pinning, dataDir, keys }: Bench): Promise<LoadedServer[]> {
  const base = new URL(mediawiki!)
  const root = base.pathname.replace(/\/$/, '')
  const known: string[] = []
  for (const key of keys.slice(0, 300)) {
    const answer = await fetch(`${base.origin + root}${pagePath(key)}/bare`)
    await answer.arrayBuffer()
    if (answer.status === 200) known.push(key)
  }
  if (known.length === 0) throw new Error(`${base.href} has none of the pages of ${DUMP}`)
  console.log(`${known.length} pages that both have`)
  const ours = await startServer(sandbox, onServerCore(pinning), dataDir, ['--base-path', root])
  const peer = { group: undefined, origin: base.origin }
  const under = (rest: string): string[] => known.map((key) => root + pagePath(key) + rest)
  const search = (kind: string, text: string): string =>
    `${root}/v1/search/${kind}?limit=10&q=${encodeURIComponent(text)}`
  const kinds: Readonly<Record<string, readonly string[]>> = {
    [SOURCE]: under(''),
    'page bare': under('/bare'),
    HTML: under('/html'),
    history: under('/history'),
    autocomplete: known.map((key) => search('title', key.slice(0, 3))),
    search: known.map((key) => search('page', key.split('_')[0]!)),
  }
  return rowsOf(
    sandbox,
    Object.entries(kinds).flatMap(([name, paths]) => [
      { ...ours, name, paths },
      { ...peer, name: name + THEIRS, paths },
    ]),
  )
}
