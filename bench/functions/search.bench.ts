/**
 * The search engine without HTTP: full text by frequency of the words, titles, one edit, and opening. Compared with
 * FTS5 over the same texts. `--pages N` sets another size than 10,000.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { encodeText } from '../../src/index/text/encoder.js'
import { IndexWriter } from '../../src/index/write/indexWriter.js'
import { TermLists } from '../../src/index/search/termLists.js'
import { indexedPage, readIndexable } from '../../src/storage/search/indexedPage.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { Store } from '../../src/storage/store.js'
import { type PeerQuery, runFts5 } from '../search/peers.js'
import { scaledStore } from '../search/scaledStore.js'
import { benchTexts, type BenchText, wordsOf } from '../search/texts.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { findDump } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { formatNumber, printTable } from '../support/table.js'

const DUMP = 'gdwiki-pages-articles.xml.gz'
const QUERIES_OF_A_BAND = 60
const TIMES = 5
const LIMIT = 10
const SEED = 99
/** Most texts for FTS5, since loading it is not measured. */
const MAX_PEER_PAGES = 120_000

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    history: { type: 'boolean' },
  },
})

interface BandQuery {
  readonly band: string
  readonly words: readonly string[]
}

const dump = findDump(DUMP)
if (dump !== undefined) {
  const sandbox = new Sandbox()
  try {
    await measure(sandbox, await scaledStore(sandbox, dump, Number(values.pages)))
  } finally {
    await sandbox.close()
  }
}

async function measure(sandbox: Sandbox, dataDir: string): Promise<void> {
  const opening = performance.now()
  const store = Store.open(dataDir)
  const openMs = performance.now() - opening
  store.search.find(store.search.parse({ text: 'alba', limit: LIMIT, namespaces: [0] }), LIMIT)
  const firstMs = performance.now() - opening - openMs
  const texts = benchTexts(store)
  const queries = drawQueries(store, texts)
  const find = queries.map(({ words }) => timed(() => search(store, words)))
  const answer = queries.map(({ words }) => timed(() => answerTo(store, words)))
  const peers = texts.length <= MAX_PEER_PAGES ? await peerTimes(sandbox, texts, queries) : undefined
  const bands = [...new Set(queries.map(({ band }) => band))]
  const of = (times: readonly number[] | undefined, band: string): string =>
    times === undefined ? '-' : percentiles(times.filter((_, n) => queries[n]!.band === band))
  console.log(`\n${texts.length} pages of text; p50 / p99 in µs, ${LIMIT} best`)
  printTable(
    ['words', 'ids', 'FTS5 bm25', 'answer with excerpts', 'FTS5 with snippets'],
    bands.map((band) => [
      band,
      of(find, band),
      of(peers?.plain, band),
      of(answer, band),
      of(peers?.excerpts, band),
    ]),
  )
  const completion = measureCompletion(store, texts)
  const edits = measureEdits(store, texts)
  const sizes = measureSizes(store, dataDir)
  console.log(
    `\nopen ${formatNumber(openMs, 1)} ms, first search ${formatNumber(firstMs, 1)} ms; 10 titles ${percentiles(completion)} µs`,
  )
  console.log(
    `index work of an edit, processor time: three words ${percentiles(edits.small)} µs, of thirty ${percentiles(edits.large)} µs`,
  )
  console.log(sizes)
  const summary = {
    openMs,
    bands: bands.map((band) => ({ band, find: of(find, band), answer: of(answer, band) })),
  }
  const samples = queries.map((query, n) => ({ ...query, find: find[n], answer: answer[n] }))
  writeResult(`search-${texts.length}`, { setup: { pages: texts.length }, samples, summary })
  await store.close()
}

function search(store: Store, words: readonly string[]): number {
  const query = store.search.parse({ text: `${words.join(' ')} `, limit: LIMIT, namespaces: [0] })
  return store.search.find(query, LIMIT).length
}

function answerTo(store: Store, words: readonly string[]): number {
  const query = store.search.parse({ text: `${words.join(' ')} `, limit: LIMIT, namespaces: [0] })
  return store.search.answer(query, LIMIT).length
}

/**
 * Words by the number of pages that contain them: rare up to 10, middle 11 to 200, common the 57 most frequent of all.
 */
function drawQueries(store: Store, texts: readonly BenchText[]): BandQuery[] {
  const random = randomNumbers(SEED)
  const lists = new TermLists(store.search.inForce().bodyPostings, 0)
  const scale = Math.max(1, texts.length / 10_000)
  const terms = new Set<string>()
  for (const { text } of drawSome(texts, 3000, random)) for (const term of encodeText(text)) terms.add(term)
  const known = [...terms].sort().map((term) => ({ term, frequency: lists.find(term)?.frequency ?? 0 }))
  const between = (low: number, high: number): string[] =>
    known
      .filter(({ frequency }) => frequency >= low * scale && frequency <= high * scale)
      .map(({ term }) => term)
  const rare = between(1, 10)
  const middle = between(11, 200)
  const common = known
    .sort((a, b) => b.frequency - a.frequency)
    .slice(0, 57)
    .map(({ term }) => term)
  const one = (band: string, from: string[]): BandQuery[] =>
    drawSome(from, QUERIES_OF_A_BAND, random).map((term) => ({ band, words: [term] }))
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
  const two = (band: string, a: string[], b: string[]): BandQuery[] =>
    Array.from({ length: QUERIES_OF_A_BAND }, () => ({ band, words: [pick(a), pick(b)] }))
  return [
    ...one('1: rare', rare),
    ...one('1: middle', middle),
    ...one('1: common', common),
    ...two('2: rare + common', rare, common),
    ...two('2: middle + common', middle, common),
    ...two('2: middle + middle', middle, middle),
    ...two('2: common + common', common, common),
  ]
}

async function peerTimes(
  sandbox: Sandbox,
  texts: readonly BenchText[],
  queries: readonly BandQuery[],
): Promise<{ plain: number[]; excerpts: number[] } | undefined> {
  const asked = [false, true].flatMap((excerpts) =>
    queries.map(({ words }): PeerQuery => ({ query: words, limit: LIMIT, excerpts, times: TIMES })),
  )
  const run = await runFts5(sandbox, texts, asked)
  const micros = run?.answers.map((answer) => median(answer.micros))
  return micros && { plain: micros.slice(0, queries.length), excerpts: micros.slice(queries.length) }
}

function measureCompletion(store: Store, texts: readonly BenchText[]): number[] {
  const random = randomNumbers(SEED)
  return drawSome(texts, 500, random).map(({ title }) => {
    const text = title.slice(0, 1 + Math.floor(random() * 6))
    return timed(() => store.search.complete({ text, limit: LIMIT, namespaces: [0] }).length)
  })
}

/**
 * Processor time, in µs, that the index adds to an edit within its transaction. Counts the whole process, so it may be
 * too high.
 */
function measureEdits(store: Store, texts: readonly BenchText[]): { small: number[]; large: number[] } {
  const random = randomNumbers(SEED)
  const { tables } = store
  const namespaces = new Namespaces(store.site())
  const edit = (words: number): number[] =>
    drawSome(
      texts.filter(({ text }) => wordsOf(text).length > 100),
      100,
      random,
    ).map(({ page }) => {
      const stored = readIndexable(tables, page)!
      const text = `${stored.text} ${drawSome(wordsOf(stored.text ?? ''), words, random).join('x ')}x`
      return store.transact(() => {
        const before = process.cpuUsage()
        new IndexWriter(store.search.inForce()).put(indexedPage({ ...stored, text }, namespaces))
        const { user, system } = process.cpuUsage(before)
        return user + system
      })
    })
  return { small: edit(3), large: edit(30) }
}

function measureSizes(store: Store, dataDir: string): string {
  const pages = store.search.countIndexed()
  const bytes = (name: 'bodyPostings' | 'titlePostings' | 'completion' | 'indexed'): number => {
    let sum = 0
    const table = store.search.inForce()[name] as { getRange(options: object): Iterable<{ value: Buffer }> }
    for (const { value } of table.getRange({ start: undefined })) sum += value.length
    return sum
  }
  const parts = (['bodyPostings', 'titlePostings', 'completion', 'indexed'] as const).map(
    (name) => `${name} ${formatNumber(bytes(name) / pages, 0)}`,
  )
  const file = statSync(join(dataDir, 'store/data.mdb')).size
  return `bytes a page: ${parts.join(', ')}; whole store ${formatNumber(file / pages, 0)}`
}

/** Median of some runs, in µs. */
function timed(run: () => unknown): number {
  const micros: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const start = performance.now()
    run()
    micros.push((performance.now() - start) * 1000)
  }
  return median(micros)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return `${formatNumber(at(0.5), 0)} / ${formatNumber(at(0.99), 0)}`
}
