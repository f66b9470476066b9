/** Reads a table of files that another repository has. */
import { toSeconds } from '../../domain/timestamp.js'
import { FileDescriber } from '../../import/files/fileDescriber.js'
import { readFileTable } from '../../import/files/fileTable.js'
import { Applier } from '../../storage/apply/applier.js'
import { formatCount } from '../import/progress.js'
import { withLockedStore } from './lockedStore.js'

/** Prints how many files were described; exit status 1 when some were left out. */
export async function describeFiles(dataDir: string, table: string): Promise<void> {
  const { described, unchanged, leftOut } = await withLockedStore(dataDir, async (store) => {
    const now = toSeconds(Date.now())
    const warn = (message: string): unknown => process.stderr.write(`${message}\n`)
    const describer = new FileDescriber(store, new Applier(store), now, warn)
    for await (const row of readFileTable(table)) describer.take(row)
    describer.flush()
    return describer.counts
  })
  const parts = [`${formatCount(described)} files described`, `${formatCount(unchanged)} unchanged`]
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} left out`)
  process.stdout.write(`${parts.join(', ')}\n`)
  if (leftOut > 0) process.exitCode = 1
}
