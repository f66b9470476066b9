/**
 * A store of an older format, opened for conversion. Plain file reads get its rows and check every page, since rows of
 * that format have no seals. LMDB only tells which processes use the store.
 */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { DamagedFileError, StoreError } from '../errors.js'
import { type Meta, readMetaPages } from '../file/metaPages.js'
import { StoreFile, type TreeHead } from '../file/storeFile.js'
import { type RawRow, tableTrees, TreeWalks } from '../file/treeWalk.js'
import { FORMAT_VERSION } from '../meta.js'
import { checkOrMakeFolder, openRoot } from '../openStore.js'
import { SEAL_BYTES } from '../rows/seal.js'
import { formatFault, OLD_FORMAT } from './formats.js'

/** A line of lmdb's reader list begins with a process id. */
const READER = /^\s*(\d+) [0-9a-f]+ /gm

export class OldStore {
  /** The folder of the store. */
  readonly path: string
  readonly #file: StoreFile
  readonly #meta: Meta
  readonly #environment: RootDatabase
  readonly #tables: ReadonlyMap<string, TreeHead>
  #isClosed = false

  private constructor(path: string, file: StoreFile, meta: Meta, environment: RootDatabase) {
    this.path = path
    this.#file = file
    this.#meta = meta
    this.#environment = environment
    const walks = this.#walks()
    this.#tables = new Map(Array.from(tableTrees(walks, meta), ({ name, tree }) => [name, tree]))
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
    let old: OldStore | undefined
    try {
      old = new OldStore(path, file, newestMeta(file), environment)
      const format = old.#format()
      if (format === FORMAT_VERSION) return undefined
      if (format !== OLD_FORMAT) throw new StoreError(formatFault(format, dataDir))
      old.requireUnused()
      const opened = old
      old = undefined
      return opened
    } finally {
      if (old !== undefined) await old.close()
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

  /** The rows of a table in key order. Throws a DamagedFileError if a page is damaged. */
  *rows(table: string): Generator<RawRow> {
    const tree = this.#tables.get(table)
    if (tree !== undefined) yield* this.#walks().rows(table, tree)
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
      throw new DamagedFileError(`the store in ${this.path} is damaged: ${fault}: restore it from a backup`)
    }
    return new TreeWalks({ file: this.#file, meta: this.#meta, report })
  }

  #format(): number {
    for (const { key, value } of this.rows('meta')) {
      if (key.toString() !== 'format') continue
      // Rows of the current format end with a seal.
      const end = value.length > SEAL_BYTES ? value.length - SEAL_BYTES : value.length
      return JSON.parse(value.toString('utf8', 0, end)) as number
    }
    throw new StoreError(`${this.path} has an LMDB environment that is no store`)
  }
}

function newestMeta(file: StoreFile): Meta {
  const { newest, fault } = readMetaPages(file)
  if (newest === undefined) throw new DamagedFileError(`the store's file is damaged: ${fault}`)
  return newest
}
