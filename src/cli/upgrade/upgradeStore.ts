/** Converts a store of an older format to this version's. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFile, flushFolder } from '../../files/flush.js'
import { Store } from '../../storage/store.js'
import { convertStore, requireRoom, roomFor } from '../../storage/upgrade/convert.js'
import { OldStore } from '../../storage/upgrade/oldStore.js'
import { VERIFY_PARTS } from '../../storage/verify/parts.js'
import { UserError } from '../../userError.js'
import { formatCount, showCount } from '../import/progress.js'
import { reindex } from '../reindex/reindex.js'
import { showReading } from '../verify/showReading.js'
import { verifyInProcess } from '../verify/verifyInProcess.js'

/** The converted store has faults, so the old one stays. */
export class UpgradeError extends UserError {
  override readonly name = 'UpgradeError'
}

export interface UpgradeOptions {
  readonly dataDir: string
  readonly indexThreads: number
  /** Accept problems of the converted store. */
  readonly acceptProblems: boolean
}

/** Folder of the new store, inside the old one so that both are on the same disk. */
const targetOf = (dataDir: string): string => join(dataDir, 'store/upgrade')

/**
 * Converts the store into a new one beside it, builds its index, verifies it, and replaces the old file. Until then the
 * old store does not change. A killed upgrade leaves a folder, which the next one removes.
 */
export async function upgradeStore(options: UpgradeOptions): Promise<void> {
  const { dataDir } = options
  const target = targetOf(dataDir)
  const old = await OldStore.open(dataDir)
  rmSync(target, { recursive: true, force: true })
  if (old === undefined) {
    process.stdout.write(`the store in ${dataDir} needs no upgrade\n`)
    return
  }
  try {
    await makeNewStore(old, target, options)
    const file = join(target, 'store/data.mdb')
    flushFile(file)
    await old.replaceFile(file)
    flushFolder(old.path)
    process.stdout.write(`the store in ${dataDir} is upgraded\n`)
  } finally {
    await old.close()
    rmSync(target, { recursive: true, force: true })
  }
}

async function makeNewStore(
  old: OldStore,
  target: string,
  { indexThreads, acceptProblems }: UpgradeOptions,
): Promise<void> {
  requireRoom(old)
  process.stdout.write(
    `converting: needs up to ${formatCount(Math.ceil(roomFor(old) / 2 ** 20))} MiB of room\n`,
  )
  await convertStore(old, target, showCount('rows converted', process.stderr))
  const store = Store.open(target)
  try {
    const onProgress = showCount('pages indexed', process.stderr)
    await reindex(store, { dataDir: target, threads: indexThreads, missing: false, onProgress })
  } finally {
    await store.close()
  }
  const { pages, revisions, problems } = await verifyInProcess({
    dataDir: target,
    parts: VERIFY_PARTS,
    digest: false,
    hashes: false,
    ...(process.stderr.isTTY && { onReading: showReading() }),
  })
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0 && !acceptProblems) {
    throw new UpgradeError(
      `the converted store is not sound (problems: ${formatCount(problems.length)}), so the old one stays: ` +
        'restore a backup, or add --accept-problems to keep the wiki with them',
    )
  }
  process.stdout.write(
    `${formatCount(pages)} pages and ${formatCount(revisions)} revisions are converted and verified\n`,
  )
}
