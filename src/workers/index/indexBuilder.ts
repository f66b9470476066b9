/** Takes all queued pages into a search index. */
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import { countLinksInTexts } from '../../storage/search/linkCounts.js'
import { rankTitles } from '../../storage/indexing/prominentTitles.js'
import type { Store } from '../../storage/store.js'
import { type BuildOptions, IndexBuild } from './indexBuild.js'

export type { BuildOptions } from './indexBuild.js'

/** Titles are ranked again once at least this share of the pages was taken in. */
const RANKED_AFTER = 0.1

/**
 * Takes the queued pages into the index in force, and returns their number. Ends early if a rebuild puts another index
 * into force, which contains these pages.
 */
export async function buildIndex(store: Store, options: BuildOptions): Promise<number> {
  let done = 0
  const onProgress = (pages: number, total: number): void => {
    done = pages
    options.onProgress?.(pages, total)
  }
  try {
    return await fillIndex(store, store.search.target(), { ...options, onProgress })
  } catch (error) {
    if (error instanceof IndexReplacedError) return done
    throw error
  }
}

/** Takes the pages queued for an index into it, and returns their number. Throws an IndexReplacedError. */
export async function fillIndex(store: Store, target: IndexTarget, options: BuildOptions): Promise<number> {
  const build = new IndexBuild(store, target, options)
  try {
    return await finishBuild(store, target, build, options.signal)
  } finally {
    await build.close()
  }
}

/** Takes all pages in, and ranks titles by links again if they were many. */
export async function finishBuild(
  store: Store,
  target: IndexTarget,
  build: IndexBuild,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { search } = store
  // Earlier imports may have been killed before they ranked titles.
  const countUnranked = (pages: number): number =>
    target.rebuild === undefined ? search.countUnranked() : pages
  const queued = search.countQueued(target.set)
  const willRank = isMuch(countUnranked(0) + queued, search.countIndexed(target.set) + queued)
  const over = new AbortController()
  const ends = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
  const building = build.finish()
  // Threads encode pages meanwhile.
  const counting = willRank ? countLinksInTexts(store, ends) : undefined
  try {
    const [pages] = await Promise.all([building, counting])
    if (isMuch(countUnranked(pages), search.countIndexed(target.set)))
      await rankTitles(store, target, store.namespaces(), signal, counting)
    return pages
  } finally {
    over.abort()
    await counting
  }
}

const isMuch = (unranked: number, indexed: number): boolean =>
  unranked > 0 && unranked >= indexed * RANKED_AFTER
