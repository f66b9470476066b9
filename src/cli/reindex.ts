/** `palimpsest reindex`: rebuilds the search index, or adds missing pages to it. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { formatCount, showCount } from './import/progress.js'
import { withStore } from './storeAccess.js'

export function addReindexCommand(program: Command): void {
  const command = program
    .command('reindex')
    .summary('rebuild the search index')
    .description(
      'Rebuild the search index from the pages. Servers use the old index until the new one is complete.',
    )
    .option('--missing', 'keep the index, and add only the pages that an interrupted import left out')
  addSettings(command, 'reindex').action(async (flags: { missing?: boolean }) => {
    const { dataDir, indexThreads: threads } = readSettings(givenFlags(command))
    const { reindex } = await import('./reindex/reindex.js')
    await withStore({ dataDir }, async (store) => {
      const start = performance.now()
      const onProgress = showCount('pages indexed', process.stderr)
      const pages = await reindex(store, { dataDir, threads, missing: flags.missing ?? false, onProgress })
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      process.stdout.write(`${formatCount(pages)} pages indexed in ${seconds} s\n`)
    })
  })
}
