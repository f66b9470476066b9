/** Puts the rows of an imported SQL table in force. */
import type { TableEntry, Verdict } from '../entries.js'
import { readMeta, writeMeta } from '../meta.js'
import type { WriteContext } from './context.js'

/** Pages with other properties wait for the bulk build of the search index. */
export function applyTable({ tables, indexing }: WriteContext, { table, spare }: TableEntry): Verdict {
  // An open range does not survive writes.
  const changed = table === 'page_props' ? [...spare.changedIds()] : []
  for (const pageId of changed) indexing.queue(pageId)
  writeMeta(tables, 'sqlTables', { ...readMeta(tables, 'sqlTables'), [table]: spare.state() })
  return { result: 'done' }
}
