import { SaxesParser } from 'saxes'
import { DumpError, notAnExport } from './dumpError.js'
import { chooseDecoder, ENCODING_BYTES, requireDeclared, type XmlDecoder } from './encoding.js'
import { quickenTexts } from './xmlText.js'

export type Attributes = Readonly<Record<string, string>>

/** Receives the scanner's events in document order. Texts arrive in pieces; line ends are `\n`. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void
  text(piece: string): void
  close(name: string): void
  /** Number of the innermost open elements that an opening tag ends, since their closing tags are missing. */
  endedBy(name: string): number
  /**
   * Ends the innermost open elements without their closing tags. Gets their names, the outermost first. False if this
   * would damage more than a part of the document.
   */
  endUnclosed(names: readonly string[]): boolean
  /** A closing tag has no opening one. False as above. */
  passStray(name: string): boolean
  /** Most characters that may follow without another event. */
  maxSilence(): number
}

/** Number of characters replaced by U+FFFD, and the line of the first. */
export interface Repairs {
  readonly count: number
  readonly line: number
}

const OPTIONS = { xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true } as const
const MAX_DEPTH = 64
/** Characters that XML 1.0 forbids everywhere. Lone surrogates cannot occur, since the decoders replace them. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const REPLACEMENT = '\ufffd'
const HASH = 0x23

/**
 * Reads XML 1.0 from chunks of bytes in bounded memory; `encoding.ts` lists the encodings. Forbidden characters,
 * references to them and undecodable bytes become U+FFFD and are counted. Anything else that is not well-formed makes
 * `write` and `end` throw a DumpError. The error has no position; `line` and `byteOffset` give it.
 */
export class XmlScanner {
  readonly #handler: XmlHandler
  #decoder: XmlDecoder | undefined
  /** The first bytes, until the encoding is known. */
  #head = Buffer.alloc(0)
  readonly #parser: TolerantParser
  #chunk = ''
  /** UTF-16 units and bytes before `#chunk`. */
  #chunkStart = 0
  #chunkStartBytes = 0
  /** `#chunkStart` at the last event. */
  #lastEventStart = 0
  #depth = 0
  #rootSeen = false
  /** Elements that an opening tag has ended. A closing tag may still come for them. */
  readonly #ended = new Map<string, number>()
  #isStray = false
  #repairCount = 0
  #firstRepairLine = 0

  constructor(handler: XmlHandler) {
    this.#handler = handler
    this.#parser = new TolerantParser(
      (message) => this.#problem(message),
      () => this.#countRepair(),
      (name) => this.#beforeClosing(name),
    )
    this.#listen(this.#parser)
  }

  /** Line of the current position, from 1. */
  get line(): number {
    return this.#parser.line
  }

  /** UTF-8 bytes before the current position. */
  get byteOffset(): number {
    const index = this.#parser.position - this.#chunkStart
    return this.#chunkStartBytes + Buffer.byteLength(this.#chunk.slice(0, Math.max(0, index)))
  }

  /** Replacements since the last call; undefined if there were none. Call it between elements. */
  takeRepairs(): Repairs | undefined {
    if (this.#repairCount === 0) return undefined
    const repairs = { count: this.#repairCount, line: this.#firstRepairLine }
    this.#repairCount = 0
    return repairs
  }

  write(bytes: Buffer): void {
    if (this.#decoder !== undefined) return this.#decode(this.#decoder, bytes)
    this.#head = Buffer.concat([this.#head, bytes])
    if (this.#head.length >= ENCODING_BYTES) this.#begin()
  }

  end(): void {
    const decoder = this.#decoder ?? this.#begin()
    const startBytes = decoder.decodedBytes
    this.#scan(decoder.end(), startBytes)
    if (decoder.decodedBytes === 0) throw new DumpError('is empty')
    this.#parser.close()
  }

  #begin(): XmlDecoder {
    const head = this.#head
    this.#head = Buffer.alloc(0)
    this.#decoder = chooseDecoder(head)
    this.#decode(this.#decoder, head)
    return this.#decoder
  }

  #decode(decoder: XmlDecoder, bytes: Buffer): void {
    const startBytes = decoder.decodedBytes
    this.#scan(decoder.decode(bytes), startBytes)
  }

  #scan(chunk: string, startBytes: number): void {
    if (chunk.length === 0) return
    this.#chunkStart += this.#chunk.length
    this.#chunkStartBytes = startBytes
    this.#chunk = chunk
    this.#parser.write(chunk)
    const limit = this.#handler.maxSilence()
    if (this.#chunkStart - this.#lastEventStart > limit) {
      throw new DumpError(`more than ${limit} characters without a tag: this is no sound dump`)
    }
  }

  #listen(parser: TolerantParser): void {
    const heard = () => {
      this.#lastEventStart = this.#chunkStart
    }
    parser.on('xmldecl', ({ encoding }) => {
      if (this.#decoder !== undefined) requireDeclared(encoding, this.#decoder)
    })
    parser.on('opentag', ({ name, attributes }) => {
      heard()
      this.#rootSeen = true
      this.#beforeOpening(name)
      if (++this.#depth > MAX_DEPTH) throw new DumpError(`more than ${MAX_DEPTH} elements inside one another`)
      this.#handler.open(name, this.#repairCount === 0 ? attributes : repairAll(attributes))
    })
    parser.on('closetag', ({ name }) => {
      heard()
      if (this.#isStray) {
        this.#isStray = false
        return
      }
      this.#depth--
      this.#handler.close(name)
    })
    const text = (piece: string) => {
      heard()
      this.#handler.text(this.#repairCount === 0 ? piece : repair(piece))
    }
    parser.on('text', text)
    parser.on('cdata', text)
    parser.on('comment', heard)
    parser.on('processinginstruction', heard)
  }

  #beforeOpening(name: string): void {
    const count = this.#handler.endedBy(name)
    if (count === 0) return
    const names = this.#parser.openNames(count)
    if (!this.#endUnclosed(names)) return
    for (const each of names) this.#ended.set(each, (this.#ended.get(each) ?? 0) + 1)
  }

  /** Ends the elements that have no closing tag before this one. Throws a DumpError if that is not possible. */
  #beforeClosing(name: string): void {
    const unclosed = this.#parser.openInside(name)
    if (unclosed !== undefined && this.#endUnclosed(unclosed)) return
    if (unclosed === undefined && (this.#isOfEnded(name) || this.#handler.passStray(name))) {
      this.#isStray = true
      this.#parser.reopen(name)
      return
    }
    const [expected] = this.#parser.openNames(1)
    throw new DumpError(`the XML is damaged: </${expected}> expected, another closing tag found`)
  }

  #isOfEnded(name: string): boolean {
    const ended = this.#ended.get(name) ?? 0
    if (ended > 0) this.#ended.set(name, ended - 1)
    return ended > 0
  }

  #endUnclosed(names: readonly string[]): boolean {
    if (!this.#handler.endUnclosed(names)) return false
    this.#parser.dropOpen(names.length)
    this.#depth -= names.length
    return true
  }

  /** Handles a complaint of saxes: counts the faults that can be repaired, and throws for the others. */
  #problem(message: string): void {
    if (message === 'disallowed character.' && this.#isForbidden()) return this.#countRepair()
    if (!this.#rootSeen) throw notAnExport()
    const unclosed = /^unclosed tag: (.*)$/.exec(message)?.[1]
    if (unclosed !== undefined) throw new DumpError(`the XML ends early: </${unclosed}> expected`)
    throw new DumpError(`the XML is damaged: ${message.replace(/\.$/, '')}`)
  }

  #isForbidden(): boolean {
    const index = this.#parser.position - this.#chunkStart - 1
    return this.#chunk.charAt(index).search(FORBIDDEN) === 0
  }

  #countRepair(): void {
    if (this.#repairCount++ === 0) this.#firstRepairLine = this.#parser.line
  }
}

/** Private parts of saxes; a test of the package checks them. */
interface TagReader {
  /** The open elements, innermost last. */
  readonly tags: { readonly name: string }[]
  /** Name in the tag that is being read. */
  readonly name: string
  /** Handles a closing tag whose name is known. */
  closeTag(): void
}

/** saxes reports every fault through `fail`, and continues if that returns. */
class TolerantParser extends SaxesParser<typeof OPTIONS> {
  readonly #problem: (message: string) => void
  readonly #tags: { readonly name: string }[]

  /** `beforeClosing` is called with the name in each closing tag that is not that of the innermost open element. */
  constructor(
    problem: (message: string) => void,
    repaired: () => void,
    beforeClosing: (name: string) => void,
  ) {
    super(OPTIONS)
    this.#problem = problem
    const reader = this as unknown as TagReader
    const closeTag = reader.closeTag.bind(this)
    this.#tags = reader.tags
    reader.closeTag = () => {
      const { name, tags } = reader
      if (name !== '' && tags.length > 0 && tags.at(-1)?.name !== name) beforeClosing(name)
      closeTag()
    }
    replaceForbiddenReferences(this, repaired)
    quickenTexts(this)
  }

  override fail(message: string): this {
    this.#problem(message)
    return this
  }

  /** Names of the innermost open elements, the outermost of them first. */
  openNames(count: number): string[] {
    return this.#tags.slice(-count).map(({ name }) => name)
  }

  /** Names of the elements that are open inside the innermost one of a name; undefined if there is none. */
  openInside(name: string): string[] | undefined {
    const at = this.#tags.findLastIndex((tag) => tag.name === name)
    return at < 0 ? undefined : this.openNames(this.#tags.length - 1 - at)
  }

  /** Forgets the innermost open elements. */
  dropOpen(count: number): void {
    this.#tags.length -= count
  }

  /** Makes a closing tag of this name close nothing else. */
  reopen(name: string): void {
    this.#tags.push({ name })
  }
}

/**
 * Decodes references to forbidden characters, such as `&#1;`, as U+FFFD. saxes has no public way to do this. It would
 * leave the reference in the text, where it looks like an escaped one.
 */
function replaceForbiddenReferences(parser: SaxesParser<typeof OPTIONS>, repaired: () => void): void {
  const resolver = parser as unknown as { parseEntity(reference: string): string }
  const resolve = resolver.parseEntity.bind(parser)
  resolver.parseEntity = (reference) => {
    if (reference.charCodeAt(0) !== HASH || !isForbiddenReference(reference)) return resolve(reference)
    repaired()
    return REPLACEMENT
  }
}

/** Takes the inside of a reference: `#1` or `#x1`. */
function isForbiddenReference(reference: string): boolean {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(reference) ?? []
  if (hexadecimal === undefined && decimal === undefined) return false
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return true
  return String.fromCodePoint(code).search(FORBIDDEN) === 0
}

function repair(text: string): string {
  return text.replace(FORBIDDEN, REPLACEMENT)
}

function repairAll(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, repair(value)]))
}
