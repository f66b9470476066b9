/** Puts the rows of an imported SQL table in force. */
import type { TableEntry, Verdict } from '../entries/entries.js'
import { stateAtExchange } from './sqlTables/settle.js'
import { readInterwikiTable } from '../sqlTables/interwikiTable.js'
import { writeTableState } from '../sqlTables/sqlTables.js'
import { mirrorSettings } from './upstream/mirrorSettings.js'
import type { WriteContext } from './writeContext.js'

/** The writer of the entry then settles the table. */
export function applyTable(context: WriteContext, { table, spare }: TableEntry): Verdict {
  const { tables, counters } = context
  writeTableState(tables, table, stateAtExchange(table, spare.state()))
  if (table === 'image' || table === 'shared_image') counters.fileChanges++
  if (table === 'interwiki') mirrorSettings(context, { interwiki: readInterwikiTable(tables) })
  return { result: 'done' }
}
