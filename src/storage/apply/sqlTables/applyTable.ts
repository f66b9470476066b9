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

/** In a row: the address with `$1`. The id is the prefix. */
export const URL_NAME = 'url'

/** The whole map. Prefixes that are codes of languages make language links, as in MediaWiki. */
function readInterwikiTable(tables: Tables): Interwiki[] {
  const state = readTableState(tables, 'interwiki')
  const rows = state === undefined ? [] : [...tables.sqlRow.getRange(rangeOf(state.set, 'interwiki'))]
  return rows.map(({ key, value }) => {
    const prefix = String(key[2])
    const language = languageName(prefix)
    const url = new Map(decodeSqlRow(value)).get(URL_NAME) ?? ''
    return language === undefined ? { prefix, url } : { prefix, url, language }
  })
}
