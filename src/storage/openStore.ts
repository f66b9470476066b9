/** Opens the files of a store: LMDB's environment, its tables, and the format that they have. */
import { randomBytes } from 'node:crypto'
import { accessSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { fileFault, folderFault } from '../runtime/fileAccess.js'
import { StoreError } from './tables/errors.js'
import { checkFile } from './file/checkFile.js'
import { makeFolders } from '../runtime/makeFolders.js'
import { FORMAT_VERSION, readFormat, readMeta, writeMeta } from './tables/meta.js'
import { harmsReads } from './file/readAhead.js'
import { ColdRows } from './tables/coldReads.js'
import { CheckedRows } from './tables/checkedRows.js'
import { DamageCount, DamagedRanges } from './tables/damagedRanges.js'
import type { SealState } from './tables/sealedTable.js'
import { completeState } from './search/indexState.js'
import { openEnvironment, openTables, type Tables } from './tables/tables.js'
import type { LockWatch } from './tables/transactions.js'

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
