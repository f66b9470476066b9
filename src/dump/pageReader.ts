import { defaultContentModel } from '../domain/contentModel.js'
import type { Namespaces } from '../domain/namespaces.js'
import { heldBytes, type IncomingRevision } from '../domain/revision.js'
import { titleFromDump } from '../domain/title.js'
import { DumpError } from './dumpError.js'
import type { ElementReader, Treatment } from './elements.js'
import { parseId, parseNamespaceId, UnstorableValue } from './fields.js'
import { RevisionReader } from './revisionReader.js'
import type { DumpPage, DumpUpload, LeftOut } from './types.js'
import { UploadReader } from './uploadReader.js'
import type { Attributes } from './xmlScanner.js'

/** How much of a long history is held before it is handed over as a part. */
export interface PartLimits {
  readonly revisions: number
  /** Bytes of texts, comments and names. */
  readonly bytes: number
}

export interface PageContext {
  readonly parts: PartLimits
  /** Namespaces of the dump, to tell the content model of pages that state none. */
  readonly namespaces: Namespaces
  /** Whether the schema states redirects, so that none stated is none. */
  readonly statesRedirects: boolean
  readonly takePage: (page: DumpPage) => void
  readonly takeContents: (bytes: Buffer) => void
  readonly takeUpload: (upload: DumpUpload) => void
  readonly leaveUploadOut: () => void
  readonly warn: (message: string, leftOut?: LeftOut) => void
}

/** Reads one `<page>` after the other and hands each over whole, or in parts when its history is long. */
export class PageReader implements ElementReader {
  readonly #context: PageContext
  readonly #revisionReader = new RevisionReader({
    takeRevision: (revision) => this.#add(revision),
    refuse: (reason) => this.#leaveRevisionOut(reason),
    warn: (message) => this.#context.warn(message),
    defaultModel: () => (this.#defaultModel ??= this.#chooseModel()),
  })
  readonly #uploadReader = new UploadReader({
    takeContents: (bytes) => this.#context.takeContents(bytes),
    takeUpload: (upload) =>
      this.#context.takeUpload({
        ...upload,
        page: this.#title ?? '',
        namespace: this.#namespace,
        line: this.#line,
      }),
    refuse: (reason) => {
      this.#context.warn(reason)
      this.#context.leaveUploadOut()
    },
  })
  #title: string | undefined
  #namespace: number | undefined
  #id: number | undefined
  #redirectTarget: string | null | undefined
  #defaultModel: string | undefined
  #line = 0
  #part = 0
  #isLeftOut = false
  #lacksRevisions = false
  #revisions: IncomingRevision[] = []
  #heldBytes = 0

  constructor(context: PageContext) {
    this.#context = context
  }

  /** Title of the page that is being read; undefined between pages. */
  get title(): string | undefined {
    return this.#title
  }

  /** `line` is that of the `<page>` tag. */
  begin(line: number): this {
    this.#title = this.#namespace = this.#id = this.#defaultModel = undefined
    this.#redirectTarget = this.#context.statesRedirects ? null : undefined
    this.#line = line
    this.#part = 0
    this.#isLeftOut = this.#lacksRevisions = false
    this.#startPart()
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    switch (name) {
      case 'title':
      case 'ns':
      case 'id':
        return 'field'
      case 'redirect':
        this.#redirectTarget = attributes['title'] || undefined
        return 'skip'
      case 'upload':
        return this.#isLeftOut ? 'skip' : this.#uploadReader.begin()
      case 'revision':
        if (this.#isLeftOut) return 'skip'
        if (this.#isFull()) this.#handOver(false)
        return this.#revisionReader.begin()
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    try {
      this.#take(name, value)
    } catch (error) {
      if (!(error instanceof UnstorableValue)) throw error
      if (!this.#isLeftOut) this.#context.warn(`the page is left out: ${error.message}`, 'page')
      this.#isLeftOut = true
    }
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'title':
        this.#title = value
        break
      case 'ns':
        this.#namespace = parseNamespaceId(value, "a page's <ns>")
        break
      case 'id':
        this.#id = parseId(value, "a page's <id>")
    }
  }

  close(): void {
    if (!this.#isLeftOut) this.#handOver(true)
    this.#title = undefined
  }

  #add(revision: IncomingRevision): void {
    this.#revisions.push(revision)
    this.#heldBytes += heldBytes(revision)
  }

  #leaveRevisionOut(reason: string): void {
    this.#lacksRevisions = true
    this.#context.warn(reason, 'revision')
  }

  #isFull(): boolean {
    const { revisions, bytes } = this.#context.parts
    return this.#revisions.length >= revisions || this.#heldBytes >= bytes
  }

  #startPart(): void {
    this.#revisions = []
    this.#heldBytes = 0
  }

  #handOver(last: boolean): void {
    this.#context.takePage({
      ...this.#identity(),
      namespace: this.#namespace,
      // What is stated belongs to the latest revision, which may be the one that is left out.
      redirectTarget: this.#lacksRevisions ? undefined : this.#redirectTarget,
      revisions: this.#revisions,
      part: this.#part++,
      last,
      line: this.#line,
    })
    this.#startPart()
  }

  #identity(): { title: string; id: number } {
    if (this.#title === undefined || this.#title === '') throw new DumpError('a page without <title>')
    if (this.#id === undefined) throw new DumpError('a page without <id>')
    return { title: this.#title, id: this.#id }
  }

  #chooseModel(): string {
    const parsed = titleFromDump(this.#title ?? '', this.#namespace, this.#context.namespaces)
    return parsed.ok ? defaultContentModel(parsed.title.namespace, parsed.title.dbkey) : 'wikitext'
  }
}
