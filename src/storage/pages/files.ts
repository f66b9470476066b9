/** Rows of the table `file`: the facts of each file as JSON, under the dbkey of its page. */
import { FILE } from '../../domain/namespaceIds.js'
import { type FileFacts } from '../../domain/file.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle } from '../../domain/title.js'
import { decodePageRow, titleRowPageId } from '../rows/rows.js'
import { factsInForce } from '../sqlTables/imageFacts.js'
import { type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import type { TitleRange } from './pageLists.js'

/** A file with the dbkey of its page. */
export interface NamedFile {
  readonly dbkey: string
  readonly facts: FileFacts
}

/** Gives the same bytes for the same facts, since the digest covers the rows. */
export function encodeFileRow(facts: FileFacts): Buffer {
  const { sizeBytes, width, height, durationSeconds, mediaType, mimeType, sha1, timestamp, sha256 } = facts
  const uploader = facts.uploader && { id: facts.uploader.id, name: facts.uploader.name }
  return Buffer.from(
    JSON.stringify({
      sizeBytes,
      width,
      height,
      durationSeconds,
      mediaType,
      mimeType,
      sha1,
      uploader,
      timestamp,
      sha256,
    }),
  )
}

/** `bytes` may be a view. */
export function decodeFileRow(bytes: Buffer): FileFacts {
  return JSON.parse(bytes.toString('utf8', 0, bytes.length)) as FileFacts
}

/** The facts of the table `file`, which came with an upload, a dump or a description. */
export function readOwnFile({ tables }: TableHolder, dbkey: string): FileFacts | undefined {
  const bytes = tables.file.getBinaryFast(dbkey)
  return bytes === undefined ? undefined : decodeFileRow(bytes)
}

/** The facts of a file, also of one that only an imported SQL table names. */
export const readFile = (tables: Tables, dbkey: string): FileFacts | undefined =>
  factsInForce(tables, dbkey, readOwnFile({ tables }, dbkey))

/**
 * A file by the name of its page. If that page redirects to another file's page, that file; only one redirect is
 * followed.
 */
export function findFile(tables: Tables, namespaces: Namespaces, dbkey: string): NamedFile | undefined {
  const facts = readFile(tables, dbkey)
  if (facts !== undefined) return { dbkey, facts }
  const row = tables.title.getBinaryFast([FILE, dbkey])
  const page = row && tables.page.getBinaryFast(titleRowPageId(row))
  const target = page && decodePageRow(page).redirectTarget
  const parsed = target === undefined ? undefined : parseTitle(target, namespaces)
  if (!parsed?.ok || parsed.title.namespace !== FILE) return undefined
  const targetFacts = readFile(tables, parsed.title.dbkey)
  return targetFacts && { dbkey: parsed.title.dbkey, facts: targetFacts }
}

export interface FileSlice {
  /** Begins after the file with this name. */
  readonly after: string | undefined
  readonly limit: number
}

/** Rows of the table `file`, ordered by the UTF-8 bytes of their names; all of them without a slice. */
export function* listFiles(
  { file }: Tables,
  { after, limit }: FileSlice = { after: undefined, limit: Infinity },
): Iterable<NamedFile> {
  let left = limit
  for (const { key, value } of file.getRange({ start: after })) {
    if (key === after) continue
    if (left-- <= 0) return
    yield { dbkey: key, facts: decodeFileRow(value) }
  }
}

/** Files that were deleted with their pages, and whose contents are kept. There are few. */
export function* deletedFiles({ deletedFile, page }: Tables): Iterable<NamedFile> {
  for (const { key, value } of deletedFile.getRange(WHOLE_TABLE)) {
    const row = page.getBinary(key)
    if (row !== undefined) yield { dbkey: decodePageRow(row).dbkey, facts: decodeFileRow(value) }
  }
}

/** Files whose contents are kept: all there are, and then the deleted ones. */
export function* keptFiles(tables: Tables): Iterable<NamedFile> {
  yield* listFiles(tables)
  yield* deletedFiles(tables)
}

/** The same in slices of `limit` files; the deleted ones are the last slice. The table may change between slices. */
export function* keptFilesInSlices(tables: Tables, limit: number): Iterable<readonly NamedFile[]> {
  for (let after: string | undefined; ;) {
    const files = [...listFiles(tables, { after, limit })]
    after = files.at(-1)?.dbkey
    if (after === undefined) break
    yield files
  }
  yield [...deletedFiles(tables)]
}

/** Names of at most `limit` files whose contents have a SHA-1. */
export function filesWithContents({ file }: Tables, sha1: string, limit: number): string[] {
  const names: string[] = []
  const wanted = JSON.stringify(sha1)
  for (const { key, value } of file.getRange(WHOLE_TABLE)) {
    // Most rows need no decoding.
    if (!value.includes(wanted) || decodeFileRow(value).sha1 !== sha1) continue
    names.push(key)
    if (names.length === limit) break
  }
  return names
}

/** Rows of the table `file` in a range of names, or the other way round. Both ends are included. */
export function* walkFiles(
  tables: Tables,
  { from, to, prefix, isReverse }: TitleRange,
): Generator<NamedFile, void> {
  const [low, high] = isReverse ? [to, from] : [from, to]
  const bottom = low ?? prefix ?? FIRST_NAME
  const top = high ?? (prefix === undefined ? LAST_NAME : prefix + LAST_NAME)
  const [start, end] = isReverse ? [top, bottom] : [bottom, top]
  const shown = (dbkey: string): NamedFile | undefined => {
    const facts = prefix === undefined || dbkey.startsWith(prefix) ? readFile(tables, dbkey) : undefined
    return facts && { dbkey, facts }
  }
  for (const dbkey of tables.file.getKeys({ start, end, reverse: isReverse })) {
    const file = shown(dbkey)
    if (file !== undefined) yield file
  }
  // LMDB leaves out the end of a range.
  const last = tables.file.doesExist(end) ? shown(end) : undefined
  if (last !== undefined) yield last
}

/** Below and above all names. */
const FIRST_NAME = '\u0001'
const LAST_NAME = '\u{10ffff}'
