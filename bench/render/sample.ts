/**
 * Converts real pages to HTML and back. Reports pages that do not render, errors, and pages whose wikitext comes back
 * changed. See bench/README.md.
 */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Namespaces } from '../../src/domain/namespaces.js'
import { prefixedKey } from '../../src/domain/title.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import type { IncomingPage } from '../../src/domain/page.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { groupCpuTime } from '../support/cpuTime.js'
import { readOptions } from '../support/options.js'
import { findDump, findFixture, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { percentile } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber, printTable } from '../support/table.js'
import {
  isWhole,
  type RoundTrip,
  roundTrip,
  type RoundTripPage,
  type WayBack,
} from '../../test/support/pageRoundTrip.js'

const DUMP = 'demo-wikipedia-sample.xml.bz2'
/** Pages of this dump are taken at equal distances. */
const LARGE_DUMP = 'mixed-pages-articles.xml.bz2'
const LARGE_DUMP_PAGES = 300
const SNIPPETS = 'html/snippets.jsonl.gz'
const SNIPPET_PAGES = 'html/store-pages.json'
const SLOWEST = 10
/** The two forms of HTML that a client can send back. */
const WAYS = [
  { way: 'page', label: 'page HTML' },
  { way: 'editable', label: 'HTML for editors' },
] as const
/** Limits are far above normal: pages are judged by processor time, so a busy machine fails none. */
const SERVER_FLAGS =
  '--max-body-bytes 100000000 --render-timeout-ms 200000 --convert-timeout-ms 200000'.split(' ')

/** With `--seconds`, pages are sent for that time; otherwise all of them, or `--pages` of each corpus. */
const { seconds, corpus: wantedCorpus = '', pages: wantedPages } = readOptions()
const sandbox = new Sandbox()
try {
  const summary: object[] = []
  const samples: object[] = []
  for (const [corpus, dataDir] of await wikis()) {
    const trips = await sendAround(corpus, dataDir)
    summary.push(report(corpus, trips))
    samples.push(...trips.map((trip) => ({ corpus, ...trip })))
  }
  if (samples.length > 0)
    writeResult('render-sample', {
      setup: { DUMP, LARGE_DUMP, LARGE_DUMP_PAGES, SNIPPETS, seconds },
      samples,
      summary,
    })
} finally {
  await sandbox.close()
}

/** Folders with stores that may be written to, by the name of their content. */
async function wikis(): Promise<[string, string][]> {
  const found: [string, string][] = []
  for (const name of [DUMP, LARGE_DUMP].filter(isWanted)) {
    const dump = findDump(name)
    if (dump === undefined) continue
    const dataDir = join(sandbox.folder('sample'), 'store')
    cpSync(await cachedStore(sandbox, dump), dataDir, { recursive: true })
    found.push([name, dataDir])
  }
  const snippets = isWanted(SNIPPETS) ? findFixture(SNIPPETS) : undefined
  if (snippets !== undefined) found.push([SNIPPETS, await snippetStore(snippets)])
  return found
}

function isWanted(corpus: string): boolean {
  return corpus.includes(wantedCorpus)
}

/** A store with each snippet as a page, and the templates that they use. */
async function snippetStore(path: string): Promise<string> {
  const rows = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const texts = new Map(
    rows
      .map((row) => JSON.parse(row) as { id: string; wikitext: string })
      .map((row) => [row.id, row.wikitext]),
  )
  const others = findFixture(SNIPPET_PAGES)
  if (others !== undefined) {
    const pages = JSON.parse(readFileSync(others, 'utf8')) as Record<string, string>
    for (const [title, text] of Object.entries(pages))
      if (title.startsWith('Template:')) texts.set(title, text)
  }
  const dataDir = join(sandbox.folder('snippets'), 'store')
  const store = Store.open(dataDir, { create: true })
  const applier = new Applier(store)
  const site = { wikiId: 'snippets', base: 'http://wiki.example/wiki/Main_Page' }
  applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: 1_700_000_000, site })
  const writer = new DumpWriter(store, applier, 'snippets')
  writer.writePages([...texts].map(([title, text], n) => pageOf(n + 1, title, text)))
  writer.end(null)
  await store.close()
  return dataDir
}

function pageOf(id: number, title: string, text: string): IncomingPage {
  const isTemplate = title.startsWith('Template:')
  const dbkey = isTemplate ? title.replace(/^Template:/, '').replaceAll(' ', '_') : `Snippet_${title}`
  const revision = {
    id,
    parentId: undefined,
    timestamp: 1_700_000_000,
    editor: { id: 1, name: 'Ann' },
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    text,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
  return { id, namespace: isTemplate ? 10 : 0, dbkey, redirectTarget: undefined, revisions: [revision] }
}

async function sendAround(corpus: string, dataDir: string): Promise<RoundTrip[]> {
  const most = wantedPages ?? (corpus === LARGE_DUMP ? LARGE_DUMP_PAGES : Infinity)
  const { wikiId, pages } = await readPages(dataDir, most)
  const { pid, greeting } = await sandbox.serve(
    PALIMPSEST,
    ['serve', '--data-dir', dataDir, '--port', '0', ...SERVER_FLAGS],
    /at (http:\/\/[^/\s]+)\//,
  )
  const origin = greeting[1]!
  const cpuMs = (): number => {
    const { userMs, systemMs } = groupCpuTime(pid)
    return userMs + systemMs
  }
  const endMs = performance.now() + (seconds ?? Infinity) * 1000
  const trips: RoundTrip[] = []
  for (const page of pages) {
    if (performance.now() > endMs) break
    const trip = await roundTrip(origin, wikiId, page, cpuMs)
    trips.push(trip)
    if (!isWhole(trip)) console.log(`${page.key}: not as it was, see below`)
    if (trips.length % 100 === 0) console.log(`${corpus}: ${trips.length} of ${pages.length} pages`)
  }
  return trips
}

/** At most `most` latest revisions, short ones first. Pages are taken at equal distances in the order of their ids. */
async function readPages(dataDir: string, most: number): Promise<{ wikiId: string; pages: RoundTripPage[] }> {
  const store = Store.open(dataDir)
  try {
    const site = store.site()
    const namespaces = new Namespaces(site)
    const pages: RoundTripPage[] = []
    const ids = [...store.tables.page.getKeys({ start: undefined })]
    const count = Math.min(most, ids.length)
    for (let n = 0; n < count; n++) {
      const pageId = ids[Math.floor((n * ids.length) / count)]!
      const page = store.getPageById(pageId)
      const revision = page && store.getRevision(page.latestId)
      const wikitext = page && store.getText(page.latestId)
      if (page === undefined || revision === undefined || wikitext === undefined) continue
      const key = prefixedKey(page, namespaces)
      pages.push({ key, revisionId: revision.id, contentModel: revision.contentModel, wikitext })
    }
    pages.sort((a, b) => a.wikitext.length - b.wikitext.length)
    return { wikiId: site.wikiId, pages }
  } finally {
    await store.close()
  }
}

function report(corpus: string, trips: readonly RoundTrip[]): object {
  const rendered = trips.filter(({ status }) => status === 200)
  const share = (good: number, of: number): string => `${good} of ${of}`
  const cpu = rendered.map((trip) => trip.cpuMs)
  const cpuSeconds = cpu.reduce((sum, ms) => sum + ms, 0) / 1000
  const figures = {
    corpus,
    pages: trips.length,
    rendered: rendered.length,
    page: countBack(rendered.map(({ page }) => page)),
    editable: countBack(rendered.map(({ editable }) => editable)),
    cpuSeconds,
    medianCpuMs: percentile(cpu, 0.5),
    p95CpuMs: percentile(cpu, 0.95),
  }
  console.log(`\n${corpus}`)
  printTable(
    ['pages', 'figure'],
    [
      ['rendered', share(rendered.length, trips.length)],
      ...WAYS.flatMap(({ way, label }) => {
        const { unchanged, added, addable } = figures[way]
        return [
          [`${label}: unchanged, byte for byte`, share(unchanged, rendered.length)],
          [`${label}: paragraphs added, all else untouched`, share(added, addable)],
        ]
      }),
      [
        'processor time of one: median, p95',
        `${formatNumber(figures.medianCpuMs, 0)}, ${formatNumber(figures.p95CpuMs, 0)} ms`,
      ],
      ['pages for each CPU second', formatNumber(rendered.length / cpuSeconds, 1)],
    ],
  )
  name(
    'not rendered',
    trips.filter(({ status }) => status !== 200).map(({ key, troubles }) => `${key}: ${troubles.join()}`),
  )
  for (const { way, label } of WAYS) {
    const keysOf = (isBad: (back: WayBack) => boolean): string[] =>
      rendered.filter((trip) => trip[way] !== undefined && isBad(trip[way])).map(({ key }) => key)
    name(
      `${label}, changed on the way`,
      keysOf(({ unchanged }) => !unchanged),
    )
    name(
      `${label}, changed by added paragraphs`,
      keysOf(({ added }) => added === false),
    )
  }
  const slowest = rendered.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, SLOWEST)
  name(
    'slowest',
    slowest.map(
      ({ key, cpuMs, characters, htmlCharacters }) =>
        `${key}: ${cpuMs} ms, ${characters} characters, ${htmlCharacters} of HTML`,
    ),
  )
  reportErrors(rendered)
  return figures
}

function countBack(ways: readonly (WayBack | undefined)[]): {
  readonly unchanged: number
  readonly added: number
  readonly addable: number
} {
  const count = (isGood: (back: WayBack) => boolean): number =>
    ways.filter((back) => back !== undefined && isGood(back)).length
  return {
    unchanged: count(({ unchanged }) => unchanged),
    added: count(({ added }) => added === true),
    addable: count(({ added }) => added !== undefined),
  }
}

/** Errors shown on pages, by their text, with the pages that have them. */
function reportErrors(trips: readonly RoundTrip[]): void {
  const pagesOf = new Map<string, Set<string>>()
  for (const { key, troubles } of trips) {
    for (const trouble of troubles) {
      const kind = trouble.replace(/"[^"]*"|“[^”]*”/g, '"…"').slice(0, 60)
      const pages = pagesOf.get(kind) ?? new Set()
      pagesOf.set(kind, pages.add(key))
    }
  }
  const kinds = [...pagesOf].toSorted(([, a], [, b]) => b.size - a.size)
  name(
    'errors shown',
    kinds.map(([kind, pages]) => `${pages.size} pages: ${kind} (${[...pages].slice(0, 3).join(', ')})`),
  )
}

function name(what: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${what}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
