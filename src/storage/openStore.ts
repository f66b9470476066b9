/** Opens the files of a store: LMDB's environment, its tables, and the format that they have. */
import { randomBytes } from 'node:crypto'
import { accessSync, statSync, readFileSync, constants } from 'node:fs'
import { join, dirname } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { StoreError } from './tables/errors.js'
import { checkFile } from './file/checkFile.js'
import { makeFolders } from '../runtime/makeFolders.js'
import { FORMAT_VERSION, readFormat, readMeta, writeMeta } from './tables/meta.js'
import { ColdRows } from './tables/coldReads.js'
import { CheckedRows } from './tables/checkedRows.js'
import { DamageCount, DamagedRanges } from './tables/damagedRanges.js'
import type { SealState } from './tables/sealedTable.js'
import { completeState } from './search/indexState.js'
import { openEnvironment, openTables, type Tables } from './tables/tables.js'
import type { LockWatch } from './tables/transactions.js'
import { usableMemory } from '../runtime/memory.js'

export interface OpenedStore {
  /** The folder of LMDB's files. */
  readonly path: string
  readonly root: RootDatabase
  readonly tables: Tables
  readonly seals: SealState
  readonly storeId: string
}

export interface OpenStoreOptions {
  /** Creates the store if it does not exist. */
  readonly create?: boolean
  /**
   * The process reads rows here and there, and does not walk over all of them. The system then reads no pages ahead
   * where that would do harm: see readAhead.ts.
   */
  readonly readsApart?: boolean
  readonly lockWatch?: LockWatch
}

/** Opens or creates a store; errors as those of `Store.open`. */
export function openStore(
  dataDir: string,
  { create = false, lockWatch, readsApart = false }: OpenStoreOptions,
): OpenedStore {
  const path = join(dataDir, 'store')
  checkOrMakeFolder(dataDir, path, create)
  // lmdb takes the write lock for each table that it opens.
  lockWatch?.asks()
  const root = openRoot(path, readsApart && harmsReads(join(path, 'data.mdb')))
  const afterFault = (): void => root.resetReadTxn()
  const ranges = new DamagedRanges(path)
  const seals = {
    damage: new DamageCount(),
    checked: new CheckedRows(),
    ranges,
    cold: new ColdRows(),
    afterFault,
  }
  const tables = openTables(root, seals)
  lockWatch?.got()
  try {
    return { path, root, tables, seals, storeId: identify(root, tables, dataDir) }
  } catch (error) {
    void closeOpened({ root, seals })
    throw error instanceof TypeError ? sharedNumber(dataDir, error) : error
  }
}

/** Closes the files of a store. */
export function closeOpened({ root, seals }: Pick<OpenedStore, 'root' | 'seals'>): Promise<void> {
  seals.checked.close()
  seals.ranges.close()
  return root.close()
}

/** Throws a StoreError if the file is no store. Without a file, makes its folder if `create` is set. */
function checkOrMakeFolder(dataDir: string, path: string, create: boolean): void {
  const file = join(path, 'data.mdb')
  // LMDB ends the process if it may not write the file of its locks.
  const closed = folderFault(path) ?? fileFault(file) ?? fileFault(join(path, 'lock.mdb'))
  if (closed !== undefined)
    throw new StoreError(
      `${closed}: give the data folder to the account that serves it, as by "chown -R ACCOUNT: ${dataDir}"`,
    )
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats !== undefined) {
    if (!stats.isFile()) throw new StoreError(`${file} is not a file: there is no wiki in ${dataDir}`)
    checkFile(file)
    return
  }
  if (!create) {
    requireNoFileOnPath(path)
    throw new StoreError(
      `there is no wiki in ${dataDir}: import one with "palimpsest import --data-dir ${dataDir} DUMP"`,
    )
  }
  makeFolders(path)
}

/** Throws the system's error if a part of the path is a file. Node 22 takes what lies below one for absent. */
function requireNoFileOnPath(path: string): void {
  try {
    accessSync(join(path, '/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * LMDB identifies readers by process id. A second process can have the same id only in another container. It gets no
 * snapshot: lmdb retries for a while, and then fails on the missing snapshot with a TypeError.
 */
function sharedNumber(dataDir: string, cause: TypeError): StoreError {
  return new StoreError(
    `the store in ${dataDir} cannot be read: in another container a process with the number of this one ` +
      `(${process.pid}) has it open: run the command in that container, or end what runs there`,
    { cause },
  )
}

/** Checks the format of a store, or marks an empty environment as a store; returns its id. */
function identify(root: RootDatabase, tables: Tables, dataDir: string): string {
  // Only an empty environment needs a transaction: opening must not wait for writes of another process.
  const format = readFormat(tables) ?? root.transactionSync(() => initialise(tables))
  if (format !== FORMAT_VERSION) {
    throw new StoreError(formatFault(format, dataDir))
  }
  return readMeta(tables, 'storeId') ?? ''
}

/** Marks a new environment, unless another process was quicker; returns the format found or written. */
function initialise(tables: Tables): number {
  const format = readFormat(tables)
  if (format !== undefined) return format
  writeMeta(tables, 'storeId', randomBytes(16).toString('hex'))
  writeMeta(tables, 'index', completeState('a'))
  writeMeta(tables, 'changeLists', 'complete')
  writeMeta(tables, 'languageLists', 'complete')
  writeMeta(tables, 'format', FORMAT_VERSION)
  return FORMAT_VERSION
}

/** lmdb's errors have the system's number and text, but name neither the call nor the path. */
function openRoot(path: string, noReadAhead = false): RootDatabase {
  try {
    return openEnvironment(path, noReadAhead)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    throw new StoreError(
      `cannot open the store in ${path} for writing, which every command needs: ${cause.message}`,
      { cause },
    )
  }
}

/** The message for a store of another format. */
function formatFault(format: number, dataDir: string): string {
  const advice =
    format > FORMAT_VERSION
      ? 'a newer version of palimpsest wrote it, and only such a version can read it'
      : 'import the dump again into a new folder with "palimpsest import --data-dir NEW DUMP"'
  return `the store in ${dataDir} is of format ${format}, this version reads format ${FORMAT_VERSION}: ${advice}`
}

// Whether the system is to read pages of a store ahead. With read-ahead, a read of a row that is not in memory fetches
// the pages around it, too.

/** Stores with a larger share of the memory do not stay in it as a whole. */
const SHARE_OF_MEMORY = 0.5
/**
 * Linux reads 128 kB ahead by default. Some systems are set to megabytes, for files that are read as a whole. Each cold
 * row then takes milliseconds, even from a disk that answers within 0.1 ms.
 */
const MAX_AHEAD_KB = 128

/** Whether reading ahead harms reads of rows here and there. `file` may not exist yet. */
export function harmsReads(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return false
  return stats.size > usableMemory() * SHARE_OF_MEMORY || (readAheadKb(stats.dev) ?? 0) > MAX_AHEAD_KB
}

/**
 * How far the system reads ahead on a device, in kilobytes; undefined if it does not tell. `device` is `dev` of
 * `fs.Stats`. `sysfs` is the folder that the kernel describes devices in.
 */
export function readAheadKb(device: number, sysfs = '/sys'): number | undefined {
  const [major, minor] = [(device >>> 8) & 0xfff, (device & 0xff) | ((device >>> 12) & 0xfff00)]
  // A partition has the settings of its disk, which is the folder above.
  const files = [
    `class/bdi/${major}:${minor}/read_ahead_kb`,
    `dev/block/${major}:${minor}/../queue/read_ahead_kb`,
  ]
  for (const file of files) {
    const text = readIfThere(`${sysfs}/${file}`)
    if (text !== undefined) return Number(text)
  }
  return undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw error
  }
}

// Files that the account of this process may not use.

const { R_OK, W_OK, X_OK } = constants

/** Why this process may not read and write a folder, in words that name the owner; undefined if it may. */
const folderFault = (path: string): string | undefined => fault(path, R_OK | W_OK | X_OK)

/** The same for a file. One that is not there has no fault. */
const fileFault = (path: string): string | undefined => fault(path, R_OK | W_OK)

function fault(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    // Other errors have better words elsewhere.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return undefined
    const own = process.getuid?.() ?? 'unknown'
    return `${path} belongs to the user id ${ownerOf(path)}, and this process, of the user id ${own}, may not write it`
  }
}

/** Of a path in a closed folder, the owner of that folder. */
function ownerOf(path: string): number {
  try {
    return statSync(path).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || dirname(path) === path) throw error
    return ownerOf(dirname(path))
  }
}
