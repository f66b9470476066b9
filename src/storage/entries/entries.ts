/**
 * Entries: the self-contained changes that apply writes and the log keeps. An entry already holds everything that
 * depends on a clock, on chance or on another machine. Replaying the same entries therefore gives the same store.
 *
 *     entry          0 length of head u32   4 head, JSON   deflated texts, if the entry has any
 *     redacted       0 length of head u32 with the highest bit   4 SHA-256 of the entry as it was   36 head   text
 *
 * A redacted entry has lost words that were erased (erase/redact.ts). The log's chain is over the hashes of the entries
 * as they were, so it still holds.
 *
 * apply/entryKinds.ts says what each kind does.
 */
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FileFacts } from '../../domain/file.js'
import type { InterwikiChanges } from '../../domain/interwiki.js'
import type { LogEvent } from '../../domain/logEvent.js'
import type { IncomingPage } from '../../domain/page.js'
import type { Site } from '../../domain/site.js'
import type { UpstreamPlace, UpstreamStates } from '../../domain/upstream.js'
import type { AdministrativeChange, AdministrativeVerdict } from './administration.js'
import type { PageAction, PageActionVerdict, TextFields } from './pageActions.js'
import type { Position } from '../tables/meta.js'
import type { SessionChange } from '../accounts/accounts.js'
import type { SqlTable, SqlTableState } from '../rows/sqlTableNames.js'
import { joinUpstream, splitUpstream, upstreamTextLength } from './entryTexts.js'

interface EntryHead {
  /** 32 hex digits, random for entries that people cause. An entry is never applied twice. */
  readonly id: string
  /** Seconds since 1970. */
  readonly time: number
  /** Of a redacted entry: SHA-256 in hex of the entry as it was. */
  readonly original?: string
  /** Of a redacted entry that had no effect, whose lost words could have told why: its verdict. */
  readonly verdict?: Verdict
  /** In a shared log: the end of the log as its author had applied it. */
  readonly seen?: Position
}

export interface CreateEntry extends EntryHead, TextFields {
  readonly kind: 'create'
  readonly namespace: number
  readonly dbkey: string
}

export interface EditEntry extends EntryHead, TextFields {
  readonly kind: 'edit'
  readonly pageId: number
  readonly baseRevisionId: number
}

/** The description of a wiki in its dump: names, namespaces, case of titles. */
export interface SiteEntry extends EntryHead {
  readonly kind: 'site'
  readonly site: Site
}

/** The place of a batch of pages in its dump, so that a replay finds the same pages there. */
export interface BatchPlace {
  /** Name of the dump. */
  readonly dump: string
  /** Number of the batch's first part of a page among all parts that the importer takes from the dump, from 0. */
  readonly firstPart: number
  /** Parts in the batch; a long history comes in several parts. */
  readonly parts: number
}

/**
 * A batch of pages of a dump. The log keeps their place in the dump instead of the pages. The entry that ends the
 * import has the SHA-256 of the dump.
 */
export interface PagesEntry extends EntryHead, BatchPlace {
  readonly kind: 'pages'
  readonly pages: readonly IncomingPage[]
  /** The pages of earlier batches. */
  readonly came: PagesThatCame
}

/** A batch of entries of the wiki's public log. The log keeps their place in the dump instead of them, as for pages. */
export interface EventsEntry extends EntryHead, BatchPlace {
  readonly kind: 'events'
  readonly events: readonly LogEvent[]
}

/** Remembers which pages came from a dump. If two of them share an id or a title, the first one stays. */
export interface PagesThatCame {
  has(pageId: number): boolean
  add(page: { readonly id: number }): void
}

/** An import has ended. The batches before it are those of this dump. */
export interface ImportEntry extends EntryHead {
  readonly kind: 'import'
  readonly name: string
  /** SHA-256 of the dump file as read, in hex; null when it was not read to its end. */
  readonly sha256: string | null
  readonly pages: number
  readonly revisions: number
}

/**
 * An SQL table was imported: its rows replace those that the table had. The log keeps the place of the rows, which a
 * replay reads from the file again.
 */
export interface TableEntry extends EntryHead {
  readonly kind: 'table'
  readonly table: SqlTable
  /** Name of the file. */
  readonly dump: string
  /** SHA-256 of the file as read, in hex. Null: it ended early, so ids without rows in it kept their earlier rows. */
  readonly sha256: string | null
  /** Rows of the table in the file, from its start. */
  readonly rows: number
  readonly spare: SpareRows
}

/** The rows to put in force. */
interface SpareRows {
  state(): SqlTableState
}

export interface SettingsEntry extends EntryHead {
  readonly kind: 'settings'
  readonly site: Partial<Site>
  /** Added to earlier changes. */
  readonly interwiki?: InterwikiChanges
}

type AdministrativeEntry = EntryHead & AdministrativeChange
type PageActionEntry = EntryHead & PageAction

/** A file was uploaded, or its facts became known. Its contents are written to disk before the entry is applied. */
export interface FileEntry extends EntryHead {
  readonly kind: 'file'
  /** Of its page in the namespace File. */
  readonly dbkey: string
  /** Null removes the file. */
  readonly facts: FileFacts | null
}

/**
 * A batch of states of the wiki that the store follows. `id` is a hash of everything else (`makeUpstreamEntry`), so a
 * batch that is made twice has one effect.
 */
export interface UpstreamEntry extends EntryHead, UpstreamStates {
  readonly kind: 'upstream'
  /** `placeHash` of the place where the store must stand; empty: it has followed nothing yet. */
  readonly from: string
  /** Where it stands afterwards. */
  readonly to: UpstreamPlace
}

/** Somebody logged in or out, in a wiki of several machines. One machine writes sessions without an entry. */
interface SessionEntry extends EntryHead {
  readonly kind: 'session'
  readonly change: SessionChange
}

/** From here on, all machines of the wiki use a newer version of the entries. */
export interface GateEntry extends EntryHead {
  readonly kind: 'gate'
  readonly version: number
}

export type Entry =
  | SessionEntry
  | GateEntry
  | CreateEntry
  | EditEntry
  | SiteEntry
  | PagesEntry
  | EventsEntry
  | ImportEntry
  | TableEntry
  | SettingsEntry
  | FileEntry
  | UpstreamEntry
  | AdministrativeEntry
  | PageActionEntry

type WithoutHead<Each> = Each extends EntryHead ? Omit<Each, keyof EntryHead> : never
/** A change that somebody requests: an entry without an id and a time. */
export type Change = WithoutHead<Entry>

/** An entry as the log returns it. */
export type LoggedEntry =
  | Exclude<Entry, PagesEntry | EventsEntry | TableEntry>
  | Omit<PagesEntry, 'pages' | 'came'>
  | Omit<EventsEntry, 'events'>
  | Omit<TableEntry, 'spare'>

/** An entry at its position in a log, from 1. `row` has its bytes, over which the log is chained. */
export interface PlacedEntry {
  readonly sequence: number
  readonly entry: LoggedEntry
  readonly row: Buffer
}

/** The result of an entry. It is kept under the entry's id, and returned again if the entry comes again. */
export type Verdict =
  | {
      readonly result: 'saved'
      readonly pageId: number
      readonly revisionId: number
      readonly timestamp: number
    }
  /** The text equals the latest one: no revision was made. */
  | { readonly result: 'unchanged'; readonly pageId: number; readonly revisionId: number }
  | { readonly result: 'exists'; readonly pageId: number }
  | { readonly result: 'missing' }
  /** The base is not the latest revision. */
  | { readonly result: 'conflict'; readonly latestId: number }
  | { readonly result: 'done' }
  | ImportVerdict
  /** The site of a dump was adopted. Not `isEffective` if it was already known. */
  | { readonly result: 'adopted'; readonly isEffective: boolean }
  /** The dump's site does not fit the pages in the store. */
  | { readonly result: 'site-refused'; readonly reason: string }
  /** The entry is malformed. It changed nothing. */
  | { readonly result: 'invalid'; readonly reason: string }
  /** The store follows another wiki, and takes no changes of its own. */
  | { readonly result: 'following' }
  /** The store stands elsewhere than the batch begins. */
  | { readonly result: 'elsewhere' }
  /** The entry's author had applied another log, or an end of this one that is too old to tell. It changed nothing. */
  | { readonly result: 'forked' }
  | FollowVerdict
  | AdministrativeVerdict
  | PageActionVerdict

/** Numbers of what a batch of states changed. */
export interface FollowCounts {
  readonly pagesAdded: number
  readonly pagesRemoved: number
  /** Pages with another title, redirect target or, apart from edits, another latest revision. */
  readonly pagesChanged: number
  readonly revisionsAdded: number
  readonly revisionsRemoved: number
  /** Revisions that show other parts, or another name. */
  readonly revisionsChanged: number
  /** Revisions that went to another page. */
  readonly revisionsMoved: number
  readonly filesChanged: number
  readonly protectionsChanged: number
  readonly usersRenamed: number
  /** Bots, site and interwiki map: how many of the three. */
  readonly settingsChanged: number
}

export const NO_FOLLOW_COUNTS: FollowCounts = {
  pagesAdded: 0,
  pagesRemoved: 0,
  pagesChanged: 0,
  revisionsAdded: 0,
  revisionsRemoved: 0,
  revisionsChanged: 0,
  revisionsMoved: 0,
  filesChanged: 0,
  protectionsChanged: 0,
  usersRenamed: 0,
  settingsChanged: 0,
}

export interface FollowVerdict extends FollowCounts {
  readonly result: 'followed'
  /** False if the store was equal to the states, and at the place, already. */
  readonly isEffective: boolean
}

export interface ImportVerdict {
  readonly result: 'imported'
  /** False if the store had everything already. */
  readonly isEffective: boolean
  readonly newPages: number
  readonly addedRevisions: number
  /** Results for the pages, in the same order. Only where the entry is applied: the log does not keep them. */
  readonly outcomes?: readonly PageOutcome[]
}

/** The result for one page that an importer handed over. */
export interface PageOutcome {
  readonly newPage: boolean
  readonly addedRevisions: number
  /** Revisions whose hidden parts changed. */
  readonly changedRevisions: number
  readonly renamed: boolean
  /** Pages made for titles that lead to the page. */
  readonly addedRedirects?: number
  /** Ids of revisions that belong to another page in the store, and stay there. */
  readonly foreignRevisions: readonly number[]
  /**
   * Ids that already belong to another revision in the store, of this page or another one. The store keeps its revision
   * and leaves out that of the source.
   */
  readonly takenRevisions: readonly TakenId[]
  /** The page that caused the whole incoming page to be left out, if there was one. */
  readonly rival: Rival | undefined
  /** Ids of new revisions whose text does not match the stated SHA-1. The text was kept. */
  readonly wrongSha1: readonly number[]
}

interface TakenId {
  readonly id: number
  /** The revision with this id was made here; otherwise it came with a dump. */
  readonly madeHere: boolean
}

/**
 * A page that has the id or title of an incoming one, and keeps both. It was made here, or came earlier from the same
 * dump.
 */
export interface Rival {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly shares: 'id' | 'title'
  readonly madeHere: boolean
}

/** Marks the length of a redacted entry's head. */
const REDACTED = 0x8000_0000
const HASH_BYTES = 32

/** The row of an entry in the log. An entry of the log gives its row again, unless it has lost words. */
export function encodeEntry(entry: Entry | LoggedEntry): Buffer {
  const { head, texts } = splitTexts(entry as Entry)
  return rowOf(entry, head, texts === undefined ? NO_BYTES : deflateRawSync(texts))
}

/**
 * The row of an entry that has just lost words; `before` is its row with them. Each machine makes the row by itself,
 * and compressors differ in their bytes. So equal texts keep their packed bytes, and others are not compressed.
 */
export function encodeRedacted(entry: LoggedEntry, before: Buffer): Buffer {
  const { head, texts } = splitTexts(entry as Entry)
  if (texts === undefined) return rowOf(entry, head, NO_BYTES)
  const packed = before.subarray(headStart(before) + headBytes(before))
  const bytes = Buffer.from(texts)
  const isSame = packed.length > 0 && inflateRawSync(packed).equals(bytes)
  return rowOf(entry, head, isSame ? packed : storedBlocks(bytes))
}

const NO_BYTES = Buffer.alloc(0)

function rowOf({ original }: Entry | LoggedEntry, head: object, packed: Buffer): Buffer {
  const headBytes = Buffer.from(JSON.stringify({ ...head, original: undefined }))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(original === undefined ? headBytes.length : REDACTED + headBytes.length, 0)
  const hashBytes = original === undefined ? NO_BYTES : Buffer.from(original, 'hex')
  return Buffer.concat([length, hashBytes, headBytes, packed])
}

const MAX_STORED = 0xffff
/** No bytes as deflate: one last block that ends at once. */
const EMPTY_BLOCK = Buffer.from([3, 0])

/** Bytes as deflate without compression (RFC 1951, 3.2.4): a head of five bytes before each block. */
function storedBlocks(bytes: Buffer): Buffer {
  if (bytes.length === 0) return EMPTY_BLOCK
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const block = bytes.subarray(at, at + MAX_STORED)
    const head = Buffer.from([at + MAX_STORED < bytes.length ? 0 : 1, 0, 0, 0, 0])
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(MAX_STORED - block.length, 3)
    blocks.push(head, block)
  }
  return Buffer.concat(blocks)
}

/** SHA-256 of the entry of a log row, as it was before words were taken out of it. */
export const entryHash = (row: Buffer): Buffer =>
  isRedacted(row) ? row.subarray(4, 4 + HASH_BYTES) : hash('sha256', row, 'buffer')

export const isRedacted = (row: Buffer): boolean => row.readUInt32BE(0) >= REDACTED

/** The entry as JSON takes it, and its texts one after the other. */
function splitTexts(entry: Entry): { head: object; texts: string | Buffer | undefined } {
  if (entry.kind === 'upstream') return splitUpstream(entry)
  if (entry.kind === 'pages') {
    const { pages: _pages, came: _came, ...head } = entry
    return { head, texts: undefined }
  }
  if (entry.kind === 'events') {
    const { events: _events, ...head } = entry
    return { head, texts: undefined }
  }
  if (entry.kind === 'table') {
    const { spare: _spare, ...head } = entry
    return { head, texts: undefined }
  }
  if (!('text' in entry) || typeof entry.text !== 'string') return { head: entry, texts: undefined }
  const { text, ...head } = entry
  return { head, texts: text }
}

/** UTF-16 units of the texts that an entry saves; 0 without a text. All other parts of an entry are short. */
export function textLength(entry: Entry): number {
  if (entry.kind === 'upstream') return upstreamTextLength(entry)
  return 'text' in entry && typeof entry.text === 'string' ? entry.text.length : 0
}

export function decodeEntry(row: Buffer): LoggedEntry {
  const entry = withTexts(decodeEntryHead(row) as LoggedEntry, row.subarray(headStart(row) + headBytes(row)))
  return isRedacted(row) ? { ...entry, original: entryHash(row).toString('hex') } : entry
}

function withTexts(head: LoggedEntry, packed: Buffer): LoggedEntry {
  if (packed.length === 0) return head
  const texts = inflateRawSync(packed)
  if (head.kind === 'upstream') return joinUpstream(head, texts)
  return { ...head, text: texts.toString() } as LoggedEntry
}

/** Id, time and kind of an entry, decoded without unpacking its text. */
export function decodeEntryHead(row: Buffer): Pick<Entry, 'id' | 'time' | 'kind'> {
  const start = headStart(row)
  return JSON.parse(row.toString('utf8', start, start + headBytes(row))) as Entry
}

const headStart = (row: Buffer): number => (isRedacted(row) ? 4 + HASH_BYTES : 4)
const headBytes = (row: Buffer): number => row.readUInt32BE(0) % REDACTED
