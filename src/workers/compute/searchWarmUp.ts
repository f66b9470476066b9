/**
 * Warms up the searches of a thread. V8 compiles a function when it is first called, and better when it is called
 * often. So the first search takes some 25 ms of processor time for this, and the next hundred searches several
 * milliseconds each.
 */
import { setImmediate } from 'node:timers/promises'
import { encodeText } from '../../index/text/encoder.js'
import { IndexedRowView } from '../../index/rows/indexedRow.js'
import type { SearchIndex } from '../../storage/search/searchIndex.js'
import type { WikiPool } from './pool.js'

/** The words come from the first rows of the index. */
const ROWS = 6
const TEXT_BYTES = 200
const WORDS_PER_ROW = 4
const NAMESPACES = [0]
const LIMIT = 10
/** Searches that read more from the disk at the start are left to users. */
const MAX_POSTINGS = 50_000

export class SearchWarmUp {
  #queries: string[] | undefined

  /** Runs searches for about so long, and at least one. Tells if some are left. */
  run(search: SearchIndex, ms: number): boolean {
    const endMs = performance.now() + ms
    const queries = (this.#queries ??= search.condition() === 'ready' ? sampleQueries(search) : [])
    while (queries.length > 0) {
      const query = search.parse({ text: queries.pop()!, limit: LIMIT, namespaces: NAMESPACES })
      search.answer(query, LIMIT, MAX_POSTINGS)
      if (performance.now() >= endMs) break
    }
    return queries.length > 0
  }
}

/** Titles, words, and pairs of words of some pages. */
function sampleQueries(search: SearchIndex): string[] {
  const queries: string[] = []
  for (const { value } of search.inForce().indexed.getRange({ start: undefined, limit: ROWS })) {
    const { row, textStart, textEnd, title } = new IndexedRowView(value)
    const text = row.toString('utf8', textStart, Math.min(textEnd, textStart + TEXT_BYTES))
    const words = encodeText(text).slice(0, WORDS_PER_ROW)
    queries.push(title, ...words.slice(0, 2), ...words.slice(1).map((word, n) => `${words[n]!} ${word}`))
  }
  return queries.reverse()
}

/** A task ends after so long. It runs at least one search, of which the first ones take up to 30 ms. */
const TASK_MS = 5
/** Searches of the event loop, each in a turn of its own. */
const TURNS = 12

/**
 * Warms up the searches of all threads of a pool that has nothing else to do yet: each then takes one of as many tasks.
 * Afterwards some of their searches warm up the event loop, whose rows are in memory then. `isClosing` tells if the
 * store may be closed. Throws if a task fails.
 */
export async function warmSearches(
  pool: WikiPool,
  search: SearchIndex,
  isClosing: () => boolean,
): Promise<void> {
  const runTask = (): Promise<boolean> => pool.run('warmSearches', { ms: TASK_MS })
  let isLeft = true
  while (isLeft && !isClosing()) {
    isLeft = (await Promise.all(Array.from({ length: pool.threads }, runTask))).includes(true)
  }
  const warmUp = new SearchWarmUp()
  for (let turn = 0; turn < TURNS && !isClosing() && warmUp.run(search, 0); turn++) await setImmediate()
}
