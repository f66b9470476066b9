/**
 * The binary rows of the tables `title`, `page` and `history`: how each is packed and unpacked. Numbers are big-endian.
 * Ready JSON is at the end of a row, so that it can be sent unchanged.
 */

/** Facts of one revision as its history row holds them. */
export interface HistoryRow {
  /** 0: no parent, or unknown. */
  readonly parentId: number
  /** Bytes of the texts of all slots; undefined if the text is hidden and its size unknown. */
  readonly sizeBytes: number | undefined
  /** 0: the editor is hidden. */
  readonly actorId: number
  readonly minor: boolean
  readonly textHidden: boolean
  readonly userHidden: boolean
  readonly commentHidden: boolean
  readonly anonymous: boolean
  readonly bot: boolean
  readonly reverted: boolean
  /** Its id was given here; otherwise it came from another wiki, where the ids given here may be of other revisions. */
  readonly madeHere: boolean
  /** Slots other than main count in the size. The store does not keep their texts. */
  readonly hasOtherSlots: boolean
  readonly contentModel: string
  /** SHA-1 of the text, 20 bytes; empty when the text is hidden. */
  readonly sha1: Buffer
  /** Ready revision object with `id`, `timestamp`, `minor`, `size`, `comment`, `user` and `delta`, in this order. */
  readonly json: Buffer
}

/*
 *  history row    0 parent u32   4 size u32   8 actor u32   12 flags u8   13 model length, 128 more with other slots
 *                 14 sha1 20   34 model   json
 */
const FLAG_MINOR = 1
const FLAG_TEXT_HIDDEN = 2
const FLAG_USER_HIDDEN = 4
const FLAG_COMMENT_HIDDEN = 8
const FLAG_ANONYMOUS = 16
const FLAG_BOT = 32
const FLAG_REVERTED = 64
const FLAG_MADE_HERE = 128
const OTHER_SLOTS = 128
const MODEL_LENGTH = 127
const SIZE_UNKNOWN = 0xffffffff
const HISTORY_HEAD = 34
const SHA1_LENGTH = 20
const NO_SHA1 = Buffer.alloc(SHA1_LENGTH)

export function encodeHistoryRow(row: HistoryRow): Buffer {
  const bytes = Buffer.allocUnsafe(HISTORY_HEAD + row.contentModel.length + row.json.length)
  bytes.writeUInt32BE(row.parentId, 0)
  bytes.writeUInt32BE(row.sizeBytes ?? SIZE_UNKNOWN, 4)
  bytes.writeUInt32BE(row.actorId, 8)
  bytes[12] =
    (row.minor ? FLAG_MINOR : 0) |
    (row.textHidden ? FLAG_TEXT_HIDDEN : 0) |
    (row.userHidden ? FLAG_USER_HIDDEN : 0) |
    (row.commentHidden ? FLAG_COMMENT_HIDDEN : 0) |
    (row.anonymous ? FLAG_ANONYMOUS : 0) |
    (row.bot ? FLAG_BOT : 0) |
    (row.reverted ? FLAG_REVERTED : 0) |
    (row.madeHere ? FLAG_MADE_HERE : 0)
  bytes[13] = row.contentModel.length | (row.hasOtherSlots ? OTHER_SLOTS : 0)
  ;(row.sha1.length === SHA1_LENGTH ? row.sha1 : NO_SHA1).copy(bytes, 14)
  bytes.write(row.contentModel, HISTORY_HEAD, 'latin1')
  row.json.copy(bytes, HISTORY_HEAD + row.contentModel.length)
  return bytes
}

/** Unpacks a history row. `json` and `sha1` are copies, so `bytes` may be a view that ends with the next read. */
export function decodeHistoryRow(bytes: Buffer): HistoryRow {
  const flags = bytes[12]!
  const modelEnd = endOfModel(bytes)
  const size = bytes.readUInt32BE(4)
  const textHidden = (flags & FLAG_TEXT_HIDDEN) !== 0
  return {
    parentId: bytes.readUInt32BE(0),
    sizeBytes: size === SIZE_UNKNOWN ? undefined : size,
    actorId: bytes.readUInt32BE(8),
    minor: (flags & FLAG_MINOR) !== 0,
    textHidden,
    userHidden: (flags & FLAG_USER_HIDDEN) !== 0,
    commentHidden: (flags & FLAG_COMMENT_HIDDEN) !== 0,
    anonymous: (flags & FLAG_ANONYMOUS) !== 0,
    bot: (flags & FLAG_BOT) !== 0,
    reverted: (flags & FLAG_REVERTED) !== 0,
    madeHere: (flags & FLAG_MADE_HERE) !== 0,
    hasOtherSlots: (bytes[13]! & OTHER_SLOTS) !== 0,
    contentModel: historyModel(bytes),
    sha1: textHidden ? Buffer.alloc(0) : Buffer.from(bytes.subarray(14, HISTORY_HEAD)),
    json: Buffer.from(bytes.subarray(modelEnd, bytes.length)),
  }
}

const endOfModel = (bytes: Buffer): number => HISTORY_HEAD + (bytes[13]! & MODEL_LENGTH)

/** The ready JSON in a history row, as a view of the same memory. Lists of revisions need nothing else. */
export function historyJson(bytes: Buffer): Buffer {
  return bytes.subarray(endOfModel(bytes), bytes.length)
}

/** The content model of a history row, read without unpacking the rest. */
export function historyModel(bytes: Buffer): string {
  return bytes.toString('latin1', HISTORY_HEAD, endOfModel(bytes))
}

/** The actor of a history row, read without unpacking the rest. */
export function historyActor(bytes: Buffer): number {
  return bytes.readUInt32BE(8)
}

/** Tells if the revision of a history row was saved here. */
export function isMadeHere(bytes: Buffer): boolean {
  return (bytes[12]! & FLAG_MADE_HERE) !== 0
}

/*
 *  rev row        0 page u32   4 time u32
 */
export function encodeRevisionPlace(pageId: number, timestamp: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeUInt32BE(pageId, 0)
  bytes.writeUInt32BE(timestamp, 4)
  return bytes
}

/*
 *  rows that are a number alone: `actor` (actor id), `userName` (user id), `editor` (number of edits), `htmlAge`
 *  (revision id)
 */
export function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value, 0)
  return bytes
}

export const decodeNumber = (bytes: Buffer): number => bytes.readUInt32BE(0)

/** The page of a revision, from its row in `rev`. */
export const revisionPageId = (bytes: Buffer): number => bytes.readUInt32BE(0)

/** The time of a revision in seconds since 1970, from its row in `rev`. */
export const revisionTime = (bytes: Buffer): number => bytes.readUInt32BE(4)

/** Counts kept for each page. `edits` and `anonymous` leave out revisions with hidden text. */
export interface PageCounts {
  readonly revisions: number
  readonly edits: number
  readonly editors: number
  readonly anonymous: number
  readonly bot: number
  readonly minor: number
  readonly reverted: number
}

export interface PageEntry {
  readonly namespace: number
  readonly dbkey: string
  readonly latestId: number
  readonly latestTimestamp: number
  /** The page lost its title to another one, or was deleted. Its revisions are not shown. */
  readonly deleted: boolean
  /** Target in reading form, if the latest text is a redirect. */
  readonly redirectTarget: string | undefined
  /** When an entry last hid or showed a part of a revision, in seconds since 1970. 0 means never. */
  readonly hidingTime: number
  /** False if revisions follow the latest one in the history, which a followed wiki may state. */
  readonly latestIsNewest: boolean
  readonly counts: PageCounts
}

/** A page with its id. */
export interface NumberedPage extends Omit<PageEntry, 'deleted'> {
  readonly pageId: number
}

/*
 *  page row       0 namespace u16   2 flags u8   3 dbkey length u8   4 latest u32   8 time u32   12 seven counts u32
 *                 40 dbkey   target   hiding time u32, where the flag says so
 */
const FLAG_DELETED = 1
const FLAG_IS_REDIRECT = 2
const FLAG_HAS_HIDING_TIME = 4
const FLAG_HAS_NEWER = 8
const HIDING_TIME_BYTES = 4
const PAGE_HEAD = 40

/** `deleted` takes the place of the page's own: a copy of an object with so many fields takes a microsecond. */
export function encodePageRow(page: PageEntry): Buffer
export function encodePageRow(page: Omit<PageEntry, 'deleted'>, deleted: boolean): Buffer
export function encodePageRow(
  page: Omit<PageEntry, 'deleted'> & { readonly deleted?: boolean },
  deleted = page.deleted === true,
): Buffer {
  const dbkey = Buffer.from(page.dbkey)
  const target = Buffer.from(page.redirectTarget ?? '')
  const targetEnd = PAGE_HEAD + dbkey.length + target.length
  const hasHidingTime = page.hidingTime !== 0
  const bytes = Buffer.allocUnsafe(targetEnd + (hasHidingTime ? HIDING_TIME_BYTES : 0))
  bytes.writeUInt16BE(page.namespace, 0)
  bytes[2] =
    (deleted ? FLAG_DELETED : 0) |
    (page.redirectTarget === undefined ? 0 : FLAG_IS_REDIRECT) |
    (hasHidingTime ? FLAG_HAS_HIDING_TIME : 0) |
    (page.latestIsNewest ? 0 : FLAG_HAS_NEWER)
  bytes[3] = dbkey.length
  bytes.writeUInt32BE(page.latestId, 4)
  bytes.writeUInt32BE(page.latestTimestamp, 8)
  const { revisions, edits, editors, anonymous, bot, minor, reverted } = page.counts
  let at = 12
  for (const count of [revisions, edits, editors, anonymous, bot, minor, reverted])
    at = bytes.writeUInt32BE(count, at)
  dbkey.copy(bytes, PAGE_HEAD)
  target.copy(bytes, PAGE_HEAD + dbkey.length)
  if (hasHidingTime) bytes.writeUInt32BE(page.hidingTime, targetEnd)
  return bytes
}

export function decodePageRow(bytes: Buffer): PageEntry {
  const flags = bytes[2]!
  const targetAt = PAGE_HEAD + bytes[3]!
  const targetEnd = bytes.length - ((flags & FLAG_HAS_HIDING_TIME) === 0 ? 0 : HIDING_TIME_BYTES)
  return {
    namespace: bytes.readUInt16BE(0),
    dbkey: bytes.toString('utf8', PAGE_HEAD, targetAt),
    latestId: bytes.readUInt32BE(4),
    latestTimestamp: bytes.readUInt32BE(8),
    deleted: (flags & FLAG_DELETED) !== 0,
    redirectTarget:
      (flags & FLAG_IS_REDIRECT) === 0 ? undefined : bytes.toString('utf8', targetAt, targetEnd),
    hidingTime: targetEnd < bytes.length ? bytes.readUInt32BE(targetEnd) : 0,
    latestIsNewest: (flags & FLAG_HAS_NEWER) === 0,
    counts: decodePageCounts(bytes),
  }
}

export function decodePageCounts(bytes: Buffer): PageCounts {
  return {
    revisions: bytes.readUInt32BE(12),
    edits: bytes.readUInt32BE(16),
    editors: bytes.readUInt32BE(20),
    anonymous: bytes.readUInt32BE(24),
    bot: bytes.readUInt32BE(28),
    minor: bytes.readUInt32BE(32),
    reverted: bytes.readUInt32BE(36),
  }
}

/**
 * A page as its title row holds it. `meta` and `source` are views into LMDB's shared buffer: use them in the same tick,
 * before any other read.
 */
export interface PageRow {
  readonly pageId: number
  readonly latestId: number
  readonly latestTimestamp: number
  readonly redirect: boolean
  /** The latest text is hidden, so `source` has no field `source`. */
  readonly textHidden: boolean
  /** `{"id":…,"key":…,"title":…,"latest":{…},"content_model":…` without its closing brace. */
  readonly meta: Buffer
  /**
   * The object of `meta` continued by `,"source":…`, also without its closing brace. Equals `meta` if the text is
   * hidden.
   */
  readonly source: Buffer
}

/** The contents of a title row. */
interface TitleRowParts {
  readonly pageId: number
  readonly latestId: number
  readonly latestTimestamp: number
  readonly redirect: boolean
  /** Number of consecutive deltas that lead to this text from older revisions: see texts.ts. */
  readonly run: number
  readonly metaJson: string
  /** The latest text; undefined if it is hidden. */
  readonly text: string | undefined
}

/*
 *  title row      0 page u32   4 latest u32   8 time u32   12 flags u8   13 run u8   14 length of meta u16   16 meta
 *                 ,"source":…
 */
const FLAG_REDIRECT = 1
const FLAG_NO_SOURCE = 2
const TITLE_HEAD = 16
export const SOURCE_FIELD = ',"source":'

/** Saves a block of memory for each row, and the count of its bytes before they are written. */
const titleScratch = Buffer.alloc(2 ** 17)

/** The result may be a view that ends with the next call. */
export function encodeTitleRow(parts: TitleRowParts): Buffer {
  const { metaJson, text } = parts
  // In one string with the rest, V8 would have to copy the text.
  const source = text === undefined ? undefined : JSON.stringify(text)
  // A UTF-16 unit takes at most three bytes.
  const most = TITLE_HEAD + SOURCE_FIELD.length + 3 * (metaJson.length + (source?.length ?? 0))
  const bytes = most <= titleScratch.length ? titleScratch : Buffer.allocUnsafe(most)
  bytes.writeUInt32BE(parts.pageId, 0)
  bytes.writeUInt32BE(parts.latestId, 4)
  bytes.writeUInt32BE(parts.latestTimestamp, 8)
  bytes[12] = (parts.redirect ? FLAG_REDIRECT : 0) | (source === undefined ? FLAG_NO_SOURCE : 0)
  bytes[13] = parts.run
  const metaLength = bytes.write(metaJson, TITLE_HEAD, 'utf8')
  bytes.writeUInt16BE(metaLength, 14)
  let end = TITLE_HEAD + metaLength
  if (source !== undefined) {
    end += bytes.write(SOURCE_FIELD, end, 'latin1')
    end += bytes.write(source, end, 'utf8')
  }
  return bytes.subarray(0, end)
}

export function viewTitleRow(bytes: Buffer): PageRow {
  const metaEnd = TITLE_HEAD + bytes.readUInt16BE(14)
  const flags = bytes[12]!
  return {
    pageId: bytes.readUInt32BE(0),
    latestId: bytes.readUInt32BE(4),
    latestTimestamp: bytes.readUInt32BE(8),
    redirect: (flags & FLAG_REDIRECT) !== 0,
    textHidden: (flags & FLAG_NO_SOURCE) !== 0,
    meta: bytes.subarray(TITLE_HEAD, metaEnd),
    source: bytes.subarray(TITLE_HEAD, bytes.length),
  }
}

/** The page of a title row, read without decoding the rest. */
export const titleRowPageId = (bytes: Buffer): number => bytes.readUInt32BE(0)

export function titleRowRun(bytes: Buffer): number {
  return bytes[13]!
}

/** A copy of a title row that does not tell how the texts of older revisions are packed. */
export function withoutRun(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[13] = 0
  return copy
}

/** False if the latest text of a title row is hidden. */
export const titleRowHasText = (bytes: Buffer): boolean => (bytes[12]! & FLAG_NO_SOURCE) === 0

/** Where the JSON string of the latest text begins. It ends with the row. */
const titleRowTextAt = (bytes: Buffer): number => TITLE_HEAD + bytes.readUInt16BE(14) + SOURCE_FIELD.length

/** The latest text in a title row; undefined if it is hidden. */
export function titleRowText(bytes: Buffer): string | undefined {
  if (!titleRowHasText(bytes)) return undefined
  return JSON.parse(bytes.toString('utf8', titleRowTextAt(bytes))) as string
}

/** The same as a binary string, whose units are the bytes of UTF-8. */
export function titleRowBinaryText(bytes: Buffer): string | undefined {
  if (!titleRowHasText(bytes)) return undefined
  // Texts have no lone surrogates, so only characters of ASCII are escaped.
  return JSON.parse(bytes.toString('latin1', titleRowTextAt(bytes))) as string
}

/**
 * At most the first `maxLength` UTF-16 units of the latest text, without half of a surrogate pair at the end. Reads no
 * more of a longer text.
 */
export function titleRowTextStart(bytes: Buffer, maxLength: number): string | undefined {
  if (!titleRowHasText(bytes)) return undefined
  const start = titleRowTextAt(bytes)
  if (bytes.length - start <= maxLength) return titleRowText(bytes)
  const end = jsonUnitsEnd(bytes, start + 1, maxLength)
  return JSON.parse(`${bytes.toString('utf8', start, end)}"`) as string
}

/** The open JSON object that begins a page's answers: everything except source, licence and links. */
export function pageMetaJson(page: {
  id: number
  key: string
  title: string
  latestId: number
  latestTime: string
  contentModel: string
}): string {
  const { id, key, title, latestId, latestTime, contentModel } = page
  const latest = { id: latestId, timestamp: latestTime }
  return JSON.stringify({ id, key, title, latest, content_model: contentModel }).slice(0, -1)
}

/** The ready revision object of histories. */
export function revisionJson(revision: {
  id: number
  time: string
  minor: boolean
  sizeBytes: number | undefined
  comment: string | undefined
  user: { id: number | null; name: string } | undefined
  delta: number | undefined
}): Buffer {
  return Buffer.from(
    JSON.stringify({
      id: revision.id,
      timestamp: revision.time,
      minor: revision.minor,
      size: revision.sizeBytes ?? 0,
      comment: revision.comment ?? null,
      user: revision.user ?? null,
      delta: revision.delta ?? null,
    }),
  )
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/**
 * The end of the first `count` UTF-16 units of a JSON string, or of the string if it is shorter. `at` is behind its
 * opening quote.
 */
function jsonUnitsEnd(bytes: Buffer, at: number, count: number): number {
  let left = count
  while (left > 0 && bytes[at] !== QUOTE) {
    const byte = bytes[at]!
    const isPair = byte >= 0xf0
    if (isPair && left === 1) break
    left -= isPair ? 2 : 1
    if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : isPair ? 4 : 3
  }
  return at
}
