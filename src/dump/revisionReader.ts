import type { Editor, IncomingRevision } from '../domain/revision.js'
import { DumpError } from './dumpError.js'
import type { ElementReader, Treatment } from './elements.js'
import {
  isStorableSize,
  parseId,
  parseIdOrZero,
  parseSha1,
  parseSizeBytes,
  parseTime,
  UnstorableValue,
} from './fields.js'
import type { Attributes } from './xmlScanner.js'

/** SHA-1 of no bytes at all, as dumps write it. */
const EMPTY_SHA1 = 'phoiac9h4m842xq45sp7s6u21eteeq1'
const NO_ATTRIBUTES: Attributes = {}

/** Where what is read of a revision goes. */
export interface RevisionSink {
  takeRevision(revision: IncomingRevision): void
  /** The store could not hold the revision; it is left out. */
  refuse(reason: string): void
  warn(message: string): void
  /** The content model of a revision that states none. */
  defaultModel(): string
}

/** Reads one `<revision>` after the other. */
export class RevisionReader implements ElementReader {
  readonly #sink: RevisionSink
  readonly #contributor = new ContributorReader({
    takeEditor: (editor) => (this.#editor = editor),
    refuse: (reason) => this.#refuse(reason),
  })
  readonly #content = new ContentReader(this)
  #id: number | undefined
  #parentId: number | undefined
  #timestamp: number | undefined
  #editor: Editor | undefined
  #comment: string | undefined
  #minor = false
  #model: string | undefined
  #sha1: string | undefined
  #text: string | undefined
  #textAttributes = NO_ATTRIBUTES
  #isRefused = false

  constructor(sink: RevisionSink) {
    this.#sink = sink
  }

  /** Forgets the revision before. */
  begin(): this {
    this.#id = this.#parentId = this.#timestamp = this.#editor = undefined
    this.#comment = ''
    this.#minor = this.#isRefused = false
    this.#model = this.#sha1 = this.#text = undefined
    this.#textAttributes = NO_ATTRIBUTES
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    switch (name) {
      case 'id':
      case 'parentid':
      case 'timestamp':
      case 'model':
      case 'sha1':
        return 'field'
      case 'text':
        this.#textAttributes = attributes
        return 'text'
      case 'comment':
        if (!isHidden(attributes)) return 'field'
        this.#comment = undefined
        return 'skip'
      case 'contributor':
        return isHidden(attributes) ? 'skip' : this.#contributor.begin()
      case 'minor':
        this.#minor = true
        return 'skip'
      case 'content':
        return this.#content.begin()
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    try {
      this.#take(name, value)
    } catch (error) {
      if (!(error instanceof UnstorableValue)) throw error
      this.#refuse(error.message)
    }
  }

  #refuse(reason: string): void {
    const name = this.#id === undefined ? 'a revision' : `revision ${this.#id}`
    if (!this.#isRefused) this.#sink.refuse(`${name} is left out: ${reason}`)
    this.#isRefused = true
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'id':
        this.#id = parseId(value, "a revision's <id>")
        break
      case 'parentid':
        this.#parentId = parseIdOrZero(value, "a revision's <parentid>")
        break
      case 'timestamp':
        this.#timestamp = parseTime(value, "a revision's <timestamp>")
        break
      case 'comment':
        this.#comment = value
        break
      case 'model':
        this.#model = value
        break
      case 'sha1':
        this.#sha1 = value
        break
      case 'text':
        this.#text = value
    }
  }

  close(): void {
    if (this.#isRefused) return
    const { id, timestamp, text } = this.#requireParts()
    const attributes = this.#textAttributes
    const hidden = isHidden(attributes)
    if (!hidden) this.#refuseStub(id, text)
    // The text's own SHA-1 goes first: with several slots, that of the revision is of all of them. The one beside a
    // hidden text is that of the empty text standing in for it.
    const sha1 = hidden ? this.#sha1 : attributes['sha1'] || this.#sha1
    this.#sink.takeRevision({
      id,
      parentId: this.#parentId,
      timestamp,
      editor: this.#editor,
      comment: this.#comment,
      minor: this.#minor,
      contentModel: this.#model || this.#sink.defaultModel(),
      text: hidden ? undefined : text,
      statedSizeBytes: this.#statedSize(id, hidden),
      statedSha1: parseSha1(sha1),
    })
  }

  #statedSize(id: number, hidden: boolean): number | undefined {
    const sizeBytes = parseSizeBytes(this.#textAttributes['bytes'])
    if (sizeBytes === undefined || isStorableSize(sizeBytes)) return sizeBytes
    if (hidden)
      this.#sink.warn(`revision ${id}: the size of its hidden text is not taken over: ${sizeBytes} bytes`)
    return undefined
  }

  #requireParts(): { id: number; timestamp: number; text: string } {
    const id = this.#id
    if (id === undefined) throw new DumpError('a revision without <id>')
    const timestamp = this.#timestamp
    if (timestamp === undefined) throw new DumpError(`revision ${id} has no <timestamp>`)
    const text = this.#text
    if (text === undefined) throw new DumpError(`revision ${id} has no <text>`)
    return { id, timestamp, text }
  }

  /** Stub dumps say where a text is kept (`id`, `location`) and not what it is. */
  #refuseStub(id: number, text: string): void {
    const attributes = this.#textAttributes
    if (text !== '' || (attributes['id'] === undefined && attributes['location'] === undefined)) return
    const sha1 = attributes['sha1'] || this.#sha1 || EMPTY_SHA1
    if ((parseSizeBytes(attributes['bytes']) ?? 0) === 0 && sha1 === EMPTY_SHA1) return
    throw new DumpError(`this is a stub dump, without texts: that of revision ${id} is missing`)
  }
}

/** Where what is read of a contributor goes. */
export interface ContributorSink {
  takeEditor(editor: Editor | undefined): void
  /** The store could not hold the editor: what they made is to be left out. */
  refuse(reason: string): void
}

/** Reads `<contributor>`. One that names nobody is taken as hidden. */
export class ContributorReader implements ElementReader {
  readonly #sink: ContributorSink
  #id = 0
  #name = ''
  #anonymous = false

  constructor(sink: ContributorSink) {
    this.#sink = sink
  }

  begin(): this {
    this.#id = 0
    this.#name = ''
    this.#anonymous = false
    return this
  }

  open(name: string): Treatment {
    return name === 'username' || name === 'ip' || name === 'id' ? 'field' : 'skip'
  }

  field(name: string, value: string): void {
    if (name === 'id') {
      this.#takeId(value)
      return
    }
    this.#name = value
    this.#anonymous = name === 'ip'
  }

  close(): void {
    const id = this.#anonymous || this.#id === 0 ? null : this.#id
    this.#sink.takeEditor(this.#name === '' ? undefined : { id, name: this.#name })
  }

  #takeId(value: string): void {
    try {
      this.#id = parseIdOrZero(value, "a contributor's <id>")
    } catch (error) {
      if (!(error instanceof UnstorableValue)) throw error
      this.#sink.refuse(error.message)
    }
  }
}

/** Reads `<content>`, one slot of a revision (schema 0.11): passes on the main one, leaves the others out. */
class ContentReader implements ElementReader {
  readonly #revision: RevisionReader
  #role = ''

  constructor(revision: RevisionReader) {
    this.#revision = revision
  }

  begin(): this {
    this.#role = ''
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name === 'role') return 'field'
    const wanted = this.#role === 'main' && (name === 'model' || name === 'text')
    return wanted ? this.#revision.open(name, attributes) : 'skip'
  }

  field(name: string, value: string): void {
    if (name === 'role') this.#role = value
    else this.#revision.field(name, value)
  }
}

/** Whether an element says that what it would hold is hidden. */
export function isHidden(attributes: Attributes): boolean {
  return attributes['deleted'] !== undefined
}
