/**
 * Measures modules: the time of a call, of a page with many calls of a large module, and of real pages. With
 * `--mediawiki URL` (a `rest.php`), a MediaWiki renders the same pages beside it. See bench/README.md.
 */
import { Preprocessor } from '../../src/render/preprocessor/preprocessor.js'
import { TreeCache } from '../../src/render/preprocessor/treeCache.js'
import { groupCpuTime } from '../support/cpuTime.js'
import { type MemoryWiki, wikiOfDump } from '../support/dumpWiki.js'
import { listenerGroup } from '../support/listener.js'
import { readOptions } from '../support/options.js'
import { findDump, findFixture, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, type Summary } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { pagesWithModules } from './lua/modulePages.js'
import {
  luaRuntime,
  measureLargeModule,
  measureWarmCalls,
  type ModuleCase,
  recordedCases,
} from './lua/warmCalls.js'

const CASES = 'lua/realistic.jsonl.gz'
const DUMP = 'demo-wikipedia-sample.xml.bz2'
const LARGE_CALLS = 500
const AIM_CALL_MS = 0.15
const AIM_LARGE_MS = 400
const OURS = 'palimpsest'
const THEIRS = 'MediaWiki'
/** Both render so many pages in turn. */
const PAGES_A_TURN = 5

/** Expansion is the part of HTML that runs modules. */
const WORKS = ['HTML', 'expansion'] as const
type Work = (typeof WORKS)[number]
type MemoryPage = MemoryWiki['pages'][number]

const OK = 200
/** Stands for a process group: this process does the work. */
const OWN_PROCESS = -1

/** How a server does a kind of work. */
interface Worker {
  /** Gives back the status. */
  readonly run: (page: MemoryPage) => Promise<number>
  /** Its processes; undefined where nobody sees them: then time counts. */
  readonly group: number | undefined
}

interface PageServer extends Readonly<Record<Work, Worker>> {
  readonly name: string
}

interface ColdSample {
  readonly work: Work
  readonly server: string
  /** Counted from 1. */
  readonly round: number
  readonly pages: number
  readonly cpuSeconds: number
  readonly perCpuSecond: number
}

const { rounds = 5, mediawiki } = readOptions()
const sandbox = new Sandbox()
try {
  const warm = warmCalls()
  const large = largeModule()
  const cold = await coldPages()
  writeResult('render-lua', {
    setup: { CASES, DUMP, LARGE_CALLS, rounds, ...(mediawiki !== undefined && { mediawiki }) },
    samples: [...(warm?.samples ?? []), ...large.samples, ...(cold?.samples ?? [])],
    summary: { warm: warm?.summary, large: large.summary, cold: cold?.summary },
  })
} finally {
  await sandbox.close()
}

function warmCalls(): { readonly samples: readonly object[]; readonly summary: object } | undefined {
  const path = findFixture(CASES)
  if (path === undefined) return undefined
  const cases: readonly ModuleCase[] = recordedCases(path)
  const samples = measureWarmCalls(cases, rounds)
  const byCase = cases.map(({ id }) => ({
    case: id,
    milliseconds: summarise(
      samples.filter((sample) => sample.case === id).map((sample) => sample.milliseconds),
    ),
  }))
  const median = summarise(byCase.map(({ milliseconds }) => milliseconds.median))
  printTable(
    ['a warm call', 'ms of processor time'],
    byCase.map(({ case: id, milliseconds }) => [id, formatSummary(milliseconds, 3)]),
  )
  console.log(
    `All cases: ${formatSummary(median, 3)} ms (median, least and most of a case). Aim: the median at most ${AIM_CALL_MS}.\n`,
  )
  return { samples, summary: { byCase, median } }
}

function largeModule(): { readonly samples: readonly object[]; readonly summary: object } {
  const samples = Array.from({ length: rounds }, (_, n) => ({
    case: 'large',
    round: n + 1,
    ...measureLargeModule(LARGE_CALLS),
  }))
  const summary = {
    first: summarise(samples.map(({ first }) => first)),
    later: summarise(samples.map(({ later }) => later)),
  }
  printTable(
    [`a page with ${LARGE_CALLS} calls of a module of 97 kB`, 'ms of processor time'],
    [
      ['first page of a thread', formatSummary(summary.first, 0)],
      ['later page', formatSummary(summary.later, 0)],
    ],
  )
  console.log(`Aim: less than ${AIM_LARGE_MS} ms.\n`)
  return { samples, summary }
}

async function coldPages(): Promise<
  { readonly samples: readonly ColdSample[]; readonly summary: object } | undefined
> {
  if (mediawiki === undefined)
    console.log('no --mediawiki URL, such as http://127.0.0.1/w/rest.php: measured without this peer.')
  const dump = findDump(DUMP)
  if (dump === undefined) return undefined
  const wiki = await wikiOfDump(dump)
  const peer = mediawiki === undefined ? undefined : mediawikiAt(new URL(mediawiki))
  const ours = await startPalimpsest(dump, wiki)
  const servers = peer === undefined ? [ours] : [ours, peer]
  const pages = await answered(pagesWithModules(wiki), servers)
  console.log(`${pages.length} pages with modules that all servers render`)
  const samples: ColdSample[] = []
  for (let round = 1; round <= rounds; round++)
    for (const work of WORKS) samples.push(...(await measureRound(pages, servers, round, work)))
  const summary = WORKS.flatMap((work) => servers.map(({ name }) => summariseServer(samples, work, name)))
  printTable(
    ['cold pages for each CPU second', 'pages', 'ratio to MediaWiki'],
    summary.map(({ work, server, perCpuSecond, ratio }) => [
      `${work}, ${server}`,
      formatSummary(perCpuSecond, 2),
      ratio === undefined ? '' : formatSummary(ratio, 2),
    ]),
  )
  console.log('Aim: a ratio of at least 1.\n')
  return { samples, summary: { pages: pages.length, servers: summary } }
}

/** Keeps no HTML, so each request renders. Texts are expanded in this process, as render threads expand them. */
async function startPalimpsest(dump: string, { source }: MemoryWiki): Promise<PageServer> {
  const dataDir = await cachedStore(sandbox, dump)
  const limits = ['--html-cache-bytes', '0', '--render-timeout-ms', '200000']
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error', ...limits],
    /at (http:\/\/[^/\s]+)\//,
  )
  const [cache, modules] = [new TreeCache(), luaRuntime()]
  return {
    name: OURS,
    HTML: {
      run: (page) => get(`${greeting[1]}/v1/page/${encodeURIComponent(keyOf(page))}/html`),
      group: pid,
    },
    expansion: {
      run: (page) => {
        new Preprocessor(page, source, { cache, modules }).expand(page.text)
        return Promise.resolve(OK)
      },
      group: OWN_PROCESS,
    },
  }
}

/** Must keep no parser output: `$wgParserCacheType = CACHE_NONE`. The action API is beside `rest.php`. */
function mediawikiAt(base: URL): PageServer {
  const group = listenerGroup(Number(base.port) || 80)
  if (group === undefined)
    console.log(
      `the processes behind ${base.href} cannot be seen: its time counts instead of its processor time`,
    )
  const root = base.href.replace(/\/$/, '')
  const api = new URL('api.php', base)
  return {
    name: THEIRS,
    HTML: { run: (page) => get(`${root}/v1/page/${encodeURIComponent(keyOf(page))}/html`), group },
    expansion: {
      run: ({ title, text }) => {
        const action = { action: 'expandtemplates', prop: 'wikitext', format: 'json' }
        return get(api, new URLSearchParams({ ...action, title: title.dbkey, text }))
      },
      group,
    },
  }
}

/** All are of the main namespace. */
function keyOf({ title }: MemoryPage): string {
  return title.dbkey
}

/** The status of an answer that is read to its end. */
async function get(url: string | URL, body?: URLSearchParams): Promise<number> {
  const answer = await fetch(url, body === undefined ? {} : { method: 'POST', body })
  await answer.arrayBuffer()
  return answer.status
}

/** Those that every server renders. Also warms them up. */
async function answered(pages: readonly MemoryPage[], servers: readonly PageServer[]): Promise<MemoryPage[]> {
  const found: MemoryPage[] = []
  for (const page of pages) {
    const statuses: number[] = []
    for (const server of servers) for (const work of WORKS) statuses.push(await server[work].run(page))
    if (statuses.every((status) => status === OK)) found.push(page)
    else console.log(`${keyOf(page)}: ${statuses.join(', ')}`)
  }
  return found
}

async function measureRound(
  pages: readonly MemoryPage[],
  servers: readonly PageServer[],
  round: number,
  work: Work,
): Promise<ColdSample[]> {
  const used = servers.map(() => 0)
  for (let first = 0; first < pages.length; first += PAGES_A_TURN) {
    for (const [index, server] of servers.entries()) {
      const { run, group } = server[work]
      const before = secondsOf(group)
      for (const page of pages.slice(first, first + PAGES_A_TURN)) await run(page)
      used[index]! += secondsOf(group) - before
    }
  }
  return servers.map(({ name }, index) => ({
    ...{ work, server: name, round, pages: pages.length, cpuSeconds: used[index]! },
    perCpuSecond: pages.length / used[index]!,
  }))
}

function secondsOf(group: number | undefined): number {
  if (group === undefined) return performance.now() / 1000
  if (group === OWN_PROCESS) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const { userMs, systemMs } = groupCpuTime(group)
  return (userMs + systemMs) / 1000
}

function summariseServer(
  samples: readonly ColdSample[],
  work: Work,
  name: string,
): { work: Work; server: string; perCpuSecond: Summary; ratio: Summary | undefined } {
  const ratesOf = (wanted: string): number[] =>
    samples
      .filter((one) => one.work === work && one.server === wanted)
      .map(({ perCpuSecond }) => perCpuSecond)
  const [own, theirs] = [ratesOf(name), ratesOf(THEIRS)]
  const ratio =
    name === THEIRS || theirs.length === 0 ? undefined : summarise(own.map((rate, n) => rate / theirs[n]!))
  return { work, server: name, perCpuSecond: summarise(own), ratio }
}
