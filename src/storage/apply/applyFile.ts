/** Writes or removes the facts of one file. Its contents were written to disk before. */
import type { FileFacts } from '../../domain/file.js'
import { FILE } from '../../domain/namespaceIds.js'
import type { FileEntry, Verdict } from '../entries/entries.js'
import { encodeFileRow, readOwnFile } from '../pages/files.js'
import { readMeta } from '../tables/meta.js'
import { dropUsesOf } from '../html/renderings.js'
import type { WriteContext } from './writeContext.js'

export function applyFile(context: WriteContext, { dbkey, facts, time }: FileEntry): Verdict {
  const before = readOwnFile(context, dbkey)
  if (facts === null && before === undefined) return { result: 'missing' }
  writeFile(context, dbkey, facts, time)
  // One machine removes contents with the command that removes the file. Other nodes see the entry alone.
  const lost = before?.sha256 ?? null
  const isNode = readMeta(context.tables, 'membership') !== undefined
  if (isNode && lost !== null && lost !== facts?.sha256) context.erase({ of: 'unused', sha256: lost })
  return { result: 'done' }
}

/** Makes the store have these facts, or no such file. Returns whether that changed anything. */
export function writeFile(
  { tables, counters, hasRenderings }: WriteContext,
  dbkey: string,
  facts: FileFacts | null,
  time: number,
): boolean {
  const before = tables.file.getBinary(dbkey)
  if (facts === null) {
    if (before === undefined) return false
    tables.file.removeSync(dbkey)
    counters.files--
  } else {
    const row = encodeFileRow(facts)
    if (before?.equals(row)) return false
    tables.file.putSync(dbkey, row)
    if (before === undefined) counters.files++
  }
  if (hasRenderings) dropUsesOf(tables, { namespace: FILE, dbkey }, 'existence')
  counters.fileChanges++
  counters.filesTime = Math.max(counters.filesTime, time)
  return true
}
