/** The end of an import: what it brought becomes searchable. */
import { buildIndex } from '../../workers/indexBuilder.js'
import type { Store } from '../../storage/store.js'
import type { ImportOptions } from '../importDump.js'
import { formatCount, showCount } from './progress.js'

/**
 * Takes imported pages into the search index. An interrupted import leaves that to the next one; an index that cannot
 * be used is left to `palimpsest reindex`.
 */
export async function indexImported(store: Store, options: ImportOptions): Promise<void> {
  const { dataDir, signal, indexThreads: threads = 0 } = options
  const progress = options.progress('search index')
  try {
    if (store.search.condition() !== 'ready') {
      progress.note(`search has to be set up: palimpsest reindex --data-dir ${dataDir}`)
      return
    }
    const start = performance.now()
    const onProgress = showCount('pages indexed', process.stderr)
    const pages = await buildIndex(store, { dataDir, threads, onProgress, signal })
    if (pages > 0) options.onIndexed?.(pages, (performance.now() - start) / 1000)
    const left = store.search.countQueued()
    if (left > 0) progress.note(`${formatCount(left)} pages are not indexed yet: the next import goes on`)
  } finally {
    progress.stop()
  }
}
