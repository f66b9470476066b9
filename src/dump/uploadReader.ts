import type { Editor } from '../domain/revision.js'
import type { ElementReader, Treatment } from './elements.js'
import { BadValue, parseSha1, parseSizeBytes, parseTime } from './fields.js'
import { ContributorReader, isHidden } from './revisionReader.js'
import type { DumpUpload } from './types.js'
import type { Attributes } from './xmlScanner.js'

/** Receives the results of reading an upload. */
export interface UploadSink {
  /** Receives a piece of the contents of the upload that follows. */
  takeContents(bytes: Buffer): void
  takeUpload(upload: Omit<DumpUpload, 'page' | 'namespace' | 'line'>): void
  /** Called for an upload that lacks a required part or has damaged contents; it is left out. */
  refuse(reason: string): void
}

/** Reads the `<upload>` elements of a file's page one after another. Passes contents on as they arrive. */
export class UploadReader implements ElementReader {
  readonly endedBy = 'upload'
  readonly #sink: UploadSink
  readonly #contributor = new ContributorReader({
    takeEditor: (editor) => (this.#uploader = editor),
    refuse: (reason) => (this.#fault ??= reason),
  })
  readonly #base64 = new Base64Decoder()
  #fields = new Map<string, string>()
  #uploader: Editor | undefined
  #hasContents = false
  #fault: string | undefined

  constructor(sink: UploadSink) {
    this.#sink = sink
  }

  begin(): this {
    this.#fields = new Map()
    this.#uploader = undefined
    this.#hasContents = false
    this.#fault = undefined
    this.#base64.reset()
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    switch (name) {
      case 'timestamp':
      case 'archivename':
      case 'size':
      case 'sha1base36':
        if (this.#fields.has(name)) this.#fault ??= `it has two <${name}>`
        return 'field'
      case 'contributor':
        return isHidden(attributes) ? 'skip' : this.#contributor.begin()
      case 'contents':
        return this.#openContents(attributes['encoding'])
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    this.#fields.set(name, value.trim())
  }

  piece(text: string): void {
    if (this.#fault !== undefined) return
    const bytes = this.#base64.decode(text)
    if (bytes === undefined) this.#fault = 'its contents are no base64'
    else if (bytes.length > 0) this.#sink.takeContents(bytes)
  }

  spoil(_name: string, reason: string): void {
    this.#fault ??= reason
  }

  breakOff(reason: string): void {
    this.#fault ??= reason
  }

  close(): void {
    if (this.#hasContents && !this.#base64.isWhole)
      this.#fault ??= 'its contents are no base64: they end early'
    const timestamp = this.#time()
    if (this.#fault !== undefined || timestamp === undefined) return this.#sink.refuse(this.#fault ?? '')
    this.#sink.takeUpload({
      timestamp,
      uploader: this.#uploader,
      isOld: (this.#fields.get('archivename') ?? '') !== '',
      sizeBytes: parseSizeBytes(this.#fields.get('size')),
      sha1: parseSha1(this.#fields.get('sha1base36')),
      hasContents: this.#hasContents,
    })
  }

  #time(): number | undefined {
    const time = this.#fields.get('timestamp')
    try {
      if (time !== undefined) return parseTime(time, 'its <timestamp>')
      this.#fault ??= 'it has no <timestamp>'
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      this.#fault ??= error.message
    }
    return undefined
  }

  #openContents(encoding: string | undefined): Treatment {
    if (this.#hasContents) this.#fault ??= 'it has two <contents>'
    if (encoding !== 'base64') {
      const stated =
        encoding === undefined ? 'state no encoding' : `are encoded as ${JSON.stringify(encoding)}`
      this.#fault ??= `its contents ${stated}, expected base64`
    }
    this.#hasContents = true
    return this.#fault === undefined ? 'stream' : 'skip'
  }
}

/** Decodes base64 in pieces, which may be cut anywhere and contain white space. */
const WHITE_SPACE = /[ \t\r\n]+/g
const FOREIGN = /[^A-Za-z0-9+/=]/
const NO_PADDING = /[^=]/
const DIGITS_OF_THREE_BYTES = 4

export class Base64Decoder {
  #rest = ''
  #padding = 0

  /** Drops the remainder of earlier contents. */
  reset(): void {
    this.#rest = ''
    this.#padding = 0
  }

  /** True if the contents may end here, because every digit is decoded. */
  get isWhole(): boolean {
    return this.#rest === ''
  }

  /** Decodes the bytes that this piece completes. Undefined if it is not base64, or if digits follow the padding. */
  decode(piece: string): Buffer | undefined {
    const signs = piece.replace(WHITE_SPACE, '')
    if (FOREIGN.test(signs)) return undefined
    const found = signs.indexOf('=')
    const added = found < 0 ? signs : signs.slice(0, found)
    const padding = signs.slice(added.length)
    if (NO_PADDING.test(padding) || (this.#padding > 0 && added !== '')) return undefined
    this.#padding += padding.length
    const digits = this.#rest + added
    const partial = digits.length % DIGITS_OF_THREE_BYTES
    const group = partial + this.#padding
    if (padding !== '' && (partial === 0 || group > DIGITS_OF_THREE_BYTES)) return undefined
    const isEnd = partial > 1 && group === DIGITS_OF_THREE_BYTES
    const length = isEnd ? digits.length : digits.length - partial
    this.#rest = digits.slice(length)
    return Buffer.from(digits.slice(0, length), 'base64')
  }
}
