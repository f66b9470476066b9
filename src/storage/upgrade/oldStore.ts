/**
 * A store of an older format, opened for conversion. Plain file reads get its rows and check every page, since rows of
 * format 2 have no seals. LMDB only tells which processes use the store, and writes single rows of `meta`.
 */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Key, RootDatabase } from 'lmdb'
import { DamagedFileError, StoreError } from '../errors.js'
import { type Meta, readMetaPages } from '../file/metaPages.js'
import { StoreFile, type TreeHead } from '../file/storeFile.js'
import { type RawRow, tableTrees, TreeWalks } from '../file/treeWalk.js'
import { FORMAT_VERSION } from '../meta.js'
import { checkOrMakeFolder, openRoot } from '../openStore.js'
import { hashBytes, SEAL_BYTES, sealed, tableHash, unsealed } from '../rows/seal.js'
import { formatFault, isOldFormat, type OldFormat, UNSEALED_FORMAT } from './formats.js'

/** A line of lmdb's reader list begins with a process id. */
const READER = /^\s*(\d+) [0-9a-f]+ /gm

export class OldStore {
  /** The folder of the store. */
  readonly path: string
  readonly format: OldFormat
  readonly #file: StoreFile
  readonly #meta: Meta
  readonly #environment: RootDatabase
  readonly #tables: ReadonlyMap<string, TreeHead>
  #isClosed = false

  private constructor(dataDir: string, path: string, file: StoreFile, meta: Meta, environment: RootDatabase) {
    this.path = path
    this.#file = file
    this.#meta = meta
    this.#environment = environment
    const walks = this.#walks()
    this.#tables = new Map(Array.from(tableTrees(walks, meta), ({ name, tree }) => [name, tree]))
    this.format = this.#readFormat(dataDir)
  }

  /**
   * Opens the store in the folder `dataDir`. Undefined if it already has the current format. Throws a StoreError if it
   * does not exist, is damaged, has a format that cannot be converted, or is open in another process.
   */
  static async open(dataDir: string): Promise<OldStore | undefined> {
    const path = join(dataDir, 'store')
    checkOrMakeFolder(dataDir, path, false)
    const environment = openRoot(path)
    const file = new StoreFile(join(path, 'data.mdb'))
    try {
      const old = new OldStore(dataDir, path, file, newestMeta(file), environment)
      old.requireUnused()
      return old
    } catch (error) {
      file.close()
      await environment.close()
      if (error instanceof PresentFormat) return undefined
      throw error
    }
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#file.close()
    await this.#environment.close()
  }

  /** Bytes of the file up to its last page. */
  get usedBytes(): number {
    return (this.#meta.lastPage + 1) * this.#meta.pageBytes
  }

  countRows(table: string): number {
    return this.#tables.get(table)?.rows ?? 0
  }

  /** The rows of a table in key order, without seals. Throws a DamagedFileError if a page or a row is damaged. */
  *rows(table: string): Generator<Pick<RawRow, 'key' | 'value'>> {
    const tree = this.#tables.get(table)
    if (tree === undefined) return
    const isSealed = this.format !== UNSEALED_FORMAT
    const ofTable = tableHash(table)
    for (const { key, value } of this.#walks().rows(table, tree)) {
      const row = isSealed ? unsealed(hashBytes(ofTable, key, 0, key.length), value) : value
      if (row === undefined)
        throw this.#damaged(`${table}: the row ${key.toString('hex')} does not fit its seal`)
      yield { key, value: row }
    }
  }

  /** Writes rows of `meta` with seals, in one transaction. Throws as `requireUnused` does. */
  writeMeta(rows: Readonly<Record<string, unknown>>): void {
    const table = this.#environment.openDB<Buffer, Key>('meta', { encoding: 'binary', keyEncoding: 'binary' })
    const ofTable = tableHash('meta')
    this.#environment.transactionSync(() => {
      this.requireUnused()
      for (const [name, value] of Object.entries(rows)) {
        const key = Buffer.from(name)
        const row = Buffer.from(JSON.stringify(value))
        table.putSync(key, sealed(hashBytes(ofTable, key, 0, key.length), row))
      }
    })
  }

  /** Throws a StoreError if another process has the store open, or has written to it since it was opened here. */
  requireUnused(): void {
    this.#environment.readerCheck()
    const others = Array.from(this.#environment.readerList().matchAll(READER), ([, pid]) => Number(pid))
    const other = others.find((pid) => pid !== process.pid)
    if (other !== undefined)
      throw new StoreError(`process ${other} uses the store in ${this.path}: end it first`)
    if (newestMeta(this.#file).transaction !== this.#meta.transaction)
      throw new StoreError(`another process has written to the store in ${this.path}: run the command again`)
  }

  /** Closes the store and atomically replaces its file with another one. Throws as `requireUnused` does. */
  async replaceFile(path: string): Promise<void> {
    this.requireUnused()
    await this.close()
    renameSync(path, join(this.path, 'data.mdb'))
  }

  #walks(): TreeWalks {
    const report = (fault: string): never => {
      throw this.#damaged(fault)
    }
    return new TreeWalks({ file: this.#file, meta: this.#meta, report })
  }

  #damaged(fault: string): DamagedFileError {
    return new DamagedFileError(`the store in ${this.path} is damaged: ${fault}: restore it from a backup`)
  }

  #readFormat(dataDir: string): OldFormat {
    const tree = this.#tables.get('meta')
    for (const { key, value } of tree === undefined ? [] : this.#walks().rows('meta', tree)) {
      if (key.toString() !== 'format') continue
      // The row of format 2 is one digit, without a seal.
      const end = value.length > SEAL_BYTES ? value.length - SEAL_BYTES : value.length
      const format = JSON.parse(value.toString('utf8', 0, end)) as number
      if (isOldFormat(format)) return format
      throw format === FORMAT_VERSION ? new PresentFormat() : new StoreError(formatFault(format, dataDir))
    }
    throw new StoreError(`${this.path} has an LMDB environment that is no store`)
  }
}

/** The store needs no conversion. */
class PresentFormat extends Error {}

function newestMeta(file: StoreFile): Meta {
  const { newest, fault } = readMetaPages(file)
  if (newest === undefined) throw new DamagedFileError(`the store's file is damaged: ${fault}`)
  return newest
}
