import { DumpError } from './dumpError.js'
import type { Attributes, XmlHandler } from './xmlScanner.js'

/**
 * Treatment of a child element. `field` and `text` hold only characters, few or many. A `stream` passes its characters
 * on as they arrive. `skip` ignores the element with all its content. A reader takes over until the element closes.
 */
export type Treatment = 'field' | 'text' | 'stream' | 'skip' | ElementReader

/** Understands one element that holds others. */
export interface ElementReader {
  /** Name of an element that cannot be inside this one. Where it opens, the closing tag of this one is missing. */
  readonly endedBy?: string
  open(name: string, attributes: Attributes): Treatment
  /** Receives the characters of a `field` or `text` child. */
  field?(name: string, value: string): void
  /** Receives some characters of a `stream` child. */
  piece?(text: string): void
  /** Called when a child of characters holds elements or too many characters. The rest of the child is skipped. */
  spoil?(name: string, reason: string): void
  /** The element itself ends. */
  close?(): void
  /** A tag is missing, of this element or of one inside it, so this one is left out. It may go on. */
  breakOff?(reason: string): void
  /** A closing tag among the children has no opening one. False if it cannot be passed over. */
  passStray?(name: string): boolean
}

/** Most characters that one element may hold, in UTF-16 units. Each unit takes at most three bytes of UTF-8. */
export interface LengthLimits {
  readonly field: number
  readonly text: number
}

/** Passes each element of a document to the reader that understands its parent. */
export class ElementDispatcher implements XmlHandler {
  readonly #limits: LengthLimits
  /** Readers of the open elements, innermost last. */
  readonly #readers: ElementReader[]
  #reader: ElementReader
  #treatment: 'children' | 'field' | 'text' | 'stream' | 'skip' = 'children'
  /** Number of open elements in the skipped one, including itself. */
  #skippedDepth = 0
  /** The last opened child without a reader of its own. */
  #child = ''
  #value = ''

  constructor(root: ElementReader, limits: LengthLimits) {
    this.#reader = root
    this.#readers = [root]
    this.#limits = limits
  }

  open(name: string, attributes: Attributes): void {
    if (this.#treatment === 'skip') {
      this.#skippedDepth++
      return
    }
    if (this.#treatment !== 'children') {
      this.#spoil(`its <${this.#child}> holds <${name}>: markup must be escaped`, 2)
      return
    }
    const treatment = this.#reader.open(name, attributes)
    if (typeof treatment === 'object') {
      this.#readers.push(treatment)
      this.#reader = treatment
    } else {
      this.#treatment = treatment
      this.#child = name
      this.#skippedDepth = 1
      this.#value = ''
    }
  }

  text(piece: string): void {
    if (this.#treatment === 'stream') this.#reader.piece?.(piece)
    if (this.#treatment !== 'field' && this.#treatment !== 'text') return
    const limit = this.#limits[this.#treatment]
    if (this.#value.length + piece.length > limit) {
      this.#spoil(`its <${this.#child}> has more than ${limit} characters`, 1)
      return
    }
    this.#value = this.#value === '' ? piece : this.#value + piece
  }

  close(name: string): void {
    switch (this.#treatment) {
      case 'skip':
        if (--this.#skippedDepth === 0) this.#treatment = 'children'
        return
      case 'children':
        this.#reader.close?.()
        this.#leave(1)
        return
      case 'stream':
        this.#treatment = 'children'
        return
      case 'field':
      case 'text':
        this.#treatment = 'children'
        this.#reader.field?.(name, this.#value)
        this.#value = ''
    }
  }

  endedBy(name: string): number {
    if (this.#treatment !== 'children') return 0
    const at = this.#readers.findLastIndex(({ endedBy }) => endedBy === name)
    return at < 0 ? 0 : this.#readers.length - at
  }

  endUnclosed(names: readonly string[]): boolean {
    const inChild = this.#treatment === 'children' ? 0 : this.#treatment === 'skip' ? this.#skippedDepth : 1
    // The reader of the document has no element, so that of the first element has the number 1.
    const open = this.#readers.length - 1 + inChild
    const first = open - names.length + 1
    const at = this.#readers.findLastIndex((reader, n) => 'breakOff' in reader && n <= first)
    if (at < 0) return false
    const broken = this.#readers[at]!
    broken.breakOff?.(`its </${names[0]}> is missing`)
    if (names.length < inChild) {
      this.#skippedDepth -= names.length
      return true
    }
    this.#treatment = 'children'
    this.#value = ''
    if (at === first) broken.close?.()
    this.#leave(names.length - inChild)
    return true
  }

  passStray(name: string): boolean {
    const reader = this.#readers.findLast((each) => 'breakOff' in each || 'passStray' in each)
    if (reader?.breakOff === undefined)
      return this.#treatment === 'children' && reader?.passStray?.(name) === true
    reader.breakOff(`it has </${name}> without an opening tag`)
    return true
  }

  #leave(count: number): void {
    this.#readers.length = Math.max(1, this.#readers.length - count)
    this.#reader = this.#readers.at(-1)!
  }

  /** Skips the rest of the open child. `depth` counts the child and the elements open in it. */
  #spoil(reason: string, depth: number): void {
    if (this.#reader.spoil === undefined) throw new DumpError(reason)
    this.#treatment = 'skip'
    this.#skippedDepth = depth
    this.#value = ''
    this.#reader.spoil(this.#child, reason)
  }

  maxSilence(): number {
    return this.#treatment === 'children' ? this.#limits.field : this.#limits.text
  }
}
