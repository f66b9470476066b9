/** Converts a store of an older format to this version's. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFile, flushFolder } from '../../files/flush.js'
import { Store } from '../../storage/store.js'
import { adoptChain, chainedPosition } from '../../storage/upgrade/chain.js'
import { convertStore, requireRoom, roomFor } from '../../storage/upgrade/convert.js'
import { OLD_CHAIN_FORMAT } from '../../storage/upgrade/formats.js'
import { OldStore } from '../../storage/upgrade/oldStore.js'
import { VERIFY_PARTS } from '../../storage/verify/parts.js'
import { UserError } from '../../runtime/userError.js'
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
 * Converts a store of format 2 into a new one beside it, builds its index, verifies it, and replaces the old file.
 * Until then the old store does not change. A killed upgrade leaves a folder, which the next one removes.
 *
 * In a store of format 3 only two small rows change, in one transaction.
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
    if (old.format === OLD_CHAIN_FORMAT) return chainLog(old, options)
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

function chainLog(old: OldStore, { dataDir, acceptProblems }: UpgradeOptions): void {
  const show = showCount('entries of the log read', process.stderr)
  const total = old.countRows('log')
  const { position, problems } = chainedPosition(old, (entries) => show(entries, total))
  requireSound(problems, acceptProblems)
  adoptChain(old, position)
  process.stdout.write(`${formatCount(position.sequence)} entries of the log are chained again\n`)
  process.stdout.write(`the store in ${dataDir} is upgraded\n`)
}

/** Lists problems, and throws an UpgradeError unless there are none, or they are accepted. */
function requireSound(problems: readonly string[], acceptProblems: boolean): void {
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length === 0 || acceptProblems) return
  throw new UpgradeError(
    `the converted store is not sound (problems: ${formatCount(problems.length)}), so the old one stays: ` +
      'restore a backup, or add --accept-problems to keep the wiki with them',
  )
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
  const ofLog = await convertStore(old, target, showCount('rows converted', process.stderr))
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
  requireSound([...ofLog, ...problems], acceptProblems)
  process.stdout.write(
    `${formatCount(pages)} pages and ${formatCount(revisions)} revisions are converted and verified\n`,
  )
}
