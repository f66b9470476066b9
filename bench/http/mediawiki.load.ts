/**
 * The same reads from Palimpsest and a MediaWiki, in turns. `--mediawiki URL` gives the MediaWiki's `rest.php`; without
 * it nothing is measured. See bench/README.md.
 */
import { printServers, summariseRatio, summariseServer } from '../support/loadReport.js'
import { type LoadedServer, loadInTurns, type LoadSample } from '../support/loadTurns.js'
import { findProgram } from '../support/machine.js'
import { readOptions } from '../support/options.js'
import { drawPageKeys } from '../support/pageSample.js'
import { NOTHING_PINNED } from '../support/pinning.js'
import { findDump, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { type Summary } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary } from '../support/table.js'
import { loadGenerator, writeLoadScript } from '../support/wrk.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
/** Titles to try. Those that the MediaWiki has are read. */
const TITLES = 300
/** Few, since a MediaWiki has few processes. */
const CONNECTIONS = 4
const OURS = 'palimpsest'
const THEIRS = 'MediaWiki'

const { rounds = 3, seconds: secondsGiven = 3, mediawiki } = readOptions()
/** wrk takes whole seconds only. */
const seconds = Math.max(1, Math.round(secondsGiven))

const wrk = findProgram('wrk')
if (mediawiki === undefined) {
  console.log('no --mediawiki URL, such as http://127.0.0.1/w/rest.php: measured without this peer.')
} else if (wrk === undefined)
  console.log('wrk is missing (Debian: apt install wrk): MediaWiki is not measured.')
const dump = mediawiki === undefined ? undefined : findDump(DUMP)
if (mediawiki !== undefined && dump !== undefined && wrk !== undefined) {
  const sandbox = new Sandbox()
  try {
    await measure(sandbox, dump, wrk, new URL(mediawiki))
  } finally {
    await sandbox.close()
  }
}

async function measure(sandbox: Sandbox, dumpPath: string, wrkPath: string, base: URL): Promise<void> {
  const root = base.pathname.replace(/\/$/, '')
  const keys = await keysOnBoth(base.origin + root, await drawPageKeys(dumpPath, TITLES))
  if (keys.length === 0) throw new Error(`${base.href} has none of the pages of ${DUMP}`)
  console.log(`${keys.length} pages that both have, ${CONNECTIONS} connections`)
  const servers: LoadedServer[] = [
    await startPalimpsest(sandbox, await cachedStore(sandbox, dumpPath), root),
    { name: THEIRS, group: undefined, origin: base.origin },
  ]
  const generate = loadGenerator(sandbox, NOTHING_PINNED, wrkPath)
  const samples: (LoadSample & { route: string })[] = []
  const routes: { route: string; ratio: Summary }[] = []
  for (const [route, paths] of Object.entries(pathsOf(root, keys))) {
    const script = writeLoadScript(sandbox.folder('load'), paths)
    const own = await loadInTurns(servers, generate, { rounds, seconds, connections: CONNECTIONS, script })
    samples.push(...own.map((sample) => ({ ...sample, route })))
    console.log(`\n${route}`)
    printServers([OURS, THEIRS].map((name) => summariseServer(own, name)))
    if (own.some(({ requests }) => requests === 0)) {
      console.log(`No ratio: a turn of ${seconds} s passed without one answer.\n`)
      continue
    }
    const ratio = summariseRatio(own, OURS, THEIRS)
    console.log(`Rate to that of MediaWiki: ${formatSummary(ratio.rate, 2)}\n`)
    routes.push({ route, ratio: ratio.rate })
  }
  const setup = {
    rounds,
    seconds,
    connections: CONNECTIONS,
    corpus: DUMP,
    pages: keys.length,
    url: base.href,
  }
  writeResult('http-mediawiki', { setup, samples, summary: { routes } })
}

function pathsOf(root: string, keys: readonly string[]): Record<string, string[]> {
  const under = (rest: string): string[] =>
    keys.map((key) => `${root}/v1/page/${encodeURIComponent(key)}${rest}`)
  const search = (kind: string, text: string): string =>
    `${root}/v1/search/${kind}?limit=10&q=${encodeURIComponent(text)}`
  return {
    'page source': under(''),
    'page bare': under('/bare'),
    HTML: under('/html'),
    history: under('/history'),
    autocomplete: keys.map((key) => search('title', key.slice(0, 3))),
    search: keys.map((key) => search('page', key.split('_')[0]!)),
  }
}

async function keysOnBoth(base: string, keys: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const key of keys) {
    const answer = await fetch(`${base}/v1/page/${encodeURIComponent(key)}/bare`)
    await answer.arrayBuffer()
    if (answer.status === 200) found.push(key)
  }
  return found
}

/** Uses the path of the MediaWiki, so that both get the same requests. */
async function startPalimpsest(sandbox: Sandbox, dataDir: string, root: string): Promise<LoadedServer> {
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error', '--base-path', root]
  const { pid, greeting } = await sandbox.serve(PALIMPSEST, args, /(http:\/\/127\.0\.0\.1:\d+)\//)
  return { name: OURS, group: pid, origin: greeting[1]! }
}
