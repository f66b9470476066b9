import { DumpError } from './dumpError.js'
import type { Attributes, XmlHandler } from './xmlScanner.js'

/**
 * What becomes of a child element: `field` and `text` hold characters only, short and long; those of a `stream` are
 * handed on as they come; `skip` leaves it out with
 * all that it holds; a reader takes over until it closes.
 */
export type Treatment = 'field' | 'text' | 'stream' | 'skip' | ElementReader

/** Understands one element that holds others. */
export interface ElementReader {
  open(name: string, attributes: Attributes): Treatment
  /** The characters of a child that `open` called `field` or `text`. */
  field?(name: string, value: string): void
  /** Some characters of the child that `open` called `stream`. */
  piece?(text: string): void
  /** A child that should hold characters only holds elements, or too many characters: the rest of it is skipped. */
  spoil?(name: string, reason: string): void
  /** The element itself ends. */
  close?(): void
}

/** Most characters (UTF-16 units, so at least a third of the bytes) that one element may hold. */
export interface LengthLimits {
  readonly field: number
  readonly text: number
}

/** Leads each element of a document to the reader that understands its parent. */
export class ElementDispatcher implements XmlHandler {
  readonly #limits: LengthLimits
  readonly #beforeClose: () => void
  readonly retractClose: () => void
  /** Readers of the open elements, innermost last. */
  readonly #readers: ElementReader[]
  #reader: ElementReader
  #treatment: 'children' | 'field' | 'text' | 'stream' | 'skip' = 'children'
  /** Open elements inside a skipped one, itself included. */
  #skippedDepth = 0
  /** The last child that was opened and is no reader of its own. */
  #child = ''
  #value = ''

  /** `beforeClose` is called ahead of everything that a closing tag sets off, and `retractClose` to undo it. */
  constructor(
    root: ElementReader,
    limits: LengthLimits,
    { beforeClose, retractClose }: { beforeClose: () => void; retractClose: () => void },
  ) {
    this.#reader = root
    this.#readers = [root]
    this.#limits = limits
    this.#beforeClose = beforeClose
    this.retractClose = retractClose
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
    this.#beforeClose()
    switch (this.#treatment) {
      case 'skip':
        if (--this.#skippedDepth === 0) this.#treatment = 'children'
        return
      case 'children':
        this.#reader.close?.()
        this.#readers.pop()
        this.#reader = this.#readers.at(-1) ?? this.#reader
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

  /** Passes over the rest of the open child; `depth` counts it and the elements that are open in it. */
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
