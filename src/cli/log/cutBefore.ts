/** Cuts the beginning of the log off. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cutLog } from '../../storage/entries/logCut.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { formatCount } from '../import/progress.js'
import type { LogPlace } from './logPlace.js'
import { withStore } from '../storeAccess.js'

export async function cutBefore(dataDir: string, place: LogPlace): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    const { last } = store.log.bounds()
    const before = 'time' in place ? firstSince(store, place.time) : place.sequence
    if (before > last + 1)
      throw new CommandError(`the log ends at entry ${formatCount(last)}, and nothing was cut`)
    let removed = 0
    for (removed of cutLog(store, before)) await nextTurn()
    const { first } = store.log.bounds()
    const begins = first > last ? 'it is empty' : `it begins at entry ${formatCount(first)}`
    process.stdout.write(`${formatCount(removed)} entries are cut off the log: ${begins}\n`)
  })
}

/** The first entry that is not older than a time. */
function firstSince(store: Store, time: number): number {
  const { first, last } = store.log.bounds()
  for (const { sequence, entry } of store.log.list(first - 1)) if (entry.time >= time) return sequence
  return last + 1
}
