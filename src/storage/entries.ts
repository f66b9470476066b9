/**
 * Entries: the self-contained changes that apply writes and the log keeps. Everything that depends on a clock,
 * chance or another machine was settled before an entry was made, so that replaying entries gives the same store.
 *
 *     entry          0 length of head u32   4 head, JSON   deflated text (create and edit only)
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FileFacts } from '../domain/file.js'
import type { InterwikiChanges } from '../domain/interwiki.js'
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

/** A bulk import stands for all of its revisions by the name and hash of its dump. */
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

export type Entry = CreateEntry | EditEntry | ImportEntry | SettingsEntry | FileEntry | AdministrativeEntry

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
  | AdministrativeVerdict

export function encodeEntry(entry: Entry): Buffer {
  const { head, text } = splitText(entry)
  const headBytes = Buffer.from(JSON.stringify(head))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(headBytes.length, 0)
  return Buffer.concat([length, headBytes, text === undefined ? Buffer.alloc(0) : deflateRawSync(text)])
}

function splitText(entry: Entry): { head: object; text: string | undefined } {
  if (entry.kind !== 'create' && entry.kind !== 'edit') return { head: entry, text: undefined }
  const { text, ...head } = entry
  return { head, text }
}

export function decodeEntry(bytes: Buffer): Entry {
  const head = decodeEntryHead(bytes) as Entry
  if (head.kind !== 'create' && head.kind !== 'edit') return head
  return { ...head, text: inflateRawSync(bytes.subarray(headEnd(bytes))).toString() }
}

/** What every entry has, without unpacking its text. */
export function decodeEntryHead(bytes: Buffer): Pick<Entry, 'id' | 'time' | 'kind'> {
  return JSON.parse(bytes.toString('utf8', 4, headEnd(bytes))) as Entry
}

const headEnd = (bytes: Buffer): number => 4 + bytes.readUInt32BE(0)
