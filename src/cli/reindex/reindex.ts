/** Rebuilds the search index of a store, or adds missing pages to it. Fills lists that older versions lack. */
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import { beginRebuild, emptySpare, endRebuild } from '../../storage/indexing/rebuild.js'
import { fillStep } from '../../storage/changes/changeLists.js'
import { fillLanguages } from '../../storage/sqlTables/languagePages.js'
import type { Store } from '../../storage/store.js'
import { type BuildOptions, buildIndex, fillIndex } from '../../workers/index/indexBuild.js'
import { UserError } from '../../runtime/userError.js'

/** There is no index to complete, or a newer reindex has replaced this one. */
export class ReindexError extends UserError {
  override readonly name = 'ReindexError'
}

export interface ReindexOptions {
  readonly dataDir: string
  readonly threads: number
  /** Only add pages that the index lacks. */
  readonly missing: boolean
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Rebuilds the index, or adds missing pages. Returns the number of pages added. Searches use the old index until the
 * new one holds all pages, with those edited meanwhile. Throws a ReindexError when `missing` finds no index to
 * complete, and when another reindex begins before this one ends.
 */
export async function reindex(store: Store, { missing, ...options }: ReindexOptions): Promise<number> {
  while (fillStep(store) || fillLanguages(store));
  if (!missing) return rebuild(store, options)
  if (store.search.condition() !== 'ready') {
    throw new ReindexError('there is no index to complete: run "palimpsest reindex" without --missing')
  }
  const pages = await buildIndex(store, options)
  await emptySpare(store)
  return pages
}

/** Puts a new index with all pages into force. After an abort signal, the old one stays. */
export async function rebuild(store: Store, options: BuildOptions): Promise<number> {
  try {
    const target = await beginRebuild(store)
    const pages = await fill(store, target, options)
    await emptySpare(store)
    return pages
  } catch (error) {
    if (!(error instanceof IndexReplacedError)) throw error
    throw new ReindexError('another reindex began after this one: that one goes on, this one stops', {
      cause: error,
    })
  }
}

async function fill(store: Store, target: IndexTarget, options: BuildOptions): Promise<number> {
  let pages = 0
  do pages += await fillIndex(store, target, options)
  while (options.signal?.aborted !== true && !endRebuild(store, target))
  return pages
}
