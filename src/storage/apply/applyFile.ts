/** Writes or removes the facts of one file. Its contents were written to disk before. */
import { FILE } from '../../domain/namespaceIds.js'
import type { FileEntry, Verdict } from '../entries.js'
import { encodeFileRow } from '../files.js'
import { dropUsesOf } from '../renderings.js'
import type { WriteContext } from './context.js'

export function applyFile(
  { tables, counters, hasRenderings }: WriteContext,
  { dbkey, facts, time }: FileEntry,
): Verdict {
  const before = tables.file.getBinary(dbkey)
  if (facts === null) {
    if (before === undefined) return { result: 'missing' }
    tables.file.removeSync(dbkey)
    counters.files--
  } else {
    const row = encodeFileRow(facts)
    if (before?.equals(row)) return { result: 'done' }
    tables.file.putSync(dbkey, row)
    if (before === undefined) counters.files++
  }
  if (hasRenderings) dropUsesOf(tables, { namespace: FILE, dbkey }, 'existence')
  counters.fileChanges++
  counters.filesTime = Math.max(counters.filesTime, time)
  return { result: 'done' }
}
