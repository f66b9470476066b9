/** The tables of the index and the keys of their rows. All of them can be rebuilt from the pages. */
import { writeUtf8 } from '../text/utf8.js'

/**
 * One table: binary values with typed keys. A view from `getBinaryFast` is valid until the next read. Values of ranges
 * are copies.
 */
export interface IndexTable<K> {
  getBinaryFast(key: K): Buffer | undefined
  getBinary(key: K): Buffer | undefined
  /**
   * Tells which rows will be read next. If rows lately came from the disk, it begins to read several at a time.
   * Otherwise it does not call `keys`.
   */
  expect(keys: () => readonly K[]): void
  doesExist(key: K): boolean
  putSync(key: K, value: Buffer): void
  removeSync(key: K): boolean
  clearSync(): void
  getRange(options: IndexRange<K>): Iterable<{ key: K; value: Buffer }>
  getKeys(options: IndexRange<K>): Iterable<K>
  getKeysCount(options: IndexRange<K>): number
}

/**
 * With `reverse`, `start` is the upper end (inclusive) and `end` the lower one (exclusive). `start` is a required
 * field, with undefined for the first row: lmdb replaces an absent one with a key of its own.
 */
export interface IndexRange<K> {
  start: K | undefined
  end?: K
  reverse?: boolean
  limit?: number
}

export interface IndexTables {
  /** Postings of titles and texts together. */
  readonly bodyPostings: IndexTable<PostingKey>
  /** For very common terms: the strong ones of their postings in `bodyPostings`, and counts. See strongWriter.ts. */
  readonly strongPostings: IndexTable<PostingKey>
  /** Postings of titles alone. Redirects have areas of their own. */
  readonly titlePostings: IndexTable<PostingKey>
  /** page id → the indexed state of the page: see indexedRow.ts. */
  readonly indexed: IndexTable<number>
  /** folded title → page: see completions.ts. */
  readonly completion: IndexTable<CompletionKey>
  /** short prefix of titles → ready results of the most linked pages: see prominent.ts. */
  readonly prominent: IndexTable<BeginningKey>
}

/** `area` is a namespace, or the area of its redirects. */
export type PostingKey = readonly [area: number, term: string, firstPageId: number]
export type CompletionKey = readonly [
  namespace: number,
  foldedTitle: string,
  redirect: number,
  pageId: number,
]

export type BeginningKey = readonly [namespace: number, beginning: string]

/** Encoding of keys: see storage/rows/keys.ts. */
export interface Codec<K> {
  writeKey(key: K, target: Buffer, start: number): number
  readKey(source: Buffer, start: number, end: number): K
}

/*
 *  posting      0 area u16   2 term   0 u8   first page u32
 *  completion   0 namespace u16   2 folded title   0 u8   redirect u8   page u32
 */
export const postingKey: Codec<PostingKey> = {
  writeKey([area, term, pageId], target, start) {
    target[start] = area >> 8
    target[start + 1] = area
    return writePage(pageId, target, writeText(term, target, start + 2))
  },
  readKey: (source, start, end) => [
    source.readUInt16BE(start),
    source.toString('utf8', start + 2, end - 5),
    source.readUInt32BE(end - 4),
  ],
}

export const completionKey: Codec<CompletionKey> = {
  writeKey([namespace, title, redirect, pageId], target, start) {
    target[start] = namespace >> 8
    target[start + 1] = namespace
    const at = writeText(title, target, start + 2)
    target[at] = redirect
    return writePage(pageId, target, at + 1)
  },
  readKey: (source, start, end) => [
    source.readUInt16BE(start),
    source.toString('utf8', start + 2, end - 6),
    source[end - 5] ?? 0,
    source.readUInt32BE(end - 4),
  ],
}

function writePage(pageId: number, target: Buffer, start: number): number {
  target[start] = pageId >>> 24
  target[start + 1] = pageId >>> 16
  target[start + 2] = pageId >>> 8
  target[start + 3] = pageId
  return start + 4
}

/** Writes a text with a zero at the end. */
function writeText(text: string, target: Buffer, start: number): number {
  const end = writeUtf8(text, target, start)
  target[end] = 0
  return end + 1
}
