/** The map of the imported table `interwiki`. */
import type { Interwiki } from '../../domain/interwiki.js'
import { languageName } from '../../domain/languageNames.js'
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, rangeOf, readTableState } from './sqlTables.js'

/** In a row: the address with `$1`. The id is the prefix. */
export const URL_NAME = 'url'

/** The whole map. Prefixes that are codes of languages make language links, as in MediaWiki. */
export function readInterwikiTable(tables: Tables): Interwiki[] {
  const state = readTableState(tables, 'interwiki')
  const rows = state === undefined ? [] : [...tables.sqlRow.getRange(rangeOf(state.set, 'interwiki'))]
  return rows.map(({ key, value }) => {
    const prefix = String(key[2])
    const language = languageName(prefix)
    const url = new Map(decodeSqlRow(value)).get(URL_NAME) ?? ''
    return language === undefined ? { prefix, url } : { prefix, url, language }
  })
}
