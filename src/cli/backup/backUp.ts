/** Makes backups: consistent copies of a store and of the contents of its files. */
import {
  constants,
  existsSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  lstatSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join, basename } from 'node:path'
import { flushFile, flushFolder } from '../../files/flush.js'
import { originalPath } from '../../files/originals.js'
import { makeFolders } from '../../runtime/makeFolders.js'
import { Store, StoreError } from '../../storage/store.js'
import { UserError } from '../../runtime/userError.js'
import { makeUnfinished, removeUnfinished, type Told, discard, unfinishedPath } from './unfinished.js'
import { showReading, verifyInProcess } from '../verify/verifyInProcess.js'

/** The backup cannot be made at this place; the message gives the reason. */
export class BackupError extends UserError {
  override readonly name = 'BackupError'
}

/** Attempts to copy the store again, when files vanish before the command copies them. */
const MAX_REPEATS = 5

/**
 * Copies the wiki in `dataDir` into the data folder `target`, which must be missing or empty. The copy is made beside
 * it, flushed, and then renamed, so a folder with that name is always a complete backup. Returns its path. Throws a
 * BackupError for another target, and when files keep disappearing during the copy.
 */
export async function backUp(dataDir: string, target: string, told: Told): Promise<string> {
  requirePlace(target)
  const place = (unfinished: string): string => {
    if (existsSync(target)) rmdirSync(target)
    renameSync(unfinished, target)
    return target
  }
  const isLeft = (path: string): boolean => path === target
  return makeBackup(dataDir, { beside: target, place, isLeft }, told)
}

export interface DatedOptions {
  /** The folder of all backups. */
  readonly folder: string
  readonly keep: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** Returns the problems of the data folder at a path, one line each. */
  readonly verify: (path: string) => Promise<readonly string[]>
}

/**
 * Makes a backup in `folder`, in a subfolder named by `time`, and verifies it. Then it removes the oldest ones until
 * `keep` are left. Before the new backup is complete and verified, it removes unfinished ones only. A damaged copy is
 * set aside: throws a BackupError then.
 */
export async function backUpDated(
  dataDir: string,
  { folder, keep, time, verify }: DatedOptions,
  told: Told,
): Promise<string> {
  const dated = new DatedBackups(folder, told)
  const place = async (unfinished: string): Promise<string> => {
    const problems = await verify(unfinished)
    removeLock(unfinished)
    if (problems.length === 0) return dated.place(unfinished, time)
    for (const problem of problems) told.warn(problem)
    const path = dated.setAside(unfinished, time)
    throw new BackupError(
      `the copy in ${path} is damaged (problems: ${problems.length}), so older backups stay: ` +
        `run "palimpsest verify --data-dir ${dataDir}"`,
    )
  }
  const isLeft = (path: string): boolean => dated.isOurs(path)
  const path = await makeBackup(dataDir, { beside: dated.pathAt(time), place, isLeft }, told)
  dated.linkLatest()
  dated.removeOldest(keep, path)
  return path
}

/** Destination of a backup. */
interface Destination {
  /** Path beside which the copy is made. */
  readonly beside: string
  /** Renames the complete copy, and returns its new path. Throws if the copy must not be used. */
  readonly place: (unfinished: string) => string | Promise<string>
  /** Whether this command may remove unfinished copies of this path that an earlier command left. */
  readonly isLeft: (path: string) => boolean
}

async function makeBackup(
  dataDir: string,
  { beside, place, isLeft }: Destination,
  told: Told,
): Promise<string> {
  const store = Store.open(dataDir)
  try {
    const folder = dirname(beside)
    makeFolders(folder)
    removeUnfinished(folder, isLeft, told)
    const unfinished = makeUnfinished(beside)
    try {
      const missing = await copyAll(store, dataDir, unfinished)
      const file = join(unfinished, 'store', 'data.mdb')
      flushFile(file)
      flushFolder(dirname(file))
      flushFolder(unfinished)
      const sizeBytes = statSync(file).size
      const path = await place(unfinished)
      flushFolder(folder)
      for (const sha256 of missing)
        told.warn(`the wiki lacks the contents of a file: ${originalPath(dataDir, sha256)}`)
      told.tell(`${path}: ${(sizeBytes / 1e6).toFixed(1)} MB`)
      return path
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
    throw new BackupError(
      `${target} is not an empty folder: name a new folder, or add --keep <n> for dated backups inside it`,
    )
  }
}

/**
 * Copies the store and the file contents that its rows name. Most contents come first, since they take longest, then
 * the store, then newer contents. A file may be added and removed meanwhile: the copied store then names contents that
 * are gone, and is copied again. Returns the contents that rows name but the original lacks.
 */
async function copyAll(store: Store, dataDir: string, target: string): Promise<readonly string[]> {
  const contents = new ContentsCopy(dataDir, target)
  await contents.add(namedContents(store))
  for (let repeats = 0; repeats <= MAX_REPEATS; repeats++) {
    rmSync(join(target, 'store'), { recursive: true, force: true })
    await copyStore(store, dataDir, target)
    const named = await contentsNamedBy(dataDir, target)
    const gone = await contents.add(named)
    store.refresh()
    const stillNamed = namedContents(store)
    // The wiki removes a row before its contents, so contents still named are really missing.
    if (gone.some((sha256) => !stillNamed.has(sha256))) continue
    contents.keepOnly(named)
    contents.flush()
    return gone
  }
  throw new BackupError(
    'files disappear from the wiki faster than they can be copied: try again when nobody removes files',
  )
}

/** LMDB names its own errors so: it cannot read the store. Others have only the system's text. */
const OF_LMDB = /^MDB_/

/** Adds to lmdb's errors which side failed. */
async function copyStore(store: Store, dataDir: string, target: string): Promise<void> {
  try {
    await store.backup(target)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (OF_LMDB.test(reason)) throw damaged(dataDir, reason, cause)
    throw new BackupError(`cannot copy the store into ${dirname(target)}: ${reason}`, { cause })
  }
}

/** SHA-256 hashes of all contents that file rows name. */
function namedContents(store: Store): Set<string> {
  const named = new Set<string>()
  for (const { facts } of store.keptFiles()) if (facts.sha256 !== null) named.add(facts.sha256)
  return named
}

async function contentsNamedBy(dataDir: string, copy: string): Promise<Set<string>> {
  let store: Store | undefined
  try {
    store = Store.open(copy)
    return namedContents(store)
  } catch (error) {
    // The copy is whole: the reason is in the original.
    if (error instanceof StoreError) throw damaged(dataDir, error.message, error)
    throw error
  } finally {
    await store?.close()
    removeLock(copy)
  }
}

const damaged = (dataDir: string, reason: string, cause: unknown): BackupError =>
  new BackupError(
    `the store in ${dataDir} is damaged, and cannot be copied (${reason}): ` +
      `run "palimpsest verify --data-dir ${dataDir}", and restore a backup`,
    { cause },
  )

/** Removes the file that every reader of a store leaves. */
const removeLock = (copy: string): void => rmSync(join(copy, 'store', 'lock.mdb'), { force: true })

/** Copies file contents into an unfinished backup, while files are added and removed. */
export class ContentsCopy {
  readonly #dataDir: string
  readonly #target: string
  readonly #copied = new Set<string>()

  /** Copies from one data folder into another. */
  constructor(dataDir: string, target: string) {
    this.#dataDir = dataDir
    this.#target = target
  }

  /** Copies contents that are not copied yet, by their SHA-256. Returns those that are missing. */
  async add(wanted: ReadonlySet<string>): Promise<string[]> {
    const gone: string[] = []
    for (const sha256 of wanted) {
      if (this.#copied.has(sha256)) continue
      if (await this.#copy(sha256)) this.#copied.add(sha256)
      else gone.push(sha256)
    }
    return gone
  }

  /** Deletes all copies except these. */
  keepOnly(wanted: ReadonlySet<string>): void {
    for (const sha256 of this.#copied) {
      if (wanted.has(sha256)) continue
      rmSync(originalPath(this.#target, sha256))
      this.#copied.delete(sha256)
    }
  }

  /** Flushes the folders of all copies, so that their names are durable. `add` has already flushed the bytes. */
  flush(): void {
    const folders = new Set<string>()
    for (const sha256 of this.#copied) {
      for (let folder = dirname(originalPath(this.#target, sha256)); folder.length > this.#target.length;) {
        folders.add(folder)
        folder = dirname(folder)
      }
    }
    for (const folder of folders) flushFolder(folder)
  }

  async #copy(sha256: string): Promise<boolean> {
    const path = originalPath(this.#target, sha256)
    await mkdir(dirname(path), { recursive: true })
    try {
      await copyFile(originalPath(this.#dataDir, sha256), path, constants.COPYFILE_FICLONE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await rm(path, { force: true })
      return false
    }
    flushFile(path)
    return true
  }
}

/** Verifies the store of a backup. Returns the problems, one line each. */
export async function verifyBackup(path: string): Promise<readonly string[]> {
  const { isTTY } = process.stderr
  const { problems } = await verifyInProcess({
    dataDir: path,
    digest: false,
    hashes: false,
    ...(isTTY && { onReading: showReading() }),
  })
  if (isTTY) process.stderr.write('\r\x1b[K')
  return problems
}

// Backups in one folder, each in a folder named by its time in UTC, such as `2026-11-22T03-00-00Z`.

const DATED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
/** A copy in which `verify` found problems. It is none of the backups. */
const DAMAGED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.damaged$/
/** Symbolic link to the newest backup. */
const LATEST = 'latest'
const SECOND_MS = 1000

class DatedBackups {
  readonly #folder: string
  readonly #told: Told

  constructor(folder: string, told: Told) {
    this.#folder = folder
    this.#told = told
  }

  /** `time` is in milliseconds since 1970. */
  pathAt(time: number): string {
    return join(this.#folder, new Date(time).toISOString().slice(0, 19).replaceAll(':', '-') + 'Z')
  }

  /** Whether this class made the path: a dated backup in this folder, or the link. */
  isOurs(path: string): boolean {
    const name = basename(path)
    return dirname(path) === this.#folder && (DATED.test(name) || name === LATEST)
  }

  /** Renames a complete backup to the name of `time`, or of the next free second. Returns its path. */
  place(unfinished: string, time: number): string {
    const path = this.pathAt(time)
    if (existsSync(path)) return this.place(unfinished, time + SECOND_MS)
    try {
      renameSync(unfinished, path)
      return path
    } catch (error) {
      // Another backup took the name of this second first.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
      return this.place(unfinished, time + SECOND_MS)
    }
  }

  /** Renames a damaged copy to the name of `time` with `.damaged`, and removes older ones. Returns its path. */
  setAside(unfinished: string, time: number): string {
    for (const name of readdirSync(this.#folder)) if (DAMAGED.test(name)) discard(join(this.#folder, name))
    const path = `${this.pathAt(time)}.damaged`
    renameSync(unfinished, path)
    return path
  }

  /** Points the link `latest` to the newest backup. The rename replaces the link atomically. */
  linkLatest(): void {
    const newest = this.#list().at(0)
    const link = join(this.#folder, LATEST)
    const present = lstatSync(link, { throwIfNoEntry: false })
    if (newest === undefined || (present?.isSymbolicLink() && readlinkSync(link) === newest)) return
    if (present !== undefined && !present.isSymbolicLink()) {
      this.#told.warn(`${link} is not a link, so it stays as it is and does not lead to the newest backup`)
      return
    }
    const next = unfinishedPath(link)
    try {
      symlinkSync(newest, next)
      renameSync(next, link)
    } catch (error) {
      // Some file systems have no links. The backup is complete without one.
      this.#told.warn(`${link} does not lead to the newest backup: ${(error as Error).message}`)
    }
  }

  /** Removes the oldest backups until `keep` are left. Never removes `made`, even when the clock was set back. */
  removeOldest(keep: number, made: string): void {
    for (const name of this.#list().slice(keep)) {
      const path = join(this.#folder, name)
      if (path !== made && discard(path)) this.#told.tell(`removed ${path}`)
    }
  }

  /** Names of the backups, newest first. Folders without a store do not count. */
  #list(): string[] {
    return readdirSync(this.#folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && DATED.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => existsSync(join(this.#folder, name, 'store', 'data.mdb')))
      .sort()
      .reverse()
  }
}
