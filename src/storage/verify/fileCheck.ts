/** Checks the rows of files. The comparison with the contents on disk is elsewhere. */
import { isSha256, MEDIA_TYPES } from '../../domain/file.js'
import { decodeFileRow, encodeFileRow } from '../pages/files.js'
import { readCounters } from '../tables/meta.js'
import { soundRows, type VerifyContext } from './context.js'

/** Checks that every row can be decoded and encodes to the same bytes, and that the counter of files is correct. Files
 * that were deleted belong to pages. */
export function checkFileRows(context: VerifyContext): void {
  const { tables, report } = context
  let rows = 0
  for (const { key, value } of soundRows(context, 'file', tables.file)) {
    rows++
    if (!isSound(value)) report(`file "${key}": its row is damaged`)
  }
  for (const { key, value } of soundRows(context, 'deletedFile', tables.deletedFile)) {
    if (!isSound(value)) report(`deleted file of page ${key}: its row is damaged`)
    if (!tables.page.doesExist(key)) report(`deleted file of page ${key}: the page has no row`)
  }
  const { files } = readCounters(tables)
  if (files !== rows) report(`counters: files says ${files}, found ${rows}`)
}

function isSound(row: Buffer): boolean {
  try {
    const facts = decodeFileRow(row)
    return (
      encodeFileRow(facts).equals(row) &&
      MEDIA_TYPES.includes(facts.mediaType) &&
      /^[0-9a-z]{31}$/.test(facts.sha1) &&
      (facts.sha256 === null || isSha256(facts.sha256))
    )
  } catch {
    return false
  }
}
