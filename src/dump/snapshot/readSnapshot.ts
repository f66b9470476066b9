/** Reads snapshots of rendered pages: JSON objects in lines, plain or in files of a tar archive. */
import { isUtf8 } from 'node:buffer'
import { DumpError } from '../dumpError.js'
import type { DumpSource } from '../openDump.js'
import type { DumpSite } from '../types.js'
import { BadRow, parseSnapshotRow, type SnapshotRow } from './snapshotRow.js'
import { siteOfSnapshot } from './snapshotSite.js'
import { isTar, TarSplitter } from './tarSplitter.js'

/** `lines`: JSON objects. `tar`: an archive of such files. */
export type SnapshotForm = 'lines' | 'tar'

const MAX_LINE_BYTES = 16 * 2 ** 20
/** The first rows tell the names of namespaces. */
const FIRST_ROWS = 100
const FIRST_LENGTH = 4 * 2 ** 20
const BRACE = 0x7b
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const MEMBER_NAME = /\.(?:nd)?json(?:l)?$/i

/** The place of a line. */
interface Place {
  /** Name of the file in the archive; undefined without an archive. */
  readonly member: string | undefined
  readonly line: number
}

export type SnapshotEvent =
  | { readonly type: 'site'; readonly site: DumpSite }
  | ({ readonly type: 'row'; readonly row: SnapshotRow } & Place)
  /** A line that is left out. */
  | ({ readonly type: 'fault'; readonly reason: string; readonly title: string | undefined } & Place)

/** What a file is by its first 512 bytes; undefined if it is no snapshot. */
export function snapshotForm(head: Buffer): SnapshotForm | undefined {
  if (isTar(head)) return 'tar'
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(head.toString('latin1')) ? 'lines' : undefined
}

/**
 * Reads a snapshot from start to end: one `site`, then rows in the order of the file, with faults between them. Throws
 * a DumpError where the file is damaged or cut off, after all rows before that place, and for a file without rows. The
 * caller closes the source.
 */
export async function* readSnapshot(
  source: DumpSource,
  form: SnapshotForm,
): AsyncGenerator<SnapshotEvent, void> {
  const reading = new SnapshotReading(form)
  try {
    for await (const bytes of source.stream) yield* reading.write(bytes)
    yield* reading.end()
  } catch (error) {
    yield* reading.giveHeld()
    if (!(error instanceof DumpError)) throw error
    const { member, line } = reading.place
    const dumpName = member === undefined ? source.name : `${source.name}: ${member}`
    throw error.at({ dumpName, line: line + 1, byteOffset: undefined, title: undefined })
  }
}

class SnapshotReading {
  readonly #tar: TarSplitter | undefined
  #lines = new LineSplitter(MAX_LINE_BYTES)
  #member: string | undefined
  /** Events before the site is known. */
  #held: SnapshotEvent[] | undefined = []
  #heldLength = 0
  #wikiId: string | undefined

  constructor(form: SnapshotForm) {
    this.#tar = form === 'tar' ? new TarSplitter() : undefined
  }

  /** The last whole line. */
  get place(): Place {
    return { member: this.#member, line: this.#lines.number }
  }

  *write(bytes: Buffer): Generator<SnapshotEvent> {
    if (this.#tar === undefined) {
      yield* this.#takeAll(this.#lines.write(bytes))
      return
    }
    for (const piece of this.#tar.write(bytes)) {
      if (!MEMBER_NAME.test(piece.member)) continue
      if (piece.member !== this.#member) yield* this.#begin(piece.member)
      yield* this.#takeAll(this.#lines.write(piece.bytes))
    }
  }

  *end(): Generator<SnapshotEvent> {
    this.#tar?.end()
    yield* this.#takeAll(this.#lines.end())
    yield* this.giveHeld()
    if (this.#held !== undefined) throw new DumpError('has no page of a wiki')
  }

  *#begin(member: string): Generator<SnapshotEvent> {
    yield* this.#takeAll(this.#lines.end())
    this.#member = member
    this.#lines = new LineSplitter(MAX_LINE_BYTES)
  }

  *#takeAll(lines: Iterable<Line>): Generator<SnapshotEvent> {
    for (const line of lines) yield* this.#take(line)
  }

  *#take(line: Line): Generator<SnapshotEvent> {
    const event = this.#read(line)
    if (this.#held === undefined) {
      yield event
      return
    }
    this.#held.push(event)
    this.#heldLength += line.bytes?.length ?? 0
    if (this.#held.length >= FIRST_ROWS || this.#heldLength >= FIRST_LENGTH) yield* this.giveHeld()
  }

  /** Gives the site and the events that waited for it. Without a row there is no site. */
  *giveHeld(): Generator<SnapshotEvent> {
    const held = this.#held ?? []
    const rows = held.flatMap((event) => (event.type === 'row' ? event.row : []))
    if (rows.length > 0) {
      this.#held = undefined
      yield { type: 'site', site: siteOfSnapshot(rows) }
    } else if (this.#held !== undefined) {
      this.#held = []
      this.#heldLength = 0
    }
    yield* held
  }

  #read({ number, bytes: written }: Line): SnapshotEvent {
    const place = { member: this.#member, line: number }
    const fault = (reason: string, title?: string): SnapshotEvent => ({
      type: 'fault',
      reason,
      title,
      ...place,
    })
    if (written === undefined) return fault('it is longer than 16 MiB')
    const bytes = number === 1 ? withoutMark(written) : written
    // Before any string is made, since a file that is no snapshot has very many lines.
    if (bytes[0] !== BRACE) return fault('it is no JSON object')
    if (!isUtf8(bytes)) return fault('it is not UTF-8')
    try {
      const row = parseSnapshotRow(bytes.toString())
      const { wikiId, title } = row
      this.#wikiId ??= wikiId
      return wikiId === undefined || wikiId === this.#wikiId
        ? { type: 'row', row, ...place }
        : fault(`it is of the wiki "${wikiId}", and the lines before it are of "${this.#wikiId}"`, title)
    } catch (error) {
      if (!(error instanceof BadRow)) throw error
      return fault(error.message, error.title)
    }
  }
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes

// Splits bytes that come in pieces into lines of bounded length.

const LINE_BREAK = 10
const CARRIAGE_RETURN = 13
const TAB = 9
const SPACE = 32

interface Line {
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
