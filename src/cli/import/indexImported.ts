/** The last step of an import: indexes its pages for search. */
import { buildIndex } from '../../workers/index/indexBuilder.js'
import type { Store } from '../../storage/store.js'
import type { ImportOptions } from './importOptions.js'
import type { ImportProgress } from './importProgress.js'
import { formatCount } from './progress.js'

/**
 * Indexes imported pages, and returns lines for the user. After an interruption, the next import continues. An unusable
 * index needs `palimpsest reindex`.
 */
export async function indexImported(
  store: Store,
  options: ImportOptions,
  progress: ImportProgress,
): Promise<string[]> {
  const { dataDir, signal, indexThreads: threads = 0 } = options
  if (store.search.condition() !== 'ready') {
    return [`search does not work yet: run palimpsest reindex --data-dir ${dataDir}`]
  }
  const start = performance.now()
  const onShare = progress.indexing(store.search.countQueued())
  const pages = await buildIndex(store, { dataDir, threads, onShare, signal })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const left = store.search.countQueued()
  return [
    ...(pages > 0 ? [`${formatCount(pages)} pages indexed for search in ${seconds} s`] : []),
    ...(left > 0 ? [`${formatCount(left)} pages are not indexed yet: the next import indexes them`] : []),
  ]
}
