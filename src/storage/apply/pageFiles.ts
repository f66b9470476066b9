/** Files that move, go and come back with their pages. Contents on the disk stay as long as a row names them. */
import { FILE } from '../../domain/namespaceIds.js'
import type { FileFacts } from '../../domain/file.js'
import type { Title } from '../../domain/title.js'
import { decodeFileRow, encodeFileRow, readFile, readOwnFile } from '../pages/files.js'
import { forgetSqlRow } from '../sqlTables/sqlTables.js'
import type { Tables } from '../tables/tables.js'
import { writeFile } from './applyFile.js'
import type { WriteContext } from './writeContext.js'

/**
 * Whether the page still has the file that an entry names, or none. In a redacted entry, files may have other names
 * than their pages.
 */
export function isFileAsStated({ file }: Tables, { namespace, dbkey }: Title, name?: string): boolean {
  if (name !== undefined) return file.doesExist(name)
  return namespace !== FILE || !file.doesExist(dbkey)
}

export function moveFile(
  context: WriteContext,
  { from, to }: { readonly from: string; readonly to: string },
  time: number,
): void {
  const facts = removeFile(context, from, time)
  writeFile(context, to, facts, time)
}

export function takeFileAway(context: WriteContext, pageId: number, dbkey: string, time: number): void {
  const { tables } = context
  const before = readDeletedFile(tables, pageId)
  const facts = removeFile(context, dbkey, time)
  tables.deletedFile.putSync(pageId, encodeFileRow(facts))
  if (before !== undefined) noteUnused(context, before, facts)
}

export function bringFileBack(context: WriteContext, pageId: number, dbkey: string, time: number): void {
  const { tables } = context
  const facts = readDeletedFile(tables, pageId)!
  tables.deletedFile.removeSync(pageId)
  writeFile(context, dbkey, facts, time)
}

/** The page goes for good. */
export function forgetDeletedFile(context: WriteContext, pageId: number): void {
  const facts = readDeletedFile(context.tables, pageId)
  if (facts === undefined) return
  context.tables.deletedFile.removeSync(pageId)
  context.forgetEditors([facts.uploader])
  if (facts.sha256 !== null) context.erase({ of: 'contents', sha256: facts.sha256 })
}

/** Has contents removed that a file had before, unless another file has them. */
export function noteUnused(context: WriteContext, { sha256 }: FileFacts, now: FileFacts): void {
  if (sha256 !== null && sha256 !== now.sha256) context.erase({ of: 'unused', sha256 })
}

function readDeletedFile({ deletedFile }: Tables, pageId: number): FileFacts | undefined {
  const row = deletedFile.getBinary(pageId)
  return row && decodeFileRow(row)
}

/** Returns the facts in force. An imported table may name the file too. */
function removeFile(context: WriteContext, dbkey: string, time: number): FileFacts {
  const { tables } = context
  const own = readOwnFile(context, dbkey)!
  const facts = readFile(tables, dbkey)!
  forgetSqlRow(tables, 'image', dbkey)
  writeFile(context, dbkey, null, time)
  noteUnused(context, own, facts)
  return facts
}
