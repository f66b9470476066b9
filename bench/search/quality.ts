/**
 * Quality of the full-text search, measured with known items. A seeded program draws words from a page, and the search
 * should list that page first. Compared with SQLite's FTS5 with bm25, and FlexSearch with default settings, over the
 * same texts.
 */
import { Store } from '../../src/storage/store.js'
import { readOptions } from '../support/options.js'
import { findDump } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { cachedStore } from '../support/storeCache.js'
import { formatNumber, printTable } from '../support/table.js'
import { type PeerAnswer, type PeerQuery, runFlexSearch, runFts5 } from './peers.js'
import { drawItems, ITEM_KINDS, ITEM_SETS, type KnownItem, pagesWithRows } from './knownItems.js'
import { benchTexts } from './texts.js'

const DUMPS = ['gdwiki-pages-articles.xml.gz', 'enwiki-pages-articles1-shortened.xml.bz2']
const DEPTH = 100
const COLUMNS = ['all', ...ITEM_KINDS] as const

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
  const items = ITEM_SETS.flatMap((set) => drawItems(texts, set))
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
  const summary = ITEM_SETS.flatMap((set) =>
    engines.map(([engine, answers]) => ({
      engine: `${engine}, ${set}`,
      ...Object.fromEntries(
        COLUMNS.map((column) => [column, score(items, answers, (item) => counts(item, set, column))]),
      ),
    })),
  )
  printTable(
    ['success@1 / success@10 / MRR', ...COLUMNS],
    summary.map((row) => [
      row.engine,
      ...COLUMNS.map((column) => (row as Record<string, string>)[column] ?? ''),
    ]),
  )
  printCeiling(items, pagesWithRows(texts, items))
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

/** Counted from 1; undefined if the page was not found. */
function rankOf({ page }: KnownItem, { ids }: PeerAnswer): number | undefined {
  const at = ids.indexOf(page)
  return at < 0 ? undefined : at + 1
}

/** Tells if an item belongs to a column. `all` leaves out sentences, so that figures compare with those of older versions. */
function counts(item: KnownItem, set: KnownItem['set'], column: (typeof COLUMNS)[number]): boolean {
  return item.set === set && (column === 'all' ? item.kind !== 'sentence' : item.kind === column)
}

/**
 * Prints what an engine would get that knows all pages with the words in a row and nothing else. Common words in a row
 * stand in many pages, so no engine can list the drawn page first each time.
 */
function printCeiling(items: readonly KnownItem[], pages: readonly number[]): void {
  for (const set of ITEM_SETS) {
    const parts = (['phrase', 'sentence'] as const).map((kind) => {
      const found = pages.filter((_, n) => counts(items[n]!, set, kind))
      const mrr = found.reduce((sum, count) => sum + expectedReciprocalRank(count), 0) / found.length
      const first = found.reduce((sum, count) => sum + 1 / count, 0) / found.length
      return `${kind} ${formatNumber(first, 3)} / ${formatNumber(mrr, 3)}`
    })
    console.log(`pages with the row in random order, success@1 / MRR, ${set}: ${parts.join(', ')}`)
  }
}

function expectedReciprocalRank(count: number): number {
  let sum = 0
  for (let rank = 1; rank <= count; rank++) sum += 1 / rank
  return sum / count
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
