/** Splits bytes that come in pieces into lines of bounded length. */

const LINE_BREAK = 10
const CARRIAGE_RETURN = 13
const TAB = 9
const SPACE = 32

export interface Line {
  /** From 1. */
  readonly number: number
  /** From its first sign to its line break; valid until the next `write`. Undefined: longer than the limit. */
  readonly bytes: Buffer | undefined
}

export class LineSplitter {
  readonly #maxBytes: number
  #number = 0
  /** The line that has begun. */
  #pieces: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Number of the last whole line. */
  get number(): number {
    return this.#number
  }

  /** The lines that end in this piece. Leaves out blank ones, but counts them. */
  *write(bytes: Buffer): Generator<Line> {
    let start = this.#length > 0 ? 0 : this.#skipBlanks(bytes, 0)
    for (let end = bytes.indexOf(LINE_BREAK, start); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      yield* this.#close(bytes.subarray(start, end))
      start = this.#skipBlanks(bytes, end + 1)
    }
    this.#hold(Buffer.from(bytes.subarray(start)))
  }

  /** The last line, if it has no line break. */
  *end(): Generator<Line> {
    if (this.#length > 0) yield* this.#close(Buffer.alloc(0))
  }

  /** The position of the next sign. Makes nothing of blank lines, since a file may have a thousand million of them. */
  #skipBlanks(bytes: Buffer, from: number): number {
    let at = from
    for (; at < bytes.length && isBlank(bytes[at]!); at++) if (bytes[at] === LINE_BREAK) this.#number++
    return at
  }

  *#close(rest: Buffer): Generator<Line> {
    this.#hold(rest)
    this.#number++
    const [number, length] = [this.#number, this.#length]
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#length = 0
    yield { number, bytes: length > this.#maxBytes ? undefined : bytes }
  }

  #hold(piece: Buffer): void {
    this.#length += piece.length
    if (this.#length > this.#maxBytes) this.#pieces = []
    else if (piece.length > 0) this.#pieces.push(piece)
  }
}

/** White space of JSON. */
const isBlank = (byte: number): boolean =>
  byte === LINE_BREAK || byte === SPACE || byte === CARRIAGE_RETURN || byte === TAB
