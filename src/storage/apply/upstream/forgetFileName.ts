/** The log names a file in entries of its own, beside those of its page. */
import { hash } from 'node:crypto'
import { FILE } from '../../../domain/namespaceIds.js'
import type { WriteContext } from '../writeContext.js'

/** Call it when a file or its page has gone. The name goes once both have. */
export function forgetFileName(context: WriteContext, dbkey: string): void {
  const { tables } = context
  if (tables.file.doesExist(dbkey) || tables.title.doesExist([FILE, dbkey])) return
  // Files have no ids for pseudonyms.
  const pageId = hash('sha256', dbkey, 'buffer').readUInt32BE(0)
  context.erase({ of: 'title', pageId, title: { namespace: FILE, dbkey }, isInOwnEntry: true })
}
