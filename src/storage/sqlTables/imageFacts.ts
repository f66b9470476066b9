/** Facts of files from the imported tables `image`: that of the wiki, and that of a shared repository. */
import { type FileFacts, MEDIA_TYPES, type MediaType } from '../../domain/file.js'
import type { Tables } from '../tables/tables.js'
import type { SqlTable } from '../rows/sqlTableNames.js'
import type { Editor } from '../../domain/revision.js'
import { decodeSqlRow, encodeSqlRow, type NamedValues, readSqlRow } from './sqlTables.js'

/** A row as the store keeps it. */
export function valuesOfImage(facts: FileFacts): NamedValues {
  const { sizeBytes, width, height, mediaType, mimeType, sha1, timestamp, uploader } = facts
  return [
    ['height', String(height)],
    ['mediaType', mediaType],
    ['mimeType', mimeType],
    ['sha1', sha1],
    ['sizeBytes', String(sizeBytes)],
    ['timestamp', String(timestamp)],
    ['width', String(width)],
    ...(uploader === undefined ? [] : ([['uploader', JSON.stringify(uploader)]] as const)),
  ]
}

function factsOfImage(values: NamedValues): FileFacts {
  const named = new Map(values)
  const uploader = named.get('uploader')
  return {
    sizeBytes: Number(named.get('sizeBytes')),
    width: Number(named.get('width')),
    height: Number(named.get('height')),
    durationSeconds: null,
    mediaType: named.get('mediaType') as MediaType,
    mimeType: named.get('mimeType') ?? '',
    sha1: named.get('sha1') ?? '',
    uploader: uploader === undefined ? undefined : (JSON.parse(uploader) as FileFacts['uploader']),
    timestamp: Number(named.get('timestamp')),
    sha256: null,
  }
}

/** An earlier upload as a value of the table `oldimage`. */
export const writeOldImage = (facts: FileFacts): string =>
  JSON.stringify(Object.fromEntries(valuesOfImage(facts)))

/** An upload before the present one. */
export interface OldVersion {
  /** The name of its contents in MediaWiki's archive. */
  readonly archiveName: string
  readonly facts: FileFacts
}

/** Earlier uploads of a file from the table `oldimage`, newest first. */
export function oldVersions(tables: Tables, dbkey: string): OldVersion[] {
  const row = readSqlRow(tables, 'oldimage', dbkey)
  if (row === undefined) return []
  return decodeSqlRow(row)
    .map(([archiveName, value]) => ({
      archiveName,
      facts: factsOfImage(Object.entries(JSON.parse(value) as Record<string, string>)),
    }))
    .sort((one, other) => other.facts.timestamp - one.facts.timestamp)
}

/** Whether a row of the table `oldimage` has all facts. */
export const isSoundOldImage = (values: NamedValues): boolean =>
  values.every(([, value]) => isSoundImage(Object.entries(JSON.parse(value) as Record<string, string>)))

/** Whether a row has all facts. */
export function isSoundImage(values: NamedValues): boolean {
  const { sizeBytes, width, height, timestamp, mediaType, mimeType, sha1 } = factsOfImage(values)
  const isCounted = [sizeBytes, width, height, timestamp].every((n) => Number.isSafeInteger(n) && n! >= 0)
  const isTyped = MEDIA_TYPES.includes(mediaType) && mimeType !== ''
  return isCounted && isTyped && /^[0-9a-z]{31}$/.test(sha1)
}

/** Tables whose rows may name who uploaded a file, as dumps of MediaWiki before 1.34 do. */
export const TABLES_WITH_UPLOADERS = [
  'image',
  'oldimage',
  'shared_image',
] as const satisfies readonly SqlTable[]
type TableWithUploaders = (typeof TABLES_WITH_UPLOADERS)[number]

/** A row without those uploaders that `isErased` accepts; undefined if it has none of them. */
export function withoutUploaders(
  table: TableWithUploaders,
  row: Buffer,
  isErased: (uploader: Editor) => boolean,
): Buffer | undefined {
  let isChanged = false
  const isKept = ([name, value]: NamedValues[number]): boolean => {
    if (name !== 'uploader' || !isErased(JSON.parse(value) as Editor)) return true
    isChanged = true
    return false
  }
  const ofOldImage = (value: string): string =>
    JSON.stringify(
      Object.fromEntries(Object.entries(JSON.parse(value) as Record<string, string>).filter(isKept)),
    )
  const values = decodeSqlRow(row)
  const kept =
    table === 'oldimage'
      ? values.map(([name, value]) => [name, ofOldImage(value)] as const)
      : values.filter(isKept)
  return isChanged ? encodeSqlRow(kept) : undefined
}

/**
 * The facts of a file: `own` ones of the table `file`, or those of an imported table. An upload that is newer wins, and
 * the wiki's own table goes before the shared one. Contents in this store hide a shared file of the name.
 */
export function factsInForce(
  tables: Tables,
  dbkey: string,
  own: FileFacts | undefined,
): FileFacts | undefined {
  const local = readImage(tables, 'image', dbkey)
  if (own !== undefined && own.sha256 !== null) {
    if (local === undefined) return own
    // Contents that came from a folder have the time and the user of that import.
    if (local.sha1 === own.sha1)
      return { ...own, timestamp: local.timestamp, uploader: local.uploader ?? own.uploader }
    return local.timestamp > own.timestamp ? local : own
  }
  const stated = local ?? readImage(tables, 'shared_image', dbkey)
  if (own === undefined || stated === undefined) return own ?? stated
  if (stated.sha1 === own.sha1) return { ...stated, ...alsoKnown(own, stated) }
  return stated.timestamp > own.timestamp ? stated : own
}

/** Facts that the table does not have. */
const alsoKnown = (own: FileFacts, { uploader }: FileFacts): Partial<FileFacts> => ({
  durationSeconds: own.durationSeconds,
  uploader: uploader ?? own.uploader,
})

function readImage(tables: Tables, table: 'image' | 'shared_image', dbkey: string): FileFacts | undefined {
  const row = readSqlRow(tables, table, dbkey)
  return row && { ...factsOfImage(decodeSqlRow(row)), isOfWiki: table === 'image' }
}
