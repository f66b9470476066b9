/** `palimpsest backup`: copies the store while it is in use. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { flushFile, flushFolder } from '../files/flush.js'
import { originalPath } from '../files/originals.js'
import { listFiles } from '../storage/files.js'
import { makeFolders } from '../storage/makeFolders.js'
import { Store } from '../storage/store.js'
import { ContentsCopy } from './backup/contentsCopy.js'
import { UserError } from '../userError.js'

/** A backup cannot go where it should; the message says why. */
export class BackupError extends UserError {
  override readonly name = 'BackupError'
}

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description(
      'copy the store and the contents of files into a new folder, as of one moment, while servers and imports go on',
    )
    .argument('<folder>', 'data folder to make; "palimpsest verify" and "serve" take it as any other')
  addSettings(command, 'backup').action(async (folder: string) => {
    const { dataDir } = readSettings(givenFlags(command))
    const warn = (message: string): unknown => process.stderr.write(`${message}\n`)
    const sizeBytes = await backUp(dataDir, resolve(folder), warn)
    process.stdout.write(`${folder}: ${(sizeBytes / 1e6).toFixed(1)} MB\n`)
  })
}

/** Times that the store is copied again since contents that its rows name were gone before they could be copied. */
const MAX_REPEATS = 5

/**
 * Copies the store of `dataDir` into the data folder `target`, which must not exist or be empty; gives back its size.
 * The copy is made beside it, flushed, and renamed: a folder of that name is always a whole backup. Throws a BackupError
 * for another target, and when files keep being taken out while it works. Contents that are missing in `dataDir` itself
 * are warned of.
 */
export async function backUp(
  dataDir: string,
  target: string,
  warn: (message: string) => void,
): Promise<number> {
  requirePlace(target)
  const store = Store.open(dataDir)
  try {
    makeFolders(dirname(target))
    const unfinished = mkdtempSync(join(dirname(target), `${basename(target)}.unfinished-`))
    try {
      const missing = await copyAll(store, dataDir, unfinished)
      const file = join(unfinished, 'store', 'data.mdb')
      flushFile(file)
      flushFolder(dirname(file))
      flushFolder(unfinished)
      const { size } = statSync(file)
      if (existsSync(target)) rmdirSync(target)
      renameSync(unfinished, target)
      flushFolder(dirname(target))
      for (const sha256 of missing) warn(`contents are missing: ${originalPath(dataDir, sha256)}`)
      return size
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      throw error
    }
  } finally {
    await store.close()
  }
}

function requirePlace(target: string): void {
  if (existsSync(target) && (!statSync(target).isDirectory() || readdirSync(target).length > 0)) {
    throw new BackupError(`${target} is there already: a backup goes into a new folder`)
  }
}

/**
 * Copies the store, and the contents that the copy's rows name. Most contents are copied first, as that takes longest;
 * then the store; then what came since. Contents of files that are taken out in between are missed where they came
 * since: the store is copied again then, and names them no more. Gives back which are missing though a file has them.
 */
async function copyAll(store: Store, dataDir: string, target: string): Promise<readonly string[]> {
  const contents = new ContentsCopy(dataDir, target)
  await contents.add(namedContents(store))
  for (let repeats = 0; repeats <= MAX_REPEATS; repeats++) {
    rmSync(join(target, 'store'), { recursive: true, force: true })
    await store.backup(target)
    const named = await contentsNamedBy(target)
    const gone = await contents.add(named)
    store.refresh()
    const stillNamed = namedContents(store)
    // A row goes before the contents that it names.
    if (gone.some((sha256) => !stillNamed.has(sha256))) continue
    contents.keepOnly(named)
    contents.flush()
    return gone
  }
  throw new BackupError('files keep being taken out of the wiki: try again when that has ended')
}

/** SHA-256 of the contents that the rows of files name. */
function namedContents(store: Store): Set<string> {
  const named = new Set<string>()
  for (const { facts } of listFiles(store.tables)) if (facts.sha256 !== null) named.add(facts.sha256)
  return named
}

async function contentsNamedBy(copy: string): Promise<Set<string>> {
  const store = Store.open(copy)
  try {
    return namedContents(store)
  } finally {
    await store.close()
    rmSync(join(copy, 'store', 'lock.mdb'), { force: true })
  }
}
