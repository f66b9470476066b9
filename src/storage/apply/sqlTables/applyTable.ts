/** Puts the rows of an imported SQL table in force. */
import type { TableEntry, Verdict } from '../../entries/entries.js'
import { stateAtExchange } from './settle.js'
import { decodeSqlRow, rangeOf, readTableState, writeTableState } from '../../sqlTables/sqlTables.js'
import { mirrorSettings } from '../upstream/mirrorSettings.js'
import type { WriteContext } from '../writeContext.js'
import type { Interwiki } from '../../../domain/interwiki.js'
import { languageName } from '../../../domain/languageNames.js'
import type { Tables } from '../../tables/tables.js'

/** The writer of the entry then settles the table. */
export function applyTable(context: WriteContext, { table, spare }: TableEntry): Verdict {
  const { tables, counters } = context
  writeTableState(tables, table, stateAtExchange(table, spare.state()))
  if (table === 'image' || table === 'shared_image') counters.fileChanges++
  if (table === 'interwiki') mirrorSettings(context, { interwiki: readInterwikiTable(tables) })
  return { result: 'done' }
}

/** In a row: the address with `$1`, and 1 or 0 for a wiki that is local or not. The id is the prefix. */
export const URL_NAME = 'url'
export const LOCAL_NAME = 'local'

/** The whole map. Prefixes that are codes of languages make language links, as in MediaWiki. */
function readInterwikiTable(tables: Tables): Interwiki[] {
  const state = readTableState(tables, 'interwiki')
  const rows = state === undefined ? [] : [...tables.sqlRow.getRange(rangeOf(state.set, 'interwiki'))]
  return rows.map(({ key, value }) => {
    const prefix = String(key[2])
    const language = languageName(prefix)
    const values = new Map(decodeSqlRow(value))
    const isUsual = !values.has(LOCAL_NAME) || (values.get(LOCAL_NAME) === '1') === (language !== undefined)
    return {
      prefix,
      url: values.get(URL_NAME) ?? '',
      ...(language !== undefined && { language }),
      ...(!isUsual && { local: language === undefined }),
    }
  })
}
