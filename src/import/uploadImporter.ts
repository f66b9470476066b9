/** Imports files from dumps: the facts of uploads, and their contents where the dump has them. */
import { FILE } from '../domain/namespaceIds.js'
import { type FileFacts } from '../domain/file.js'
import { mediaTypeOf, mimeTypeOfName } from '../domain/mediaTypes.js'
import type { Title } from '../domain/title.js'
import type { DumpUpload } from '../dump/types.js'
import { FileTooLargeError, type Originals, type Received, type Receiver } from '../files/originals.js'
import type { Applier } from '../storage/apply/applier.js'
import type { FileEntry } from '../storage/entries/entries.js'
import { derivedEntryId } from '../storage/entries/entryIds.js'
import { readOwnFile } from '../storage/pages/files.js'
import type { Store } from '../storage/store.js'
import { type FileProcesses, FileTaskError } from '../workers/files/fileProcesses.js'
import { ContentHolders } from './files/contentHolders.js'
import type { Notice } from './notices.js'

/** Entries written in one transaction. */
const BATCH = 500

export interface UploadTools {
  readonly store: Store
  readonly applier: Applier
  readonly originals: Originals
  readonly processes: FileProcesses
  readonly maxFileBytes: number
}

/**
 * Takes contents piece by piece, then the upload they belong to. An upload that is older than the stored one, or the
 * same, changes nothing. An upload without contents never removes stored contents.
 */
export class UploadImporter {
  /** Number of new or changed files. */
  count = 0
  readonly #tools: UploadTools
  readonly #tell: (notice: Notice) => void
  #receiver: Receiver | undefined
  #fault: string | undefined
  #batch = new Map<string, FileFacts>()
  /** Earlier contents of the files in the batch. */
  #replaced: string[] = []

  constructor(tools: UploadTools, tell: (notice: Notice) => void) {
    this.#tools = tools
    this.#tell = tell
  }

  takeContents(bytes: Buffer): void {
    this.#receiver ??= this.#tools.originals.receive(this.#tools.maxFileBytes)
    if (this.#fault !== undefined) return
    try {
      this.#receiver.write(bytes)
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error
      this.#fault = error.message
    }
  }

  /** Drops the contents received since the last upload, since no upload claims them. */
  dropContents(): void {
    this.#receiver?.discard()
    this.#receiver = this.#fault = undefined
  }

  async takeUpload(upload: DumpUpload, title: Title | undefined): Promise<void> {
    const received = this.#endContents(upload)
    const dbkey = title?.namespace === FILE ? title.dbkey : undefined
    if (dbkey === undefined) {
      this.#tell({
        ...noticeOf(upload),
        leftOut: 'file',
        reason: 'the title of its page is not one of a file',
      })
    }
    const facts = dbkey === undefined ? undefined : await this.#factsOf(dbkey, upload, received)
    if (dbkey === undefined || facts === undefined) {
      if (received !== undefined) this.#tools.originals.discard(received)
      return
    }
    if (received !== undefined) this.#tools.originals.keep(received)
    this.#batch.set(dbkey, facts)
    this.count++
    if (this.#batch.size >= BATCH) this.flush()
  }

  /** Writes the uploads taken since the last write. */
  flush(): void {
    if (this.#batch.size === 0) return
    const { sequence } = this.#tools.store.position()
    const entries = [...this.#batch].map(([dbkey, facts], n) => entryOf(dbkey, facts, sequence + n))
    this.#tools.applier.submitAll(entries)
    this.#batch = new Map()
    if (this.#replaced.length > 0) this.#letGo()
  }

  /** Deletes contents that no file has any more. */
  #letGo(): void {
    const holders = new ContentHolders(this.#tools.store)
    for (const sha256 of this.#replaced) {
      if (holders.holderOf(sha256) === undefined) this.#tools.originals.remove(sha256)
    }
    this.#replaced = []
  }

  #endContents(upload: DumpUpload): Received | undefined {
    const [receiver, fault] = [this.#receiver, this.#fault]
    this.#receiver = this.#fault = undefined
    if (receiver === undefined) return undefined
    if (fault !== undefined) {
      receiver.discard()
      this.#tell({ ...noticeOf(upload), leftOut: 'contents', reason: `it ${fault}` })
      return undefined
    }
    const received = receiver.finish()
    if (upload.sha1 === undefined || upload.sha1 === received.sha1) return received
    this.#tools.originals.discard(received)
    const reason = 'their SHA-1 differs from the one in the dump'
    this.#tell({ ...noticeOf(upload), leftOut: 'contents', reason })
    return undefined
  }

  /** The facts to store; undefined when they are not new. */
  async #factsOf(
    dbkey: string,
    upload: DumpUpload,
    received: Received | undefined,
  ): Promise<FileFacts | undefined> {
    const sha1 = received?.sha1 ?? upload.sha1
    const sizeBytes = received?.sizeBytes ?? upload.sizeBytes
    if (upload.isOld) return undefined
    if (sha1 === undefined || sizeBytes === undefined) {
      this.#tell({
        ...noticeOf(upload),
        leftOut: 'file',
        reason: 'the dump gives no SHA-1 or no size for it',
      })
      return undefined
    }
    const before = this.#batch.get(dbkey) ?? readOwnFile(this.#tools.store, dbkey)
    const brings = received !== undefined && before?.sha256 !== received.sha256
    if (before !== undefined && !brings && (before.sha256 !== null || before.sha1 === sha1)) return undefined
    if (before !== undefined && before.timestamp > upload.timestamp) return undefined
    if (before?.sha256) this.#replaced.push(before.sha256)
    const { timestamp, uploader } = upload
    const common = { sizeBytes, sha1, timestamp, uploader }
    if (received === undefined) return { ...common, ...elsewhere(dbkey), sha256: null }
    return { ...common, ...(await this.#inspect(dbkey, upload, received)), sha256: received.sha256 }
  }

  async #inspect(
    dbkey: string,
    upload: DumpUpload,
    { path }: Received,
  ): Promise<ReturnType<typeof elsewhere>> {
    const notice = { ...noticeOf(upload), kind: 'file-type' } as const
    try {
      const { facts, problem } = await this.#tools.processes.run('inspect', { path, name: dbkey })
      if (problem !== undefined) this.#tell({ ...notice, reason: `the file ${problem}` })
      return facts
    } catch (error) {
      if (!(error instanceof FileTaskError)) throw error
      this.#tell({ ...notice, reason: `the file is imported as one of unknown type (${error.message})` })
      return { ...elsewhere(''), width: 0, height: 0 }
    }
  }
}

const noticeOf = ({ page, line }: DumpUpload) => ({ kind: 'file', line, title: page }) as const

/** Facts that follow from the name alone. */
function elsewhere(
  dbkey: string,
): Omit<FileFacts, 'sizeBytes' | 'sha1' | 'sha256' | 'timestamp' | 'uploader'> {
  const mimeType = mimeTypeOfName(dbkey)
  return { width: null, height: null, durationSeconds: null, mimeType, mediaType: mediaTypeOf(mimeType) }
}

/**
 * The id depends on the position in the log and not on chance, so that a restarted import leaves the same log as an
 * uninterrupted one. The time is that of the upload.
 */
function entryOf(dbkey: string, facts: FileFacts, sequence: number): FileEntry {
  const id = derivedEntryId(sequence, 'file', facts.sha1, dbkey)
  return { kind: 'file', id, time: facts.timestamp, dbkey, facts }
}
