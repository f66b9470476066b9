/**
 * Key encodings of the store's tables. Numbers are big-endian, so that LMDB's byte order is their order:
 *
 *     u32              page id, revision id, actor id
 *     pair             u32 u32                     page id, actor id; or the halves of a log position
 *     historyKey       u32 page, u32 seconds, u32 revision
 *     tagKey           u8 tag, u32 page, u32 seconds, u32 revision
 *     sqlRowKey        u8 set, u8 table, then u32 id; from table 128 on a UTF-8 name
 *     sessionKey       u32 end, 32 bytes hash of the secret
 *     titleKey         u16 namespace, UTF-8 dbkey
 *     text             UTF-8
 */

/** Converts a table's keys to bytes and back. lmdb calls these methods with its own key buffer. */
export interface KeyCodec<K> {
  writeKey(key: K, target: Buffer, start: number): number
  readKey(source: Buffer, start: number, end: number): K
}

export type Pair = readonly [high: number, low: number]
export type HistoryKey = readonly [pageId: number, timestamp: number, revisionId: number]
export type TagKey = readonly [tag: number, pageId: number, timestamp: number, revisionId: number]
/** A table has either ids or names. */
export type SqlId = number | string
export type SqlRowKey = readonly [set: number, table: number, id: SqlId]
export type TitleKey = readonly [namespace: number, dbkey: string]

/** The hash is in hex. A shorter one serves as the lower end of a range. */
export type SessionKey = readonly [expires: number, secretHash: string]

export const MAX_U32 = 0xffffffff
/** Whether a number can be the id of a page, a revision or an account. */
export const isId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= MAX_U32
/** SQL tables with this number or a higher one have names as ids. */
export const FIRST_NAMED_TABLE = 128

/** The name in a list, and a page that it belongs to. */
export type LanguageKey = readonly [name: string, pageId: number]

export const languageKey: KeyCodec<LanguageKey> = {
  writeKey([name, pageId], target, start) {
    const end = start + target.write(name, start, 'utf8')
    target[end] = 0
    return target.writeUInt32BE(pageId, end + 1)
  },
  readKey: (source, start, end) => [source.toString('utf8', start, end - 5), source.readUInt32BE(end - 4)],
}

export const u32Key: KeyCodec<number> = {
  writeKey: (key, target, start) => target.writeUInt32BE(key, start),
  readKey: (source, start) => source.readUInt32BE(start),
}

export const pairKey: KeyCodec<Pair> = {
  writeKey: (key, target, start) => target.writeUInt32BE(key[1], target.writeUInt32BE(key[0], start)),
  readKey: (source, start) => [source.readUInt32BE(start), source.readUInt32BE(start + 4)],
}

export const historyKey: KeyCodec<HistoryKey> = {
  writeKey(key, target, start) {
    target.writeUInt32BE(key[0], start)
    target.writeUInt32BE(key[1], start + 4)
    return target.writeUInt32BE(key[2], start + 8)
  },
  readKey: (source, start) => [
    source.readUInt32BE(start),
    source.readUInt32BE(start + 4),
    source.readUInt32BE(start + 8),
  ],
}

export const tagKey: KeyCodec<TagKey> = {
  writeKey(key, target, start) {
    target[start] = key[0]
    target.writeUInt32BE(key[1], start + 1)
    target.writeUInt32BE(key[2], start + 5)
    return target.writeUInt32BE(key[3], start + 9)
  },
  readKey: (source, start) => [
    source[start] ?? 0,
    source.readUInt32BE(start + 1),
    source.readUInt32BE(start + 5),
    source.readUInt32BE(start + 9),
  ],
}

export const sqlRowKey: KeyCodec<SqlRowKey> = {
  writeKey(key, target, start) {
    const id = key[2]
    target[start] = key[0]
    target[start + 1] = key[1]
    return typeof id === 'number'
      ? target.writeUInt32BE(id, start + 2)
      : start + 2 + target.write(id, start + 2, 'utf8')
  },
  readKey(source, start, end) {
    const [set, table] = [source[start] ?? 0, source[start + 1] ?? 0]
    const isNamed = table >= FIRST_NAMED_TABLE
    return [set, table, isNamed ? source.toString('utf8', start + 2, end) : source.readUInt32BE(start + 2)]
  },
}

export const titleKey: KeyCodec<TitleKey> = {
  writeKey(key, target, start) {
    const afterNamespace = target.writeUInt16BE(key[0], start)
    return afterNamespace + target.write(key[1], afterNamespace, 'utf8')
  },
  readKey: (source, start, end) => [source.readUInt16BE(start), source.toString('utf8', start + 2, end)],
}

export const sessionKey: KeyCodec<SessionKey> = {
  writeKey(key, target, start) {
    const afterEnd = target.writeUInt32BE(key[0], start)
    return afterEnd + target.write(key[1], afterEnd, 'hex')
  },
  readKey: (source, start, end) => [source.readUInt32BE(start), source.toString('hex', start + 4, end)],
}

export const textKey: KeyCodec<string> = {
  writeKey: (key, target, start) => start + target.write(key, start, 'utf8'),
  readKey: (source, start, end) => source.toString('utf8', start, end),
}
