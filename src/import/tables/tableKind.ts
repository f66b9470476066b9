/** What an import knows of an SQL table: its columns, and the meaning of a row. */
import type { SqlValue } from '../../dump/sql/rowReader.js'
import type { WantedColumn } from '../../dump/sql/sqlScanner.js'
import type { SqlId } from '../../storage/rows/keys.js'
import type { NamedValues } from '../../storage/sqlTables/sqlTables.js'

/** Values of one id. */
export interface RowMeaning {
  readonly id: SqlId
  readonly values: NamedValues
}

export interface TableKind {
  /** The table's name in a file, if it is another one. */
  readonly sqlName?: string
  readonly columns: readonly WantedColumn[]
  /** A file needs one of these optional columns. */
  readonly needsOneOf?: readonly string[]
  /** All columns of the table in MediaWiki, for files without CREATE TABLE. */
  readonly usual: readonly string[]
  /** The values are in the order of `columns`. Undefined for a row without use, such as one without a language. */
  read(values: readonly SqlValue[]): RowMeaning | undefined
}
