/** The table `image`: facts of the present upload of each file. */
import { createHash } from 'node:crypto'
import { type FileFacts, MEDIA_TYPES, sha1Base36 } from '../../domain/file.js'
import { mediaTypeOf, UNKNOWN_MIME_TYPE } from '../../domain/mediaTypes.js'
import type { Editor } from '../../domain/revision.js'
import type { SqlValue } from '../../dump/sql/rowReader.js'
import { valuesOfImage } from '../../storage/sqlTables/imageFacts.js'
import type { TableKind } from './tableKind.js'
import { isCount, isId, isShort, MAX_TITLE_BYTES, parseSqlTime } from './values.js'

const MAX_PIXELS = 10_000_000
const MAX_BYTES = 2 ** 50

export const imageKind: TableKind = {
  columns: [
    { name: 'img_name', kind: 'text' },
    { name: 'img_size', kind: 'number' },
    { name: 'img_width', kind: 'number' },
    { name: 'img_height', kind: 'number' },
    { name: 'img_media_type', kind: 'name' },
    { name: 'img_major_mime', kind: 'name' },
    { name: 'img_minor_mime', kind: 'name' },
    { name: 'img_timestamp', kind: 'text' },
    { name: 'img_sha1', kind: 'text' },
    // MediaWiki before 1.34. Later versions have the number of an actor, whose table is not published.
    { name: 'img_user', kind: 'number', isOptional: true },
    { name: 'img_user_text', kind: 'text', isOptional: true },
  ],
  usual: [
    'img_name',
    'img_size',
    'img_width',
    'img_height',
    'img_metadata',
    'img_bits',
    'img_media_type',
    'img_major_mime',
    'img_minor_mime',
    'img_description_id',
    'img_actor',
    'img_timestamp',
    'img_sha1',
  ],
  read([name, size, width, height, mediaType, major, minor, time, sha1, userId, userName]) {
    const timestamp = parseSqlTime(time)
    if (!isShort(name, MAX_TITLE_BYTES) || timestamp === undefined) return undefined
    if (!isCount(size, MAX_BYTES) || !isCount(width, MAX_PIXELS) || !isCount(height, MAX_PIXELS))
      return undefined
    const mimeType = mimeTypeOf(major, minor)
    const facts: FileFacts = {
      sizeBytes: size,
      width,
      height,
      durationSeconds: null,
      mediaType: MEDIA_TYPES.find((each) => each === mediaType) ?? mediaTypeOf(mimeType),
      mimeType,
      sha1: sha1Of(sha1) ?? standIn(name, timestamp, size),
      uploader: uploaderOf(userId, userName),
      timestamp,
      sha256: null,
    }
    return { id: name.replaceAll(' ', '_'), values: valuesOfImage(facts) }
  },
}

/** MediaWiki writes `unknown/unknown` for files that it does not know. */
function mimeTypeOf(major: SqlValue, minor: SqlValue): string {
  const type = `${major}/${minor}`
  return major !== 'unknown' && /^[a-z0-9]{1,32}\/[a-z0-9.+-]{1,100}$/.test(type) ? type : UNKNOWN_MIME_TYPE
}

const sha1Of = (value: SqlValue): string | undefined =>
  typeof value === 'string' && /^[0-9a-z]{1,31}$/.test(value) ? value.padStart(31, '0') : undefined

/** Placeholder where the table has no SHA-1. Clients detect a new upload by the hash. */
const standIn = (...upload: readonly unknown[]): string =>
  sha1Base36(createHash('sha1').update(JSON.stringify(upload)).digest('hex'))

const uploaderOf = (id: SqlValue, name: SqlValue): Editor | undefined =>
  isShort(name, MAX_TITLE_BYTES) ? { id: isId(id) ? id : null, name } : undefined
