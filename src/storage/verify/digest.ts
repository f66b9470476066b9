/** One hash over the state of a store. Stores that hold the same wiki, made by the same steps, have the same hash. */
import { createHash } from 'node:crypto'
import { SQL_TABLES } from '../rows/sqlTableNames.js'
import { rangeOf, readTableState } from '../sqlTables/sqlTables.js'
import { withoutRun } from '../rows/rows.js'
import { DIGESTED_TABLES, type Table, type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'

const DIGESTED_META = [
  'dumpSite',
  'siteSettings',
  'interwiki',
  'botAccounts',
  'counters',
  'position',
  'logStart',
]
/** Rows of stores that follow a wiki. */
const META_OF_FOLLOWING = ['upstream', 'upstreamInterwiki']

/**
 * SHA-256 in hex over all rows of the state tables in their order. A length precedes each key and each value. Texts
 * enter as the SHA-1 in their history rows, so their packing does not matter, nor do the runs in title rows. The
 * digest is therefore only proof of the texts if `verify` has checked these SHA-1s.
 *
 * Of SQL tables, the rows in force count. A store without such tables, which follows no wiki, has the digest of earlier
 * versions.
 *
 * Derived tables, the store's own id and the marker of a running import are left out. Without the log, the digest
 * covers the wiki, but not the steps that made it.
 */
export function digestStore(store: TableHolder, { withLog = true } = {}): string {
  const hash = createHash('sha256')
  const field = (bytes: Buffer): void => {
    const length = Buffer.allocUnsafe(4)
    length.writeUInt32BE(bytes.length, 0)
    hash.update(length).update(bytes)
  }
  for (const name of DIGESTED_META) {
    if ((name === 'position' || name === 'logStart') && !withLog) continue
    field(Buffer.from(name))
    field(store.tables.meta.getBinary(name) ?? Buffer.alloc(0))
  }
  for (const name of META_OF_FOLLOWING) {
    const row = store.tables.meta.getBinary(name)
    if (row === undefined) continue
    field(Buffer.from(name))
    field(row)
  }
  for (const name of DIGESTED_TABLES) {
    if ((name === 'log' || name === 'entry') && !withLog) continue
    field(Buffer.from(name))
    for (const { key, value } of rows(store.tables, name)) {
      field(Buffer.from(JSON.stringify(key)))
      field(name === 'title' ? withoutRun(value) : value)
    }
  }
  for (const name of ['logEvent', 'deletedFile'] as const) {
    let hasRows = false
    for (const { key, value } of store.tables[name].getRange(WHOLE_TABLE)) {
      if (!hasRows) field(Buffer.from(name))
      hasRows = true
      field(Buffer.from(String(key)))
      field(value)
    }
  }
  digestSqlTables(store.tables, field)
  return hash.digest('hex')
}

/** The rows in force, with the names of their tables. */
function digestSqlTables(tables: Tables, field: (bytes: Buffer) => void): void {
  for (const table of SQL_TABLES) {
    const state = readTableState(tables, table)
    if (state === undefined) continue
    field(Buffer.from(`${table} ${state.ids}`))
    for (const { key, value } of tables.sqlRow.getRange(rangeOf(state.set, table))) {
      field(Buffer.from(String(key[2])))
      field(value)
    }
  }
}

function rows(
  tables: Tables,
  name: (typeof DIGESTED_TABLES)[number],
): Iterable<{ key: unknown; value: Buffer }> {
  return (tables[name] as Table<unknown>).getRange(WHOLE_TABLE)
}
