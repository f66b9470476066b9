/** Imports files: contents go to the disk, facts to the store, and each file gets a description page. */
import { FILE } from '../../domain/namespaceIds.js'
import { type FileFacts } from '../../domain/file.js'
import type { Namespaces } from '../../domain/namespaces.js'
import type { Editor } from '../../domain/revision.js'
import { parseTitle } from '../../domain/title.js'
import { FileTooLargeError, type Originals, type Received } from '../../files/originals.js'
import type { Change, Verdict } from '../../storage/entries/entries.js'
import { readOwnFile } from '../../storage/pages/files.js'
import type { Store } from '../../storage/store.js'
import { type FileProcesses, FileTaskError } from '../../workers/files/fileProcesses.js'
import { ContentHolders } from './contentHolders.js'
import type { SourceFile } from './fileSources.js'

export interface FileImporterOptions {
  readonly uploader: Editor
  /** Summary of the edits that create pages. */
  readonly comment: string
  /** Wikitext of the created pages. */
  readonly description: string
  readonly maxFileBytes: number
  /** Seconds since 1970. */
  readonly now: () => number
  readonly warn: (message: string) => void
}

/** Outcomes so far. */
export interface FileCounts {
  added: number
  replaced: number
  unchanged: number
  leftOut: number
}

/** Services that an import uses. */
export interface FileTools {
  readonly store: Store
  /** Applies a change as an entry with the current time. */
  readonly apply: (change: Change) => Promise<Verdict>
  readonly originals: Originals
  readonly processes: FileProcesses
}

export class FileImporter {
  readonly counts: FileCounts = { added: 0, replaced: 0, unchanged: 0, leftOut: 0 }
  readonly #tools: FileTools
  readonly #options: FileImporterOptions
  readonly #namespaces: Namespaces
  readonly #holders: ContentHolders
  readonly #taken = new Set<string>()

  constructor(tools: FileTools, options: FileImporterOptions) {
    this.#tools = tools
    this.#options = options
    this.#namespaces = tools.store.namespaces()
    this.#holders = new ContentHolders(tools.store)
  }

  /** Imports one file. A fault of the file itself becomes a warning. */
  async take(file: SourceFile): Promise<void> {
    const dbkey = this.#nameOf(file)
    const received = dbkey === undefined ? undefined : await this.#receive(file)
    if (dbkey === undefined || received === undefined) {
      this.counts.leftOut++
      return
    }
    this.#taken.add(dbkey)
    const before = readOwnFile(this.#tools.store, dbkey)
    if (before?.sha256 === received.sha256) {
      this.#tools.originals.discard(received)
      this.counts.unchanged++
    } else {
      await this.#put(dbkey, received, before)
      if (before === undefined) this.counts.added++
      else this.counts.replaced++
    }
    await this.#describe(dbkey)
  }

  /** The name of the file's page without its prefix; undefined when the name is not valid. */
  #nameOf({ name, place, fault }: SourceFile): string | undefined {
    const parsed = parseTitle(this.#namespaces.keyPrefix(FILE) + name, this.#namespaces)
    const reason =
      fault !== undefined
        ? fault
        : !parsed.ok
          ? `"${name}" is not a valid name for a file (${parsed.error})`
          : !/.\.[^.]+$/.test(parsed.title.dbkey)
            ? 'its name has no extension such as .png'
            : this.#taken.has(parsed.title.dbkey)
              ? `another file of this import has the name ${parsed.title.dbkey} too`
              : undefined
    if (parsed.ok && reason === undefined) return parsed.title.dbkey
    this.#options.warn(`${place} left out: ${reason}`)
    return undefined
  }

  /** Reads the whole file, even if it is left out, since an archive continues after it. */
  async #receive({ contents, place }: SourceFile): Promise<Received | undefined> {
    const receiver = this.#tools.originals.receive(this.#options.maxFileBytes)
    let fault: FileTooLargeError | undefined
    try {
      for await (const chunk of contents) {
        if (fault === undefined) fault = tryWrite(() => receiver.write(chunk))
      }
    } catch (error) {
      receiver.discard()
      throw error
    }
    if (fault === undefined) return receiver.finish()
    receiver.discard()
    this.#options.warn(`${place} left out: ${fault.message}`)
    return undefined
  }

  async #put(dbkey: string, received: Received, before: FileFacts | undefined): Promise<void> {
    const { apply, originals } = this.#tools
    const facts = await this.#inspect(dbkey, received)
    const { sha1, sha256, sizeBytes } = received
    const twin = this.#holders.holderOf(sha256)
    if (twin !== undefined) this.#options.warn(`${dbkey} has the same contents as ${twin}`)
    this.#holders.add(sha256, dbkey)
    originals.keep(received)
    const time = this.#options.now()
    // Contents that were missing until now do not make a new upload.
    const { uploader, timestamp } =
      before?.sha1 === sha1 ? before : { uploader: this.#options.uploader, timestamp: time }
    const complete: FileFacts = { ...facts, sizeBytes, sha1, sha256, uploader, timestamp }
    await apply({ kind: 'file', dbkey, facts: complete })
    if (before?.sha256 && this.#holders.drop(before.sha256, dbkey)) originals.remove(before.sha256)
  }

  async #inspect(
    dbkey: string,
    { path }: Received,
  ): Promise<Omit<FileFacts, keyof Received | 'uploader' | 'timestamp'>> {
    try {
      const { facts, problem } = await this.#tools.processes.run('inspect', { path, name: dbkey })
      if (problem !== undefined) this.#options.warn(`${dbkey} ${problem}`)
      return facts
    } catch (error) {
      if (!(error instanceof FileTaskError)) throw error
      this.#options.warn(`${dbkey} is imported as a file of unknown type (${error.message})`)
      return UNKNOWN
    }
  }

  /** Creates the description page of the file if there is none. */
  async #describe(dbkey: string): Promise<void> {
    const { uploader: editor, comment, description: text } = this.#options
    const page = { namespace: FILE, dbkey }
    if (this.#tools.store.getPage(page.namespace, page.dbkey) !== undefined) return
    const change = { editor, comment, minor: false, contentModel: 'wikitext', text }
    await this.#tools.apply({ kind: 'create', ...page, ...change })
  }
}

const UNKNOWN = {
  width: 0,
  height: 0,
  durationSeconds: null,
  mediaType: 'UNKNOWN',
  mimeType: 'application/octet-stream',
} as const

function tryWrite(write: () => void): FileTooLargeError | undefined {
  try {
    write()
    return undefined
  } catch (error) {
    if (error instanceof FileTooLargeError) return error
    throw error
  }
}
