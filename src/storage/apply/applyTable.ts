/** Puts the rows of an imported SQL table in force. */
import type { TableEntry, Verdict } from '../entries.js'
import { stateAtExchange } from '../sqlTables/settle.js'
import { writeTableState } from '../sqlTables/sqlTables.js'
import type { WriteContext } from './context.js'

/** The writer of the entry then settles the table. */
export function applyTable({ tables, counters }: WriteContext, { table, spare }: TableEntry): Verdict {
  writeTableState(tables, table, stateAtExchange(table, spare.state()))
  if (table === 'image' || table === 'shared_image') counters.fileChanges++
  return { result: 'done' }
}
