/** Rebuilds a store from the log of another one, and compares the two. */
import { replayLog } from '../../import/replayLog.js'
import { Applier } from '../../storage/apply/applier.js'
import { Store } from '../../storage/store.js'
import { digestStore } from '../../storage/verify/digest.js'
import { formatCount } from '../import/progress.js'

/** Prints the result; exit status 1 when the stores differ. */
export async function replay(dataDir: string, into: string, dumps: readonly string[]): Promise<void> {
  const from = Store.open(dataDir)
  try {
    await replayInto(from, into, dumps)
  } finally {
    await from.close()
  }
}

async function replayInto(from: Store, folder: string, dumps: readonly string[]): Promise<void> {
  const into = Store.open(folder, { create: true })
  try {
    const onProgress = process.stderr.isTTY ? showEntries : undefined
    const applier = new Applier(into)
    const entries = await replayLog({
      from,
      into,
      applier,
      dumps,
      ...(onProgress && { onProgress }),
    })
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    const [before, after] = [digestStore(from), digestStore(into)]
    const outcome = before === after ? 'the stores are equal' : 'the stores differ'
    process.stdout.write(`${formatCount(entries)} entries replayed: ${outcome}\n`)
    process.stdout.write(`digest ${after}\n`)
    if (before === after) return
    process.stdout.write(`digest of the original ${before}\n`)
    process.exitCode = 1
  } finally {
    await into.close()
  }
}

function showEntries(entries: number): void {
  if (entries % 1000 === 0) process.stderr.write(`\r${formatCount(entries)} entries`)
}
