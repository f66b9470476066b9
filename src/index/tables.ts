/** What the index needs of a store: its tables, and the keys of their rows. All of them are derived. */

/** One table: binary values under typed keys. A `getBinaryFast` view ends with the next read; values of ranges are copies. */
export interface IndexTable<K> {
  getBinaryFast(key: K): Buffer | undefined
  getBinary(key: K): Buffer | undefined
  doesExist(key: K): boolean
  putSync(key: K, value: Buffer): void
  removeSync(key: K): boolean
  clearSync(): void
  getRange(options: IndexRange<K>): Iterable<{ key: K; value: Buffer }>
  getKeys(options: IndexRange<K>): Iterable<K>
  getKeysCount(options: IndexRange<K>): number
}

/**
 * With `reverse`, `start` is the upper end (taken in) and `end` the lower one (left out). `start` must be there, be it
 * undefined for the first row: lmdb puts a key of its own making in the place of an absent one.
 */
export interface IndexRange<K> {
  start: K | undefined
  end?: K
  reverse?: boolean
  limit?: number
}

export interface IndexTables {
  /** Postings of titles and texts. */
  readonly bodyPostings: IndexTable<PostingKey>
  /** Postings of titles alone: those of redirects in areas of their own. */
  readonly titlePostings: IndexTable<PostingKey>
  /** page id → what the index knows of the page: see indexedRow.ts. */
  readonly indexed: IndexTable<number>
  /** folded title → page: see completions.ts. */
  readonly completion: IndexTable<CompletionKey>
}

/** `area` is a namespace, or that of the redirects in one. */
export type PostingKey = readonly [area: number, term: string, firstPageId: number]
export type CompletionKey = readonly [
  namespace: number,
  foldedTitle: string,
  redirect: number,
  pageId: number,
]

/** How keys become bytes: see storage/keys.ts. */
interface Codec<K> {
  writeKey(key: K, target: Buffer, start: number): number
  readKey(source: Buffer, start: number, end: number): K
}

/*
 *  posting      0 area u16   2 term   0 u8   first page u32
 *  completion   0 namespace u16   2 folded title   0 u8   redirect u8   page u32
 */
export const postingKey: Codec<PostingKey> = {
  writeKey([area, term, pageId], target, start) {
    const at = writeText(term, target, target.writeUInt16BE(area, start))
    return target.writeUInt32BE(pageId, at)
  },
  readKey: (source, start, end) => [
    source.readUInt16BE(start),
    source.toString('utf8', start + 2, end - 5),
    source.readUInt32BE(end - 4),
  ],
}

export const completionKey: Codec<CompletionKey> = {
  writeKey([namespace, title, redirect, pageId], target, start) {
    const at = writeText(title, target, target.writeUInt16BE(namespace, start))
    target[at] = redirect
    return target.writeUInt32BE(pageId, at + 1)
  },
  readKey: (source, start, end) => [
    source.readUInt16BE(start),
    source.toString('utf8', start + 2, end - 6),
    source[end - 5] ?? 0,
    source.readUInt32BE(end - 4),
  ],
}

/** Writes a text and the zero that ends it. */
function writeText(text: string, target: Buffer, start: number): number {
  const end = start + target.write(text, start, 'utf8')
  target[end] = 0
  return end + 1
}
