/** The SQL tables that an import takes: their columns, and the meaning of a row. */
import type { SqlValue } from '../../dump/sql/rowReader.js'
import type { WantedColumn } from '../../dump/sql/sqlScanner.js'
import type { SqlTable } from '../../storage/sqlTables/names.js'

/** One value of one id. */
export interface RowMeaning {
  readonly id: number
  readonly name: string
  readonly value: string
}

export interface TableKind {
  readonly columns: readonly WantedColumn[]
  /** All columns of the table in MediaWiki, for files without CREATE TABLE. */
  readonly usual: readonly string[]
  /** The values are in the order of `columns`. Undefined for a row without use, such as one without a language. */
  read(values: readonly SqlValue[]): RowMeaning | undefined
}

/** Limits of MediaWiki's columns. */
const MAX_CODE_BYTES = 35
const MAX_TITLE_BYTES = 255
/** Longer descriptions would fill the rows of the search index. */
const MAX_DESCRIPTION_BYTES = 1000
const MAX_ID = 2 ** 32 - 2

export const TABLE_KINDS: Readonly<Record<SqlTable, TableKind>> = {
  langlinks: {
    columns: [
      { name: 'll_from', kind: 'number' },
      { name: 'll_lang', kind: 'name' },
      { name: 'll_title', kind: 'text' },
    ],
    usual: ['ll_from', 'll_lang', 'll_title'],
    read: ([id, name, value]) =>
      isId(id) && isShort(name, MAX_CODE_BYTES) && isShort(value, MAX_TITLE_BYTES)
        ? { id, name, value }
        : undefined,
  },
  page_props: {
    columns: [
      { name: 'pp_page', kind: 'number' },
      { name: 'pp_propname', kind: 'name' },
      { name: 'pp_value', kind: 'text' },
    ],
    usual: ['pp_page', 'pp_propname', 'pp_value', 'pp_sortkey'],
    read: ([id, name, value]) => {
      if (!isId(id) || typeof name !== 'string') return undefined
      if (name === 'wikibase-shortdesc')
        return isShort(value, MAX_DESCRIPTION_BYTES) ? { id, name, value } : undefined
      const isPicture = name === 'page_image_free' || name === 'page_image'
      return isPicture && isShort(value, MAX_TITLE_BYTES)
        ? { id, name, value: value.replaceAll(' ', '_') }
        : undefined
    },
  },
  imagelinks: {
    columns: [
      { name: 'il_from', kind: 'number' },
      { name: 'il_to', kind: 'text' },
    ],
    usual: ['il_from', 'il_to', 'il_from_namespace'],
    read: ([id, name]) =>
      isId(id) && isShort(name, MAX_TITLE_BYTES)
        ? { id, name: name.replaceAll(' ', '_'), value: '' }
        : undefined,
  },
}

const isId = (value: SqlValue): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID

const isShort = (value: SqlValue, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && Buffer.byteLength(value) <= most
