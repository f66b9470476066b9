/**
 * Modules: what a call costs, what a page with many calls of a large module takes, and how many real pages are rendered for
 * each second of processor time, beside a MediaWiki whose `rest.php` is given with `--mediawiki URL`. See bench/README.md.
 */
import { groupCpuTime } from '../support/cpuTime.js'
import { wikiOfDump } from '../support/dumpWiki.js'
import { listenerGroup } from '../support/listener.js'
import { readOptions } from '../support/options.js'
import { findDump, findFixture, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, type Summary } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { pagesWithModules } from './lua/modulePages.js'
import { measureLargeModule, measureWarmCalls, type ModuleCase, recordedCases } from './lua/warmCalls.js'

const CASES = 'lua/realistic.jsonl.gz'
const DUMP = 'demo-wikipedia-sample.xml.bz2'
const LARGE_CALLS = 500
const AIM_CALL_MS = 0.15
const AIM_LARGE_MS = 400
const OURS = 'palimpsest'
const THEIRS = 'MediaWiki'
/** Both render so many pages in turn. */
const PAGES_A_TURN = 20

interface PageServer {
  readonly name: string
  /** URL of a page's HTML. */
  readonly html: (key: string) => string
  /** Its processes; undefined where nobody sees them: then time counts. */
  readonly group: number | undefined
}

interface ColdSample {
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
    ['a warm call', 'ms'],
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
    [`a page with ${LARGE_CALLS} calls of a module of 97 kB`, 'ms'],
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
  const { source, pages } = await wikiOfDump(dump)
  const servers = [await startPalimpsest(dump)]
  if (mediawiki !== undefined) servers.push(mediawikiAt(new URL(mediawiki)))
  const keys = await answered(pagesWithModules(pages, source), servers)
  console.log(`${keys.length} pages with modules that all servers render`)
  const samples: ColdSample[] = []
  for (let round = 1; round <= rounds; round++) samples.push(...(await measureRound(keys, servers, round)))
  const summary = servers.map(({ name }) => ({ server: name, perCpuSecond: rateOf(samples, name) }))
  printTable(
    ['cold pages for each CPU second', ''],
    summary.map(({ server, perCpuSecond }) => [server, formatSummary(perCpuSecond, 2)]),
  )
  const ratio = ratioOf(samples)
  if (ratio !== undefined)
    console.log(`Rate to that of MediaWiki: ${formatSummary(ratio, 2)}. Aim: at least 1.\n`)
  return { samples, summary: { pages: keys.length, servers: summary, ratio } }
}

/** Keeps no HTML, so each request renders. */
async function startPalimpsest(dump: string): Promise<PageServer> {
  const dataDir = await cachedStore(sandbox, dump)
  const limits = ['--html-cache-bytes', '0', '--render-timeout-ms', '200000']
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error', ...limits],
    /at (http:\/\/[^/\s]+)\//,
  )
  return { name: OURS, group: pid, html: (key) => `${greeting[1]}/v1/page/${encodeURIComponent(key)}/html` }
}

/** Must keep no parser output: `$wgParserCacheType = CACHE_NONE`. */
function mediawikiAt(base: URL): PageServer {
  const group = listenerGroup(Number(base.port) || 80)
  if (group === undefined)
    console.log(
      `the processes behind ${base.href} cannot be seen: its time counts instead of its processor time`,
    )
  const root = base.href.replace(/\/$/, '')
  return { name: THEIRS, group, html: (key) => `${root}/v1/page/${encodeURIComponent(key)}/html` }
}

/** Those that every server answers. Also warms them up. */
async function answered(keys: readonly string[], servers: readonly PageServer[]): Promise<string[]> {
  const found: string[] = []
  for (const key of keys) {
    const statuses: number[] = []
    for (const { html } of servers) {
      const answer = await fetch(html(key))
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    if (statuses.every((status) => status === 200)) found.push(key)
    else console.log(`${key}: ${statuses.join(', ')}`)
  }
  return found
}

async function measureRound(
  keys: readonly string[],
  servers: readonly PageServer[],
  round: number,
): Promise<ColdSample[]> {
  const used = servers.map(() => 0)
  for (let first = 0; first < keys.length; first += PAGES_A_TURN) {
    for (const [index, { html, group }] of servers.entries()) {
      const before = secondsOf(group)
      for (const key of keys.slice(first, first + PAGES_A_TURN)) await (await fetch(html(key))).arrayBuffer()
      used[index]! += secondsOf(group) - before
    }
  }
  return servers.map(({ name }, index) => ({
    server: name,
    round,
    pages: keys.length,
    cpuSeconds: used[index]!,
    perCpuSecond: keys.length / used[index]!,
  }))
}

function secondsOf(group: number | undefined): number {
  if (group === undefined) return performance.now() / 1000
  const { userMs, systemMs } = groupCpuTime(group)
  return (userMs + systemMs) / 1000
}

function rateOf(samples: readonly ColdSample[], name: string): Summary {
  return summarise(samples.filter(({ server }) => server === name).map(({ perCpuSecond }) => perCpuSecond))
}

function ratioOf(samples: readonly ColdSample[]): Summary | undefined {
  const theirs = samples.filter(({ server }) => server === THEIRS)
  if (theirs.length === 0) return undefined
  const ours = samples.filter(({ server }) => server === OURS)
  return summarise(ours.map(({ perCpuSecond }, round) => perCpuSecond / theirs[round]!.perCpuSecond))
}
