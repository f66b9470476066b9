/** A server on a made wiki: its start, reads of each kind at a steady pace, and edits. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { loadEdits } from '../support/editLoad.js'
import { NOTHING_PINNED } from '../support/pinning.js'
import { randomNumbers } from '../support/random.js'
import { type ProbeSample, probeReads } from '../support/readProbe.js'
import type { Sandbox } from '../support/sandbox.js'
import { startServer } from '../support/serveArguments.js'
import { forgetPages } from './largeStore.js'
import { MadeWiki } from './madeWiki.js'

const SEED = 271_828
const EDITED_PAGES = 200
const EDITS_PER_SECOND = 20
const COMPLETED_LETTERS = 3
const WARM_UP_SECONDS = 2
const BLOCK_BYTES = 2 ** 22

type Random = () => number
type Figures = Record<string, number>

/** Reads a second, and a path, which is seldom the same. */
type Kind = readonly [readsPerSecond: number, path: (wiki: MadeWiki, random: Random) => string]

const KINDS: Readonly<Record<string, Kind>> = {
  'page source': [200, (wiki, random) => pagePath(wiki, anyPage(wiki, random))],
  history: [100, (wiki, random) => `${pagePath(wiki, anyPage(wiki, random))}/history`],
  completion: [100, (wiki, random) => titleSearch(wiki.titleOf(anyPage(wiki, random)))],
  'search, one word': [20, (wiki, random) => search(wiki.word(random))],
  'search, two words': [20, (wiki, random) => search(`${wiki.word(random)} ${wiki.word(random)}`)],
  'list of all pages': [
    50,
    (wiki, random) => list('allpages', 'ap', { from: wiki.titleOf(anyPage(wiki, random)) }),
  ],
  'members of large categories': [
    50,
    (wiki, random) =>
      list('categorymembers', 'cm', { title: wiki.titleOf(wiki.nth('category', few(random))) }),
  ],
  'links to popular pages': [
    50,
    (wiki, random) => list('backlinks', 'bl', { title: wiki.titleOf(wiki.nth('article', few(random))) }),
  ],
  contributions: [50, (_, random) => list('usercontribs', 'uc', { user: `Editor ${1 + few(random)}` })],
}

/** Latencies in ms; starts in ms until a page was read. Throws if a read or an edit fails. */
export async function serveMade(
  sandbox: Sandbox,
  pages: number,
  dataDir: string,
  seconds: number,
): Promise<Figures> {
  const wiki = new MadeWiki(pages)
  const random = randomNumbers(SEED)
  const file = join(dataDir, 'store/data.mdb')
  forgetPages(file)
  const cold = await startTimed(sandbox, dataDir, pagePath(wiki, 1))
  await sandbox.stop(cold.group)
  await readThrough(file)
  const warm = await startTimed(sandbox, dataDir, pagePath(wiki, 1))
  const figures: Figures = { 'start from the disk, ms': cold.ms, 'start, ms': warm.ms }
  for (const [kind, [readsPerSecond, path]] of Object.entries(KINDS)) {
    const read = (length: number): Promise<ProbeSample> => {
      const paths = Array.from({ length: readsPerSecond * length }, () => path(wiki, random))
      return probeReads({ origin: warm.origin, paths, readsPerSecond, seconds: length })
    }
    await read(WARM_UP_SECONDS)
    const sample = await read(seconds)
    if (sample.errors > 0) throw new Error(`${sample.errors} reads failed: ${kind}`)
    note(figures, kind, sample)
  }
  const paths = Array.from({ length: EDITED_PAGES }, (_, n) => pagePath(wiki, wiki.nth('article', n)))
  note(
    figures,
    'edit',
    await loadEdits({ origin: warm.origin, paths, editsPerSecond: EDITS_PER_SECOND, seconds }),
  )
  await sandbox.stop(warm.group)
  return figures
}

function note(
  figures: Figures,
  kind: string,
  { p50Ms, p99Ms }: { readonly p50Ms: number; readonly p99Ms: number },
): void {
  figures[`${kind}, p50 ms`] = p50Ms
  figures[`${kind}, p99 ms`] = p99Ms
}

/** Afterwards the file is in memory, as far as it fits. */
async function readThrough(file: string): Promise<void> {
  for await (const _block of createReadStream(file, { highWaterMark: BLOCK_BYTES }));
}

async function startTimed(
  sandbox: Sandbox,
  dataDir: string,
  path: string,
): Promise<{ readonly group: number; readonly origin: string; readonly ms: number }> {
  const start = performance.now()
  const server = await startServer(sandbox, { ...NOTHING_PINNED, core: undefined }, dataDir, [
    '--anonymous-edits',
  ])
  const { status } = await fetch(server.origin + path)
  if (status !== 200) throw new Error(`the first page was answered with ${status}`)
  return { ...server, ms: performance.now() - start }
}

const anyPage = (wiki: MadeWiki, random: Random): number => 1 + Math.floor(random() * wiki.pages)
/** One of the first few of a kind. */
const few = (random: Random): number => Math.floor(random() * 10)
const pagePath = (wiki: MadeWiki, id: number): string =>
  `/v1/page/${encodeURIComponent(wiki.titleOf(id).replaceAll(' ', '_'))}`
const titleSearch = (title: string): string =>
  `/v1/search/title?q=${encodeURIComponent(title.slice(0, COMPLETED_LETTERS))}`
const search = (words: string): string => `/v1/search/page?q=${encodeURIComponent(words)}`

function list(name: string, prefix: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ action: 'query', format: 'json', list: name })
  for (const [key, value] of Object.entries(parameters)) query.set(prefix + key, value)
  return `/api.php?${query.toString()}`
}
