/** `palimpsest reindex`: makes the search index anew, or takes in what it lacks. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config.js'
import { beginRebuild, endRebuild } from '../storage/search/indexQueue.js'
import type { Store } from '../storage/store.js'
import { buildIndex } from '../workers/indexBuilder.js'
import { formatCount, showCount } from './import/progress.js'
import { openStore } from './storeAccess.js'

/** Nothing to take in, or no index to take it into. */
export class ReindexError extends Error {
  override readonly name = 'ReindexError'
}

export interface ReindexOptions {
  readonly dataDir: string
  readonly threads: number
  /** Only takes in pages that the index lacks. */
  readonly missing: boolean
  readonly onProgress?: (done: number, total: number) => void
}

export function addReindexCommand(program: Command): void {
  const command = program
    .command('reindex')
    .description('make the search index anew from the pages; a server may go on serving, but not searching')
    .option('--missing', 'keep the index, and only take in pages that an interrupted import left out')
  addSettings(command, 'reindex').action(async (flags: { missing?: boolean }) => {
    const { dataDir, indexThreads: threads } = readSettings(givenFlags(command))
    const store = openStore(dataDir)
    try {
      const start = performance.now()
      const onProgress = showCount('pages indexed', process.stderr)
      const pages = await reindex(store, { dataDir, threads, missing: flags.missing ?? false, onProgress })
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      process.stdout.write(`${formatCount(pages)} pages indexed in ${seconds} s\n`)
    } finally {
      await store.close()
    }
  })
}

/**
 * Makes the index anew, or takes in what it lacks; returns how many pages it took in. Pages that are edited meanwhile are
 * taken in as they are at the end. Throws a ReindexError for `missing` when there is no index to complete.
 */
export async function reindex(store: Store, { missing, ...options }: ReindexOptions): Promise<number> {
  if (missing) {
    if (store.search.condition() !== 'ready') {
      throw new ReindexError('there is no index to complete: run "palimpsest reindex" without --missing')
    }
    return buildIndex(store, options)
  }
  beginRebuild(store)
  let pages = 0
  do pages += await buildIndex(store, options)
  while (!endRebuild(store))
  return pages
}
