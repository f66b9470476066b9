/** Scores the best pages again, by how closely the words of the query stand in their texts. */
import { BestPages, type Scored } from './bestPages.js'
import type { IndexedRowView } from '../rows/indexedRow.js'
import type { Query } from './query.js'
import { type Nearness, WordSequence } from './wordSequence.js'

/**
 * Number of best pages whose texts are read, by the number of words. Longer rows of words say more about a page. Of two
 * words in a row, 30 pages find 1 % less of known items (MRR), and 150 find no more.
 */
const FEW_PAGES = 50
const MANY_PAGES = 150
const MANY_FROM_WORDS = 3
/** Bytes to read of one text, and of all. So a query takes a fraction of a millisecond for it. */
const MAX_TEXT_BYTES = 128 * 1024
const MAX_BYTES = 1024 * 1024

/** Factor for pages with all words in a row, and what the number of rows adds at most. */
const ROW_FACTOR = 4
const ROWS_FACTOR = 3
/** Most that closeness adds without a row. */
const CLOSENESS_FACTOR = 1
/** More than any factor. */
const MOST_FACTOR = ROW_FACTOR + ROWS_FACTOR
/** Keeps equal scores apart from rounding: of two such pages, the lower id wins. */
const ALMOST_ONE = 1 - 1e-9
/** A text of this length needs one row for half of `ROWS_FACTOR`; as in BM25, longer texts need more. */
const REFERENCE_BYTES = 1200
const LENGTH_SHARE = 0.75

/** Number of pages to read for a query; 0 when its words cannot be apart. */
export function countReranked({ sequence }: Pick<Query, 'sequence'>): number {
  if (sequence.length === 0) return 0
  return sequence.length < MANY_FROM_WORDS ? FEW_PAGES : MANY_PAGES
}

/** The facts about the index that the second scoring needs. */
export interface RerankSource {
  /** Tells that pages will be read next. */
  expect(pages: () => readonly number[]): void
  viewOf(page: number): IndexedRowView | undefined
  /** Number of pages with a term; 0 for a word that is no term. */
  frequencyOf(term: string): number
}

/**
 * The best `wanted` pages in their new order; `ranked` has the best first. `open` tells that the last word may be
 * incomplete.
 *
 * Once so many pages are scored, the worst of them bounds the work for others: how near the words must be in a text to
 * matter, and whether rows could matter at all.
 */
export function rerank(
  ranked: readonly Scored[],
  { sequence }: Pick<Query, 'sequence'>,
  open: boolean,
  wanted: number,
  source: RerankSource,
): readonly Scored[] {
  const count = Math.min(countReranked({ sequence }), ranked.length)
  if (count < 2) return ranked
  const words = new WordSequence(sequence, open, (word) => source.frequencyOf(word))
  source.expect(() => ranked.slice(0, count).map(({ page }) => page))
  let left = MAX_BYTES
  const best = new BestPages(wanted)
  for (let n = 0; n < ranked.length; n++) {
    const { page, score } = ranked[n]!
    const isRead = n < count && left > 0
    if (score * (isRead ? MOST_FACTOR : 1) < best.worst) break
    const text = isRead ? source.viewOf(page)?.textWithAuxiliary : undefined
    if (text === undefined) {
      best.offer(page, score)
      continue
    }
    const bytes = Math.min(text.length, left, MAX_TEXT_BYTES)
    left -= bytes
    const known = (ALMOST_ONE * best.worst) / score - 1
    const nearness = words.in(
      bytes === text.length ? text : text.subarray(0, bytes),
      known / CLOSENESS_FACTOR,
    )
    best.offer(page, score * factorOf(nearness, bytes))
  }
  return best.ranked()
}

function factorOf({ count, closeness }: Nearness, bytes: number): number {
  if (count === 0) return 1 + CLOSENESS_FACTOR * closeness
  const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * bytes) / REFERENCE_BYTES
  return ROW_FACTOR + (ROWS_FACTOR * count) / (count + norm)
}
