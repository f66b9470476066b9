/**
 * Rows of the index of links. All of them are derived, and each of the two search indexes has its own set.
 *
 *     pageLinks    page u32 → 0 latest revision u32   4 source of each kind, six u8   10 lists, see below
 *     linkSource   kind u8, namespace u16, name, 0, first page u32 → 0 further rows follow u8   1 pages, see below
 *
 *     kinds        0 link   1 template   2 file   3 redirect   4 external   5 interwiki
 *     source       0 the page's own text   1 a rendering   2 an imported table   +128 the table has news of the page
 *     lists        one for each kind, with two NUL between them. A list has its targets in order, NUL between them:
 *                  U+0001 if the page's own text does not name the target, then the namespace plus 2 as one letter,
 *                  then the name
 *     pages        distances as varints, each from the page before; the first from the page in the key
 *
 * A target is in one row with page 0 in its key. When that gets too long, it is split: a row has the pages from the one
 * in its key up to the one in the next key.
 */
import { firstBytes } from '../../domain/utf8.js'
import { LINK_KINDS, type LinkKind } from '../../wikitext/pageTargets.js'
import type { KeyCodec } from './keys.js'

const LINK_SOURCES = ['text', 'rendering', 'table'] as const

export interface LinkEntry {
  /** See `targetOf`. */
  readonly target: string
  /** The page's own text names the target. A rendering or a table may know others. */
  readonly isLiteral: boolean
}

/** The targets of one kind on a page. */
export interface LinkList {
  readonly source: (typeof LINK_SOURCES)[number]
  /** The imported table has news of the page. */
  readonly awaitsTable: boolean
  /** Ordered by target. */
  readonly entries: readonly LinkEntry[]
}

/** All targets of one page. */
export interface LinksOfPage {
  readonly latestId: number
  readonly lists: Readonly<Record<LinkKind, LinkList>>
}

export type LinkKey = readonly [kind: number, target: string, firstPage: number]

const NUL = '\0'
const LIST_END = '\0\0'
const NOT_LITERAL = '\u0001'
const HEAD = 4 + LINK_KINDS.length
const AWAITS_TABLE = 128

export const NO_LINKS: LinkList = { source: 'text', awaitsTable: false, entries: [] }

export function encodeLinks({ latestId, lists }: LinksOfPage): Buffer {
  const text = LINK_KINDS.map((kind) =>
    lists[kind].entries.map(({ target, isLiteral }) => (isLiteral ? target : NOT_LITERAL + target)).join(NUL),
  ).join(LIST_END)
  const row = Buffer.allocUnsafe(HEAD + Buffer.byteLength(text))
  row.writeUInt32BE(latestId, 0)
  for (const [n, kind] of LINK_KINDS.entries()) {
    const { source, awaitsTable } = lists[kind]
    row[4 + n] = LINK_SOURCES.indexOf(source) | (awaitsTable ? AWAITS_TABLE : 0)
  }
  row.write(text, HEAD)
  return row
}

export function decodeLinks(row: Buffer): LinksOfPage {
  const texts = row.toString('utf8', HEAD, row.length).split(LIST_END)
  const lists = LINK_KINDS.map((kind, n): [LinkKind, LinkList] => {
    const text = texts[n] ?? ''
    const source = LINK_SOURCES[row[4 + n]! & ~AWAITS_TABLE] ?? 'text'
    const awaitsTable = (row[4 + n]! & AWAITS_TABLE) !== 0
    return [kind, { source, awaitsTable, entries: text === '' ? [] : text.split(NUL).map(entryOf) }]
  })
  return { latestId: row.readUInt32BE(0), lists: Object.fromEntries(lists) as LinksOfPage['lists'] }
}

const entryOf = (text: string): LinkEntry =>
  text.startsWith(NOT_LITERAL)
    ? { target: text.slice(1), isLiteral: false }
    : { target: text, isLiteral: true }

/** The first byte of a row: other rows of the target follow. */
const MORE = 1
/** A longer row is split. Two rows of this length and their keys fit one page of LMDB. */
const MAX_ROW_BYTES = 1500
/** Rows that grow at the end are filled to this length; others keep room on both sides. */
const FILL_BYTES = 1400
const SPLIT_BYTES = 1000

/** Whether other rows of the target follow the row with page 0. */
export const hasMoreRows = (row: Buffer): boolean => row[0] === MORE

/** Pages in a row, in order. `first` is the page in its key. */
export function decodeSources(row: Buffer, first: number): number[] {
  const pages: number[] = []
  let page = first
  for (let at = 1; at < row.length;) {
    let distance = 0
    let factor = 1
    for (; row[at]! >= 128; factor *= 128) distance += (row[at++]! & 127) * factor
    page += distance + row[at++]! * factor
    pages.push(page)
  }
  return pages
}

/** Number of pages in a row. Each distance ends with a byte below 128. */
export function countSources(row: Buffer): number {
  let count = 0
  for (let at = 1; at < row.length; at++) if (row[at]! < 128) count++
  return count
}

interface SourceRow {
  readonly first: number
  readonly row: Buffer
}

/** Rows for the pages that a row with this page in its key had room for. All pages are in order. */
export function encodeSources(first: number, pages: readonly number[], growsAtEnd: boolean): SourceRow[] {
  const { bytes, ends } = encodeDistances(first, pages)
  const end = ends.at(-1) ?? 0
  if (end < MAX_ROW_BYTES) return [{ first, row: rowOf(0, bytes.subarray(0, end)) }]
  const room = growsAtEnd ? FILL_BYTES : SPLIT_BYTES
  const rows: SourceRow[] = []
  // After the first row, the first page of each is in its key: its distance is 0.
  for (let from = 0; from < pages.length;) {
    const isHead = from === 0
    const start = isHead ? 0 : ends[from]!
    const left = end - start + Number(!isHead)
    let to = pages.length
    if (left >= MAX_ROW_BYTES) for (to = from + 1; ends[to]! - start + Number(!isHead) <= room;) to++
    const row = bytes.subarray(start, ends[to - 1])
    rows.push(isHead ? { first, row: rowOf(0, row) } : { first: pages[from]!, row: rowOf(1, row) })
    from = to
  }
  return rows
}

/** Distances between pages, and where each ends. */
function encodeDistances(first: number, pages: readonly number[]): { bytes: Buffer; ends: Uint32Array } {
  const bytes = Buffer.allocUnsafe(5 * pages.length)
  const ends = new Uint32Array(pages.length)
  let end = 0
  let last = first
  for (const [n, page] of pages.entries()) {
    for (let distance = page - last; ; distance = Math.floor(distance / 128)) {
      bytes[end++] = distance < 128 ? distance : (distance % 128) | 128
      if (distance < 128) break
    }
    last = page
    ends[n] = end
  }
  return { bytes, ends }
}

/** `zeros`: distances of 0 before the others. */
function rowOf(zeros: number, distances: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(1 + zeros), distances])
}

/** Longer names are cut in keys. LMDB takes keys of 1,978 bytes. */
const MAX_NAME_BYTES = 1500

/** A target as its key has it. */
export const cutTarget = (target: string): string =>
  target.charAt(0) + firstBytes(target.slice(1), MAX_NAME_BYTES)

export const linkKey: KeyCodec<LinkKey> = {
  writeKey([kind, target, firstPage], buffer, start) {
    buffer[start] = kind
    buffer.writeUInt16BE(target.charCodeAt(0) - 2, start + 1)
    const end = start + 3 + buffer.write(target.slice(1), start + 3, MAX_NAME_BYTES, 'utf8')
    buffer[end] = 0
    return buffer.writeUInt32BE(firstPage, end + 1)
  },
  readKey(source, start, end) {
    const namespace = source.readUInt16BE(start + 1)
    const name = source.toString('utf8', start + 3, end - 5)
    return [source[start]!, String.fromCharCode(namespace + 2) + name, source.readUInt32BE(end - 4)]
  },
}
