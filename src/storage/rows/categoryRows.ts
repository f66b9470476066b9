/**
 * Rows of the index of categories. All of them are derived, and each of the two search indexes has its own set.
 *
 *     pageCategories   page u32 → 0 latest revision u32   4 namespace u16   6 source u8   7 lines, see below
 *     categoryMember   category, 0, kind u8, sort key, 0, page u32 → nothing
 *     categoryTime     category, 0, time u32, page u32 → nothing
 *     categoryCount    category → number of subcategories, pages, files: three u32
 *
 *     source           0 the page's own text   1 a rendering   2 the table `categorylinks`
 *                      +64 with times; +128 the table has news that the index has yet to take in
 *     lines            dbkey of the page; then for each category, in the order of their names: `1` if the page's own
 *                      text names it, else `0`, and its dbkey; its sort key; with times, the time in base 36
 */
import type { CategoryLink } from '../../wikitext/categoryLinks.js'
import { CATEGORY, FILE } from '../../domain/namespaceIds.js'
import type { KeyCodec } from './keys.js'

/** The three lists of a category, in the order of their keys. */
export const MEMBER_KINDS = ['subcategory', 'page', 'file'] as const
export type MemberKind = (typeof MEMBER_KINDS)[number]
export type CategoryCounts = Readonly<Record<MemberKind, number>>
export const NO_MEMBERS: CategoryCounts = { subcategory: 0, page: 0, file: 0 }

const CATEGORY_SOURCES = ['text', 'rendering', 'table'] as const
type CategorySource = (typeof CATEGORY_SOURCES)[number]

export interface CategoryEntry extends CategoryLink {
  /** The page's own text names the category. A rendering or the table may know others. */
  readonly isLiteral: boolean
  /** When the page came into the category, in seconds since 1970. Undefined in a row of an older version. */
  readonly time?: number | undefined
}

/** The categories of one page. */
export interface PageCategories {
  readonly latestId: number
  readonly namespace: number
  readonly dbkey: string
  readonly source: CategorySource
  /** The table `categorylinks` has news for the page. */
  readonly awaitsTable: boolean
  /** Ordered by category. */
  readonly entries: readonly CategoryEntry[]
}

export type MemberKey = readonly [category: string, kind: number, sortKey: string, pageId: number]
export type MemberTimeKey = readonly [category: string, time: number, pageId: number]

const HEAD = 7
const HAS_TIMES = 64
const AWAITS_TABLE = 128

export function encodePageCategories(page: PageCategories): Buffer {
  const lines = [page.dbkey]
  const hasTimes = page.entries.every(({ time }) => time !== undefined)
  for (const { category, sortKey, isLiteral, time = 0 } of page.entries) {
    lines.push(`${isLiteral ? '1' : '0'}${category}`, sortKey)
    if (hasTimes) lines.push(time.toString(36))
  }
  const text = lines.join('\n')
  const row = Buffer.allocUnsafe(HEAD + Buffer.byteLength(text))
  row.writeUInt32BE(page.latestId, 0)
  row.writeUInt16BE(page.namespace, 4)
  const flags = (hasTimes ? HAS_TIMES : 0) | (page.awaitsTable ? AWAITS_TABLE : 0)
  row[6] = CATEGORY_SOURCES.indexOf(page.source) | flags
  row.write(text, HEAD)
  return row
}

export function decodePageCategories(row: Buffer): PageCategories {
  const [dbkey = '', ...lines] = row.toString('utf8', HEAD, row.length).split('\n')
  const hasTimes = (row[6]! & HAS_TIMES) !== 0
  const entries: CategoryEntry[] = []
  for (let n = 0; n + 1 < lines.length; n += hasTimes ? 3 : 2) {
    const name = lines[n]!
    const time = hasTimes ? Number.parseInt(lines[n + 2]!, 36) : undefined
    entries.push({ category: name.slice(1), sortKey: lines[n + 1]!, isLiteral: name.startsWith('1'), time })
  }
  return {
    latestId: row.readUInt32BE(0),
    namespace: row.readUInt16BE(4),
    dbkey,
    source: CATEGORY_SOURCES[row[6]! & ~(AWAITS_TABLE | HAS_TIMES)] ?? 'text',
    awaitsTable: (row[6]! & AWAITS_TABLE) !== 0,
    entries,
  }
}

export const encodeCounts = ({ subcategory, page, file }: CategoryCounts): Buffer => {
  const row = Buffer.allocUnsafe(12)
  row.writeUInt32BE(subcategory, 0)
  row.writeUInt32BE(page, 4)
  row.writeUInt32BE(file, 8)
  return row
}

export const decodeCounts = (row: Buffer): CategoryCounts => ({
  subcategory: row.readUInt32BE(0),
  page: row.readUInt32BE(4),
  file: row.readUInt32BE(8),
})

/** The list of a category that a page is in. */
export function kindOf(namespace: number): MemberKind {
  if (namespace === CATEGORY) return 'subcategory'
  return namespace === FILE ? 'file' : 'page'
}

/** Sort key, line break and title have 511 bytes at most, and their capitals up to three times as many. */
export const MAX_KEY_BYTES = 1533

/** The place of a page in a category: its sort key in capitals, then its title in capitals. */
export const sortKeyInCapitals = (sortKey: string, dbkey: string): string => {
  const title = dbkey.replaceAll('_', ' ')
  return (sortKey === '' ? title : `${sortKey}\n${title}`).toUpperCase()
}

/** Keys in `categoryMember`, one for each category of a page. */
export function memberKeys(pageId: number, page: PageCategories | undefined): MemberKey[] {
  if (page === undefined) return []
  const kind = MEMBER_KINDS.indexOf(kindOf(page.namespace))
  return page.entries.map(({ category, sortKey }) => [
    category,
    kind,
    sortKeyInCapitals(sortKey, page.dbkey),
    pageId,
  ])
}

/** Keys in `categoryTime`: none for a row of an older version. */
export const memberTimeKeys = (pageId: number, page: PageCategories | undefined): MemberTimeKey[] =>
  page?.entries.flatMap(({ category, time }) => (time === undefined ? [] : [[category, time, pageId]])) ?? []

export const memberTimeKey: KeyCodec<MemberTimeKey> = {
  writeKey([category, time, pageId], target, start) {
    const at = start + target.write(category, start, 'utf8')
    target[at] = 0
    return target.writeUInt32BE(pageId, target.writeUInt32BE(time, at + 1))
  },
  readKey(source, start, end) {
    const category = source.toString('utf8', start, end - 9)
    return [category, source.readUInt32BE(end - 8), source.readUInt32BE(end - 4)]
  },
}

export const memberKey: KeyCodec<MemberKey> = {
  writeKey([category, kind, sortKey, pageId], target, start) {
    const at = start + target.write(category, start, 'utf8')
    target[at] = 0
    target[at + 1] = kind
    const end = at + 2 + target.write(sortKey, at + 2, 'utf8')
    target[end] = 0
    return target.writeUInt32BE(pageId, end + 1)
  },
  readKey(source, start, end) {
    const at = source.indexOf(0, start)
    return [
      source.toString('utf8', start, at),
      source[at + 1]!,
      source.toString('utf8', at + 2, end - 5),
      source.readUInt32BE(end - 4),
    ]
  },
}
