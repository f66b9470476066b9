import { defaultContentModel } from '../domain/contentModel.js'
import type { Namespaces } from '../domain/namespaces.js'
import { NO_ID, statedId } from '../domain/page.js'
import { heldBytes } from '../domain/revision.js'
import { titleFromDump } from '../domain/title.js'
import type { ElementReader, Treatment } from './elements.js'
import { BadValue, parseStatedId, parseNamespaceId } from './fields.js'
import { RevisionReader } from './revisionReader.js'
import type { DumpPage, DumpRevision, DumpUpload, DumpWarning, WarningKind } from './types.js'
import { UploadReader } from './uploadReader.js'
import type { Attributes } from './xmlScanner.js'

/** Amount of a long history to hold before it is passed on as a part. */
export interface PartLimits {
  readonly revisions: number
  /** Bytes of texts, comments and names. */
  readonly bytes: number
}

/** A warning from the readers. Without a line of its own it gets that of the reader's position. */
export type Warning = Pick<DumpWarning, 'kind' | 'reason'> &
  Partial<Pick<DumpWarning, 'leftOut' | 'line' | 'pageId' | 'revisionId'>>

export interface PageContext {
  readonly parts: PartLimits
  /** Namespaces of the dump, which decide the default content model of its pages. */
  readonly namespaces: Namespaces
  /** True if the schema states redirects; a page without a stated redirect then is none. */
  readonly statesRedirects: boolean
  /** Line of the reader's position. */
  readonly line: () => number
  readonly takePage: (page: DumpPage) => void
  readonly takeContents: (bytes: Buffer) => void
  readonly takeUpload: (upload: DumpUpload) => void
  readonly warn: (warning: Warning) => void
}

const KINDS: ReadonlyMap<string, WarningKind> = new Map([
  ['title', 'page-title'],
  ['ns', 'page-namespace'],
  ['id', 'page-id'],
  ['redirect', 'page-redirect'],
])

/**
 * Reads `<page>` elements one after another. Passes each on whole, or in parts when its history is long. Leaves out a
 * page that lacks a required element or has it twice, and leaves out such revisions from their page.
 */
export class PageReader implements ElementReader {
  readonly endedBy = 'page'
  readonly #context: PageContext
  readonly #revisionReader = new RevisionReader({
    takeRevision: (revision) => this.#add(revision),
    refuse: (warning) => {
      this.#lacksRevisions = true
      this.#warn({ ...warning, leftOut: 'revision' })
    },
    warn: (warning) => this.#warn(warning),
    line: () => this.#context.line(),
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
    refuse: (reason) => this.#warn({ kind: 'file', reason, leftOut: 'file' }),
  })
  readonly #elements = new Set<string>()
  /** True once a page had an id. In such a dump, a page without one is damaged. */
  #hasIds = false
  #title: string | undefined
  #namespace: number | undefined
  #id: number | undefined
  #redirectTarget: string | null | undefined
  #defaultModel: string | undefined
  #line = 0
  #part = 0
  #isLeftOut = false
  #lacksRevisions = false
  #revisions: DumpRevision[] = []
  /** Bytes of the first `#counted` revisions. */
  #heldBytes = 0
  #counted = 0

  constructor(context: PageContext) {
    this.#context = context
  }

  /** Title of the current page; undefined between pages. */
  get title(): string | undefined {
    return this.#title
  }

  /** `line` is the line of the `<page>` tag. */
  begin(line: number): this {
    this.#elements.clear()
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
        this.#requireFirst(name)
        return 'field'
      case 'redirect':
        this.#requireFirst(name)
        this.#redirectTarget = attributes['title'] || undefined
        return 'skip'
      case 'upload':
        return this.#isLeftOut ? 'skip' : this.#uploadReader.begin()
      case 'revision':
        if (this.#isFull()) this.#handOver(false)
        return this.#isLeftOut ? 'skip' : this.#revisionReader.begin()
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    try {
      this.#take(name, value)
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      this.spoil(name, error.message)
    }
  }

  spoil(name: string, reason: string): void {
    this.#leaveOut({ kind: KINDS.get(name) ?? 'page-title', reason })
  }

  breakOff(reason: string): void {
    this.#leaveOut({ kind: 'page-end', reason })
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'title':
        this.#title ??= value
        break
      case 'ns':
        this.#namespace = parseNamespaceId(value, 'its <ns>')
        break
      case 'id':
        if (this.#id !== undefined) throw new BadValue('its <id> comes after its revisions')
        this.#id = parseStatedId(value, 'its <id>')
        this.#hasIds ||= this.#id !== undefined
    }
  }

  close(): void {
    if (!this.#isLeftOut) this.#handOver(true)
    this.#title = undefined
  }

  #requireFirst(name: string): void {
    if (this.#elements.has(name)) this.spoil(name, `it has two <${name}>`)
    this.#elements.add(name)
  }

  #add(revision: DumpRevision): void {
    this.#revisions.push(revision)
  }

  /** Leaves out the rest of the page; parts passed on earlier stay. */
  #leaveOut(warning: Pick<Warning, 'kind' | 'reason' | 'line'>): void {
    if (this.#isLeftOut) return
    this.#isLeftOut = true
    this.#startPart()
    this.#warn({ ...warning, leftOut: this.#part === 0 ? 'page' : 'rest' })
  }

  #isFull(): boolean {
    const { revisions, bytes } = this.#context.parts
    // Counted only here, since most dumps have one revision of each page.
    while (this.#counted < this.#revisions.length)
      this.#heldBytes += heldBytes(this.#revisions[this.#counted++]!)
    return this.#revisions.length >= revisions || this.#heldBytes >= bytes
  }

  #startPart(): void {
    this.#revisions = []
    this.#counted = this.#heldBytes = 0
  }

  #handOver(last: boolean): void {
    const [title, line] = [this.#title, this.#line]
    if (title === undefined || title.trim() === '') {
      return this.#leaveOut({ kind: 'page-title', reason: 'it has no <title>', line })
    }
    if (this.#id === undefined && this.#hasIds) {
      const reason = 'it has no <id>, and other pages of the dump have'
      return this.#leaveOut({ kind: 'page-id', reason, line })
    }
    if (this.#part === 0 && this.#revisions.length === 0) {
      const reason = this.#lacksRevisions ? 'none of its revisions can be read' : 'it has no <revision>'
      return this.#leaveOut({ kind: 'page-empty', reason, line })
    }
    if (this.#id === undefined) {
      this.#id = NO_ID
      this.#warn({ kind: 'page-without-id', reason: 'it has no <id>, so it gets one here', line })
    }
    this.#context.takePage({
      title,
      id: this.#id,
      namespace: this.#namespace,
      // The stated target belongs to the latest revision, which may be the one left out.
      redirectTarget: this.#lacksRevisions ? undefined : this.#redirectTarget,
      revisions: this.#revisions,
      part: this.#part++,
      last,
      line,
    })
    this.#startPart()
  }

  #warn(warning: Warning): void {
    this.#context.warn({ pageId: statedId(this.#id), ...warning })
  }

  #chooseModel(): string {
    const parsed = titleFromDump(this.#title ?? '', this.#namespace, this.#context.namespaces)
    return parsed.ok ? defaultContentModel(parsed.title.namespace, parsed.title.dbkey) : 'wikitext'
  }
}
