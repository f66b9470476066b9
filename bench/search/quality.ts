/**
 * Quality of the full-text search, measured with known items. A seeded program draws words from a page, and the search
 * should list that page first. Compared with SQLite's FTS5 with bm25, and FlexSearch with default settings, over the
 * same texts.
 */
import { Store } from '../../src/storage/store.js'
import { readOptions } from '../support/options.js'
import { drawSome, randomNumbers } from '../support/random.js'
import { findDump } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber, printTable } from '../support/table.js'
import { type PeerAnswer, type PeerQuery, runFlexSearch, runFts5 } from './peers.js'
import { benchTexts, type BenchText, wordsOf } from './texts.js'

const DUMPS = ['gdwiki-pages-articles.xml.gz', 'enwiki-pages-articles1-shortened.xml.bz2']
const QUERIES_OF_A_KIND = 100
const DEPTH = 100
/** The first set served to tune the ranking, the second did not. */
const SETS = { tuned: 1_234_567, 'held out': 86_420_975 } as const
/** Shorter pages have too few words for queries. */
const MIN_WORDS = 30

interface KnownItem {
  readonly set: keyof typeof SETS
  readonly kind: 'title' | 'phrase' | 'rare words'
  readonly words: readonly string[]
  readonly page: number
}

readOptions()
const sandbox = new Sandbox()
try {
  for (const name of DUMPS) {
    const dump = findDump(name)
    if (dump !== undefined) await measure(name, await cachedStore(sandbox, dump))
  }
} finally {
  await sandbox.close()
}

async function measure(name: string, dataDir: string): Promise<void> {
  const store = Store.open(dataDir)
  const texts = benchTexts(store)
  const sets = Object.keys(SETS) as (keyof typeof SETS)[]
  const items = sets.flatMap((set) => drawItems(texts, set))
  const queries = items.map(({ words }): PeerQuery => ({
    query: words,
    limit: DEPTH,
    excerpts: false,
    times: 1,
  }))
  const engines: [name: string, answers: readonly PeerAnswer[]][] = [
    ['Palimpsest', items.map(({ words }) => ({ ids: search(store, words), micros: [] }))],
  ]
  await store.close()
  const fts5 = await runFts5(sandbox, texts, queries)
  if (fts5 !== undefined) engines.push([fts5.version, fts5.answers])
  engines.push(['FlexSearch as it comes', runFlexSearch(texts, queries).answers])
  console.log(`\n${name}: ${texts.length} pages, ${items.length} known items`)
  const kinds = ['all', 'title', 'phrase', 'rare words'] as const
  const summary = sets.flatMap((set) =>
    engines.map(([engine, answers]) => ({
      engine: `${engine}, ${set}`,
      ...Object.fromEntries(
        kinds.map((kind) => {
          const counts = (item: KnownItem): boolean =>
            item.set === set && (kind === 'all' || item.kind === kind)
          return [kind, score(items, answers, counts)]
        }),
      ),
    })),
  )
  printTable(
    ['success@1 / success@10 / MRR', ...kinds],
    summary.map((row) => [row.engine, ...kinds.map((kind) => (row as Record<string, string>)[kind] ?? '')]),
  )
  const samples = items.map((item, n) => ({
    ...item,
    ranks: Object.fromEntries(engines.map(([engine, answers]) => [engine, rankOf(item, answers[n]!)])),
  }))
  writeResult(`search-quality-${name.split('.')[0]}`, { setup: { name, depth: DEPTH }, samples, summary })
}

function search(store: Store, words: readonly string[]): number[] {
  const query = store.search.parse({ text: words.join(' '), limit: DEPTH, namespaces: [0] })
  return store.search.find(query, DEPTH).map(({ pageId }) => pageId)
}

function drawItems(texts: readonly BenchText[], set: keyof typeof SETS): KnownItem[] {
  const random = randomNumbers(SETS[set])
  const frequency = new Map<string, number>()
  for (const { text } of texts) {
    for (const word of new Set(wordsOf(text.toLowerCase())))
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
  }
  const long = texts.filter(({ text }) => wordsOf(text).length >= MIN_WORDS)
  const titles = drawSome(long, QUERIES_OF_A_KIND, random).map(({ page, title }): KnownItem => {
    return { set, kind: 'title', words: wordsOf(title), page }
  })
  const phrases = drawSome(long, QUERIES_OF_A_KIND, random).map(({ page, text }): KnownItem => {
    const words = wordsOf(text)
    const at = Math.floor(random() * (words.length - 2))
    return { set, kind: 'phrase', words: words.slice(at, at + 3), page }
  })
  const rare = drawSome(long, QUERIES_OF_A_KIND, random).map(({ page, text }): KnownItem => {
    const words = [...new Set(wordsOf(text.toLowerCase()))].filter((word) => frequency.get(word)! > 1)
    words.sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1))
    return { set, kind: 'rare words', words: words.slice(0, 2), page }
  })
  return [...titles, ...phrases, ...rare].filter(({ words }) => words.length > 0)
}

/** Counted from 1; undefined if the page was not found. */
function rankOf({ page }: KnownItem, { ids }: PeerAnswer): number | undefined {
  const at = ids.indexOf(page)
  return at < 0 ? undefined : at + 1
}

function score(
  items: readonly KnownItem[],
  answers: readonly PeerAnswer[],
  counts: (item: KnownItem) => boolean,
): string {
  const ranks = items.flatMap((item, n) => (counts(item) ? [rankOf(item, answers[n]!)] : []))
  const share = (holds: (rank: number) => boolean): number =>
    ranks.filter((rank) => rank !== undefined && holds(rank)).length / ranks.length
  const mrr = ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : 1 / rank), 0) / ranks.length
  return [share((rank) => rank === 1), share((rank) => rank <= 10), mrr]
    .map((value) => formatNumber(value, 3))
    .join(' / ')
}
