/** Imports a file of SQL tables: each table that the store keeps replaces what it brought before. */
import { DumpError } from '../../dump/dumpError.js'
import type { DumpSource } from '../../dump/openDump.js'
import { readTables } from '../../dump/sql/readTables.js'
import type { Applier } from '../../storage/apply/applier.js'
import { derivedEntryId } from '../../storage/entries/entryIds.js'
import { SQL_TABLES } from '../../storage/rows/sqlTableNames.js'
import type { Store } from '../../storage/store.js'
import type { Notice } from '../notices.js'
import { TABLE_KINDS } from './tableKinds.js'
import { type ReadTable, TableReader } from './tableReader.js'

export interface TableCounts {
  /** Rows of the tables that the store keeps. */
  readonly rows: number
  /** Of these, rows of pages that are not here, and rows without use. */
  readonly foreignRows: number
  /** Rows left out because they cannot be read. */
  readonly skippedRows: number
  /** Tables that differ from before. */
  readonly changedTables: number
}

export interface TableImportOptions {
  readonly store: Store
  readonly applier: Applier
  readonly source: DumpSource
  readonly tell: (notice: Notice) => void
  /** The table `image` is that of a repository that many wikis share. Other tables are skipped. */
  readonly isShared?: boolean
  /** Called after each piece of the file. May throw to stop the import: then nothing changes. */
  readonly onPiece: () => void
}

export class TableImport {
  #skippedRows = 0
  #changedTables = 0
  readonly #options: TableImportOptions
  readonly #reader: TableReader

  constructor(options: TableImportOptions) {
    this.#options = options
    this.#reader = new TableReader(options.store, {
      only: options.isShared ? 'shared_image' : undefined,
      onTable: (table) => {
        if (table === 'image') requireOwnFiles(options)
      },
      onBadRow: (table, row) => {
        this.#skippedRows++
        const reason = `row ${row} of the table ${table} has bytes that are not UTF-8`
        options.tell({ kind: 'table-row', leftOut: 'row', reason })
      },
    })
  }

  /** What was read so far. */
  get counts(): TableCounts {
    const tables = [...this.#reader.found.values()]
    return {
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      foreignRows: tables.reduce((sum, { foreign }) => sum + foreign, 0),
      skippedRows: this.#skippedRows,
      changedTables: this.#changedTables,
    }
  }

  /**
   * Reads the file and puts its tables in force, each at once. The same tables again change nothing. If the file cannot
   * be read to its end, its rows up to there replace earlier ones of the same pages, and the DumpError is thrown.
   */
  async run(): Promise<void> {
    const { source, onPiece } = this.#options
    try {
      for await (const _ of readTables(source, this.#reader)) onPiece()
    } catch (error) {
      if (error instanceof DumpError) this.#finish(null)
      else this.#reader.drop()
      throw error
    }
    this.#finish(source.sha256())
    if (this.#reader.found.size === 0) throw noTable(this.#options, this.#reader.skipped)
  }

  #finish(sha256: string | null): void {
    this.#reader.flush()
    for (const read of this.#reader.found.values()) {
      if (sha256 === null) read.spare.keepRest()
      if (!read.spare.isInForce()) this.#putInForce(read, sha256)
      read.spare.clear()
    }
  }

  #putInForce({ spare, rows }: ReadTable, sha256: string | null): void {
    const { store, applier, source } = this.#options
    const { table } = spare
    const dump = source.name
    const id = derivedEntryId(store.position().sequence, 'table', table, dump, sha256, rows)
    const { time } = store.counters()
    applier.submit({ kind: 'table', id, time, table, dump, sha256, rows, spare })
    this.#changedTables++
  }
}

/** Throws a DumpError if the name of the file states another wiki: millions of files would come into this one. */
function requireOwnFiles({ store, source }: TableImportOptions): void {
  const { wikiId } = store.site()
  const stated = /^([a-z0-9_]*wik[a-z0-9_]*)-(?:\d{8}|latest)-/.exec(source.name)?.[1]
  if (wikiId === '' || stated === undefined || stated === wikiId) return
  throw new DumpError(
    `is a table of ${stated}, but the store holds ${wikiId}: add --shared if this wiki uses files of ${stated}`,
  )
}

function noTable({ source, isShared }: TableImportOptions, skipped: ReadonlySet<string>): DumpError {
  const found = [...skipped].slice(0, 5).join(', ')
  const taken = isShared ? 'of a shared repository it takes image' : `it takes ${TAKEN.join(', ')}`
  return new DumpError(`has only tables that the import does not use (${found}): ${taken}`, {
    dumpName: source.name,
  })
}

const TAKEN = SQL_TABLES.filter((table) => TABLE_KINDS[table].sqlName === undefined)
