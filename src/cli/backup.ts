/** `palimpsest backup`: copies the store while it is in use. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { constants, cp, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config.js'
import { Store } from '../storage/store.js'

/** A backup cannot go where it should; the message says why. */
export class BackupError extends Error {
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
    const sizeBytes = await backUp(dataDir, resolve(folder))
    process.stdout.write(`${folder}: ${(sizeBytes / 1e6).toFixed(1)} MB\n`)
  })
}

/**
 * Copies the store of `dataDir` into the data folder `target`, which must not exist or be empty; gives back its size.
 * The copy is made beside it, flushed, and renamed: a folder of that name is always a whole backup.
 */
export async function backUp(dataDir: string, target: string): Promise<number> {
  requirePlace(target)
  const store = Store.open(dataDir)
  try {
    const unfinished = mkdtempSync(join(dirname(target), `${basename(target)}.unfinished-`))
    try {
      await store.backup(unfinished)
      await copyOriginals(dataDir, unfinished)
      const file = join(unfinished, 'store', 'data.mdb')
      await flush(file)
      await flush(dirname(file))
      const { size } = statSync(file)
      if (existsSync(target)) rmdirSync(target)
      renameSync(unfinished, target)
      await flush(dirname(target))
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
  if (!existsSync(dirname(target))) throw new BackupError(`there is no folder ${dirname(target)}`)
  if (existsSync(target) && (!statSync(target).isDirectory() || readdirSync(target).length > 0)) {
    throw new BackupError(`${target} is there already: a backup goes into a new folder`)
  }
}

/** Files come after the store: what its rows name was on the disk before it. */
async function copyOriginals(dataDir: string, target: string): Promise<void> {
  const originals = join(dataDir, 'files')
  if (!existsSync(originals)) return
  const isKept = (path: string): boolean => path !== join(originals, 'incoming')
  await cp(originals, join(target, 'files'), {
    recursive: true,
    filter: isKept,
    mode: constants.COPYFILE_FICLONE,
  })
}

/** Waits until a file, or the names in a folder, are on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
