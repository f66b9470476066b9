/** Reads a table of files that another repository has. */
import { toSeconds } from '../../domain/timestamp.js'
import { FileDescriber } from '../../import/files/fileDescriber.js'
import { readFileTable } from '../../import/files/fileTable.js'
import { formatCount } from '../import/progress.js'
import type { StorePlace } from '../storeAccess.js'
import { withLockedStore } from './lockedStore.js'

/** Prints how many files were described; exit status 1 when some were left out. */
export async function describeFiles(place: StorePlace, table: string): Promise<void> {
  const { described, unchanged, leftOut } = await withLockedStore(place, async (store, writer) => {
    const now = toSeconds(Date.now())
    const warn = (message: string): unknown => process.stderr.write(`${message}\n`)
    const describer = new FileDescriber({ store, now, warn, applyAll: (changes) => writer.applyAll(changes) })
    for await (const row of readFileTable(table)) await describer.take(row)
    await describer.flush()
    return describer.counts
  })
  const parts = [`${formatCount(described)} files described`, `${formatCount(unchanged)} unchanged`]
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} left out`)
  process.stdout.write(`${parts.join(', ')}\n`)
  if (leftOut > 0) process.exitCode = 1
}
