import { NO_ID } from '../domain/page.js'
import type { Editor } from '../domain/revision.js'
import { DumpError } from './dumpError.js'
import type { ElementReader, Treatment } from './elements.js'
import {
  BadValue,
  isStorableSize,
  parseIdOrZero,
  parseSha1,
  parseSizeBytes,
  parseStatedId,
  parseTime,
} from './fields.js'
import type { DumpRevision, DumpWarning, WarningKind } from './types.js'
import type { Attributes } from './xmlScanner.js'

/** SHA-1 of an empty text, as dumps write it. */
const EMPTY_SHA1 = 'phoiac9h4m842xq45sp7s6u21eteeq1'
const NO_ATTRIBUTES: Attributes = {}

/** Elements that a revision has at most once, and the warning for a fault in each. */
const KINDS: ReadonlyMap<string, WarningKind> = new Map([
  ['id', 'revision-id'],
  ['parentid', 'revision-parent'],
  ['timestamp', 'revision-time'],
  ['contributor', 'revision-editor'],
  ['comment', 'revision-comment'],
  ['model', 'revision-model'],
  ['sha1', 'revision-sha1'],
  ['text', 'revision-text'],
])

type RevisionWarning = Pick<DumpWarning, 'kind' | 'reason'> &
  Partial<Pick<DumpWarning, 'leftOut' | 'line' | 'revisionId'>>

/** Receives the results of reading revisions. */
export interface RevisionSink {
  takeRevision(revision: DumpRevision): void
  /** Called for a revision that lacks a required part or fits no row; it is left out. */
  refuse(warning: RevisionWarning): void
  warn(warning: RevisionWarning): void
  /** Line of the reader's position. */
  line(): number
  /** The content model of a revision that states none. */
  defaultModel(): string
}

/** Reads `<revision>` elements one after another. */
export class RevisionReader implements ElementReader {
  readonly endedBy = 'revision'
  readonly #sink: RevisionSink
  readonly #contributor = new ContributorReader({
    takeEditor: (editor) => (this.#editor = editor),
    refuse: (reason) => this.spoil('contributor', reason),
  })
  readonly #content = new ContentReader(this)
  readonly #elements = new Set<string>()
  #line = 0
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
  #otherSlotsBytes: number | undefined
  #isRefused = false
  /** True once a revision had an id. In such a dump, a revision without one is damaged. */
  #hasIds = false
  /** True once the dump had a text. A stub dump has none. */
  #hasTexts = false

  constructor(sink: RevisionSink) {
    this.#sink = sink
  }

  /** Resets the state of the previous revision. */
  begin(): this {
    this.#elements.clear()
    this.#line = this.#sink.line()
    this.#id = this.#parentId = this.#timestamp = this.#editor = undefined
    this.#comment = ''
    this.#minor = this.#isRefused = false
    this.#model = this.#sha1 = this.#text = this.#otherSlotsBytes = undefined
    this.#textAttributes = NO_ATTRIBUTES
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    if (KINDS.has(name)) {
      if (this.#elements.has(name)) this.spoil(name, `it has two <${name}>`)
      this.#elements.add(name)
    }
    if (this.#isRefused) return 'skip'
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
      if (!(error instanceof BadValue)) throw error
      this.spoil(name, error.message)
    }
  }

  spoil(name: string, reason: string): void {
    this.#refuse({ kind: KINDS.get(name) ?? 'revision-text', reason })
  }

  breakOff(reason: string): void {
    this.#refuse({ kind: 'revision-end', reason })
  }

  #refuse(warning: RevisionWarning): void {
    if (!this.#isRefused) this.#sink.refuse({ revisionId: this.#id, ...warning })
    this.#isRefused = true
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'id':
        this.#id = parseStatedId(value, 'its <id>')
        this.#hasIds ||= this.#id !== undefined
        break
      case 'parentid':
        this.#parentId = parseIdOrZero(value, 'its <parentid>')
        break
      case 'timestamp':
        this.#timestamp = parseTime(value, 'its <timestamp>')
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
    const [timestamp, text, line] = [this.#timestamp, this.#text, this.#line]
    if (this.#id === undefined && this.#hasIds) {
      const reason = 'it has no <id>, and other revisions of the dump have'
      return this.#refuse({ kind: 'revision-id', reason, line })
    }
    if (timestamp === undefined) {
      return this.#refuse({ kind: 'revision-time', reason: 'it has no <timestamp>', line })
    }
    if (text === undefined) return this.#refuse({ kind: 'revision-text', reason: 'it has no <text>', line })
    const attributes = this.#textAttributes
    const hidden = isHidden(attributes)
    if (!hidden && this.#isStub(text)) {
      if (!this.#hasTexts)
        throw new DumpError(
          `this is a stub dump, without texts: the text of revision ${this.#id ?? 'without id'} is missing`,
        )
      return this.#refuse({
        kind: 'revision-text',
        reason: 'its <text> says only where the text is kept',
        line,
      })
    }
    if (text !== '') this.#hasTexts = true
    // The SHA-1 of the text wins: with several slots, that of the revision covers all of them. Beside a hidden text,
    // the attribute is that of the empty text in its place.
    const ofRevision = this.#otherSlotsBytes === undefined ? this.#sha1 : undefined
    const sha1 = hidden ? ofRevision : attributes['sha1'] || ofRevision
    const otherSlotsBytes = this.#sizeOfOthers(text)
    if (this.#id === undefined) {
      const reason = 'a revision has no <id>, so it gets one here'
      this.#sink.warn({ kind: 'revision-without-id', reason, line })
    }
    this.#sink.takeRevision({
      id: this.#id ?? NO_ID,
      parentId: this.#parentId,
      timestamp,
      editor: this.#editor,
      comment: this.#comment,
      minor: this.#minor,
      contentModel: this.#model || this.#sink.defaultModel(),
      text: hidden ? undefined : text,
      statedSizeBytes: this.#statedSize(hidden),
      statedSha1: parseSha1(sha1),
      ...(otherSlotsBytes !== undefined && { otherSlotsBytes }),
      line,
    })
  }

  #statedSize(hidden: boolean): number | undefined {
    const sizeBytes = parseSizeBytes(this.#textAttributes['bytes'])
    if (sizeBytes === undefined || isStorableSize(sizeBytes)) return sizeBytes
    if (hidden) {
      const reason = `the size of its hidden text is not taken over: ${sizeBytes} bytes`
      this.#sink.warn({ kind: 'hidden-size', reason, revisionId: this.#id })
    }
    return undefined
  }

  addSlot(bytes: number): void {
    this.#otherSlotsBytes = (this.#otherSlotsBytes ?? 0) + bytes
  }

  /** Undefined without other slots, and if the store cannot hold a revision of that size. */
  #sizeOfOthers(text: string): number | undefined {
    const others = this.#otherSlotsBytes
    const own = Math.max(Buffer.byteLength(text), parseSizeBytes(this.#textAttributes['bytes']) ?? 0)
    if (others === undefined || isStorableSize(own + others)) return others
    const reason = `the size of its other slots is not taken over: ${others} bytes`
    this.#sink.warn({ kind: 'hidden-size', reason, revisionId: this.#id })
    return undefined
  }

  /** Stub dumps state where a text is kept (`id`, `location`), but not the text. */
  #isStub(text: string): boolean {
    const attributes = this.#textAttributes
    if (text !== '' || (attributes['id'] === undefined && attributes['location'] === undefined)) return false
    const sha1 = attributes['sha1'] || this.#sha1 || EMPTY_SHA1
    return (parseSizeBytes(attributes['bytes']) ?? 0) !== 0 || sha1 !== EMPTY_SHA1
  }
}

/** Receives the results of reading a contributor. */
export interface ContributorSink {
  takeEditor(editor: Editor | undefined): void
  /** Called for an invalid editor, or one that the store could not hold. The caller leaves out the editor's work. */
  refuse(reason: string): void
}

/** Reads `<contributor>`. One without a name counts as hidden. */
export class ContributorReader implements ElementReader {
  readonly #sink: ContributorSink
  #id = 0
  #name = ''
  #anonymous = false
  readonly #elements = new Set<string>()

  constructor(sink: ContributorSink) {
    this.#sink = sink
  }

  begin(): this {
    this.#id = 0
    this.#name = ''
    this.#anonymous = false
    this.#elements.clear()
    return this
  }

  open(name: string): Treatment {
    if (name !== 'username' && name !== 'ip' && name !== 'id') return 'skip'
    const once = name === 'id' ? 'id' : 'name'
    if (this.#elements.has(once)) this.#sink.refuse(`its contributor has two ${once}s`)
    this.#elements.add(once)
    return 'field'
  }

  spoil(_name: string, reason: string): void {
    this.#sink.refuse(reason)
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
      this.#id = parseIdOrZero(value, "its contributor's <id>")
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      this.#sink.refuse(error.message)
    }
  }
}

/** Reads `<content>`, one slot of a revision (schema 0.11). Passes on the main slot, and the sizes of the others. */
class ContentReader implements ElementReader {
  readonly #revision: RevisionReader
  #role = ''
  #bytes = 0
  #statedBytes = 0

  constructor(revision: RevisionReader) {
    this.#revision = revision
  }

  begin(): this {
    this.#role = ''
    this.#bytes = this.#statedBytes = 0
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name === 'role') return 'field'
    if (this.#role === 'main')
      return name === 'model' || name === 'text' ? this.#revision.open(name, attributes) : 'skip'
    if (name !== 'text' || this.#role === '') return 'skip'
    this.#statedBytes = parseSizeBytes(attributes['bytes']) ?? 0
    return 'stream'
  }

  piece(text: string): void {
    this.#bytes += Buffer.byteLength(text)
  }

  field(name: string, value: string): void {
    if (name === 'role') this.#role = value
    else this.#revision.field(name, value)
  }

  spoil(_name: string, reason: string): void {
    if (this.#role === 'main' || this.#role === '') this.#revision.spoil('text', reason)
  }

  close(): void {
    if (this.#role !== 'main' && this.#role !== '') this.#revision.addSlot(this.#bytes || this.#statedBytes)
  }
}

/** True if an element's attributes state that its content is hidden. */
export function isHidden(attributes: Attributes): boolean {
  return attributes['deleted'] !== undefined
}
