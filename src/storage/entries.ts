/**
 * Entries: the self-contained changes that apply writes and the log keeps. Everything that depends on a clock,
 * chance or another machine was settled before an entry was made, so that replaying entries gives the same store.
 *
 *     entry          0 length of head u32   4 head, JSON   deflated text, where the entry has one
 *
 * What each kind does, and what else is known of it: apply/entryKinds.ts.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FileFacts } from '../domain/file.js'
import type { InterwikiChanges } from '../domain/interwiki.js'
import type { IncomingPage } from '../domain/page.js'
import type { Editor } from '../domain/revision.js'
import type { Site } from '../domain/site.js'
import type { AdministrativeChange, AdministrativeVerdict } from './administration.js'

interface EntryHead {
  /** 32 hex digits, random for what people do: the same entry is never applied twice. */
  readonly id: string
  /** Seconds since 1970. */
  readonly time: number
}

interface TextChange extends EntryHead {
  readonly editor: Editor
  readonly comment: string
  readonly minor: boolean
  readonly contentModel: string
  readonly text: string
}

export interface CreateEntry extends TextChange {
  readonly kind: 'create'
  readonly namespace: number
  readonly dbkey: string
}

export interface EditEntry extends TextChange {
  readonly kind: 'edit'
  readonly pageId: number
  readonly baseRevisionId: number
}

/** What a dump says of its wiki: names, namespaces, how titles begin. */
export interface SiteEntry extends EntryHead {
  readonly kind: 'site'
  readonly site: Site
}

/** Where a batch of pages stands in its dump, so that a replay finds the same pages there. */
export interface BatchPlace {
  /** Name of the dump. */
  readonly dump: string
  /** Number of the batch's first part of a page among all parts that the importer takes from the dump, from 0. */
  readonly firstPart: number
  /** Parts in the batch; a long history comes in several parts. */
  readonly parts: number
}

/**
 * A batch of pages of a dump. The log keeps where they stand in the dump, and not the pages themselves: the dump has
 * them, and the entry that ends the import has its hash.
 */
export interface PagesEntry extends EntryHead, BatchPlace {
  readonly kind: 'pages'
  readonly pages: readonly IncomingPage[]
  /** The pages of the batches before this one. */
  readonly came: PagesThatCame
}

/** Remembers which pages came from a dump: of two with one id or one title the first stays. */
export interface PagesThatCame {
  has(pageId: number): boolean
  add(page: { readonly id: number }): void
}

/** An import has ended: the batches before it are those of this dump. */
export interface ImportEntry extends EntryHead {
  readonly kind: 'import'
  readonly name: string
  /** SHA-256 of the dump file as read, in hex; null when it was not read to its end. */
  readonly sha256: string | null
  readonly pages: number
  readonly revisions: number
}

export interface SettingsEntry extends EntryHead {
  readonly kind: 'settings'
  readonly site: Partial<Site>
  /** On top of what was changed before. */
  readonly interwiki?: InterwikiChanges
}

export type AdministrativeEntry = EntryHead & AdministrativeChange

/** A file was uploaded, or its facts became known. The contents lie on the disk before the entry is applied. */
export interface FileEntry extends EntryHead {
  readonly kind: 'file'
  /** Of its page in the namespace File. */
  readonly dbkey: string
  /** Null: the file is removed. */
  readonly facts: FileFacts | null
}

export type Entry =
  | CreateEntry
  | EditEntry
  | SiteEntry
  | PagesEntry
  | ImportEntry
  | SettingsEntry
  | FileEntry
  | AdministrativeEntry

type WithoutHead<Each> = Each extends EntryHead ? Omit<Each, keyof EntryHead> : never
/** What somebody wants to change: an entry that has no id and no time yet. */
export type Change = WithoutHead<Entry>

/** An entry as the log gives it back. */
export type LoggedEntry = Exclude<Entry, PagesEntry> | Omit<PagesEntry, 'pages' | 'came'>

/** What came of an entry; kept under its id and given again when the entry comes again. */
export type Verdict =
  | {
      readonly result: 'saved'
      readonly pageId: number
      readonly revisionId: number
      readonly timestamp: number
    }
  /** The text is the latest one already: no revision was made. */
  | { readonly result: 'unchanged'; readonly pageId: number; readonly revisionId: number }
  | { readonly result: 'exists'; readonly pageId: number }
  | { readonly result: 'missing' }
  /** The base is not the latest revision. */
  | { readonly result: 'conflict'; readonly latestId: number }
  | { readonly result: 'done' }
  | ImportVerdict
  /** The site of a dump was taken over; not `isEffective`: it was known already. */
  | { readonly result: 'adopted'; readonly isEffective: boolean }
  /** The site of the dump does not fit the pages that are here. */
  | { readonly result: 'site-refused'; readonly reason: string }
  /** The entry is malformed. It changed nothing. */
  | { readonly result: 'invalid'; readonly reason: string }
  | AdministrativeVerdict

export interface ImportVerdict {
  readonly result: 'imported'
  /** False: the store had all of it already. */
  readonly isEffective: boolean
  readonly newPages: number
  readonly addedRevisions: number
  /** What came of each page, in their order; only where the entry is applied, and not kept. */
  readonly outcomes?: readonly PageOutcome[]
}

/** What came of a page that an importer handed over. */
export interface PageOutcome {
  readonly newPage: boolean
  readonly addedRevisions: number
  /** Revisions whose hidden parts changed. */
  readonly changedRevisions: number
  readonly renamed: boolean
  /** Ids of revisions that another page of the store has: left there. */
  readonly foreignRevisions: readonly number[]
  /**
   * Ids under which the store has another revision, of this page or another one: it stays, that of the source is left
   * out.
   */
  readonly takenRevisions: readonly TakenId[]
  /** Why the whole page was left out, if it was. */
  readonly rival: Rival | undefined
  /** Ids of new revisions whose text has another SHA-1 than stated; the text was kept. */
  readonly wrongSha1: readonly number[]
}

export interface TakenId {
  readonly id: number
  /** What has the id was made here; else it came with a dump. */
  readonly madeHere: boolean
}

/**
 * A page that was made here, or came earlier from the same dump, and has the id or title of one that came: it keeps
 * both.
 */
export interface Rival {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly shares: 'id' | 'title'
  readonly madeHere: boolean
}

export function encodeEntry(entry: Entry): Buffer {
  const { head, text } = splitText(entry)
  const headBytes = Buffer.from(JSON.stringify(head))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(headBytes.length, 0)
  return Buffer.concat([length, headBytes, text === undefined ? Buffer.alloc(0) : deflateRawSync(text)])
}

function splitText(entry: Entry): { head: object; text: string | undefined } {
  if ('pages' in entry && entry.kind === 'pages') {
    const { pages: _pages, came: _came, ...head } = entry
    return { head, text: undefined }
  }
  if (!('text' in entry) || typeof entry.text !== 'string') return { head: entry, text: undefined }
  const { text, ...head } = entry
  return { head, text }
}

/** UTF-16 units of the text that an entry saves; 0 where it saves none. Everything else in an entry is short. */
export const textLength = (entry: Entry): number => splitText(entry).text?.length ?? 0

export function decodeEntry(bytes: Buffer): LoggedEntry {
  const head = decodeEntryHead(bytes) as LoggedEntry
  const packed = bytes.subarray(headEnd(bytes))
  return packed.length === 0 ? head : ({ ...head, text: inflateRawSync(packed).toString() } as LoggedEntry)
}

/** What every entry has, without unpacking its text. */
export function decodeEntryHead(bytes: Buffer): Pick<Entry, 'id' | 'time' | 'kind'> {
  return JSON.parse(bytes.toString('utf8', 4, headEnd(bytes))) as Entry
}

const headEnd = (bytes: Buffer): number => 4 + bytes.readUInt32BE(0)
