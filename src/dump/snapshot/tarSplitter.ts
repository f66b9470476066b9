/**
 * Splits a tar archive that comes in pieces into the contents of its files. It hands over each piece at once, so a
 * truncated archive gives everything before the cut. Nothing is written to disk: names are for messages.
 *
 *     header (512 bytes) ──► contents ──► padding to 512 bytes ──┐
 *        ▲                                                       │
 *        └───────────────────────────────────────────────────────┘   a header of zeros ends the archive
 */
import { DumpError } from '../dumpError.js'

const BLOCK = 512
const NAME_BYTES = 100
const SIZE_AT = 124
const SIZE_BYTES = 12
const CHECKSUM_AT = 148
const CHECKSUM_BYTES = 8
const TYPE_AT = 156
const SPACE = 32
/** Marks a size in base 256, for files of 8 GiB and more. */
const BASE_256 = 0x80
/** The longest header of facts about the next file. */
const MAX_FACTS_BYTES = 2 ** 20
const FILE_TYPES: ReadonlySet<string> = new Set(['0', '\0', '7'])

/** A piece of a file in the archive. */
export interface MemberPiece {
  readonly member: string
  readonly bytes: Buffer
}

/** Facts that a header of type `x` or `L` states of the next file. */
interface Facts {
  readonly name?: string
  readonly size?: number
}

export class TarSplitter {
  readonly #header = Buffer.alloc(BLOCK)
  #headerBytes = 0
  #type = ''
  #name = ''
  /** Bytes of the file's contents, and of its padding, that are still to come. */
  #left = 0
  #padding = 0
  #facts: Facts = {}
  #factBytes: Buffer[] = []
  #isEnded = false;

  /** The pieces of regular files. Throws a DumpError if the archive is damaged. */
  *write(bytes: Buffer): Generator<MemberPiece> {
    for (let at = 0; at < bytes.length && !this.#isEnded;) {
      if (this.#left > 0) {
        const piece = bytes.subarray(at, at + this.#left)
        at += piece.length
        this.#left -= piece.length
        if (FILE_TYPES.has(this.#type)) yield { member: this.#name, bytes: piece }
        else this.#takeFacts(piece)
      } else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, bytes.length - at)
        at += skipped
        this.#padding -= skipped
      } else {
        const copied = bytes.copy(this.#header, this.#headerBytes, at, at + BLOCK - this.#headerBytes)
        at += copied
        this.#headerBytes += copied
        if (this.#headerBytes === BLOCK) this.#open()
      }
    }
  }

  /** Throws a DumpError if the archive ends too early. */
  end(): void {
    if (!this.#isEnded && this.#headerBytes + this.#left + this.#padding > 0)
      throw new DumpError('ends inside of the tar archive: the file is cut off')
  }

  #open(): void {
    const header = this.#header
    this.#headerBytes = 0
    if (header.every((byte) => byte === 0)) {
      this.#isEnded = true
      return
    }
    if (readNumber(header, CHECKSUM_AT, CHECKSUM_BYTES) !== checksum(header)) throw damaged()
    this.#type = String.fromCharCode(header[TYPE_AT]!)
    const stated = FILE_TYPES.has(this.#type) ? this.#facts : {}
    this.#name = stated.name ?? textOf(header.subarray(0, NAME_BYTES))
    this.#left = stated.size ?? readNumber(header, SIZE_AT, SIZE_BYTES)
    if (!Number.isSafeInteger(this.#left) || this.#left < 0) throw damaged()
    this.#padding = (BLOCK - (this.#left % BLOCK)) % BLOCK
    if (FILE_TYPES.has(this.#type)) this.#facts = {}
    else if ((this.#type === 'x' || this.#type === 'L') && this.#left > MAX_FACTS_BYTES) throw damaged()
  }

  #takeFacts(piece: Buffer): void {
    if (this.#type !== 'x' && this.#type !== 'L') return
    this.#factBytes.push(Buffer.from(piece))
    if (this.#left > 0) return
    const bytes = Buffer.concat(this.#factBytes.splice(0))
    this.#facts =
      this.#type === 'L' ? { ...this.#facts, name: textOf(bytes) } : { ...this.#facts, ...paxFacts(bytes) }
  }
}

/** True if a file begins like a tar archive. */
export const isTar = (head: Buffer): boolean =>
  head.length >= BLOCK && readNumber(head, CHECKSUM_AT, CHECKSUM_BYTES) === checksum(head.subarray(0, BLOCK))

/** Name and size from records such as `28 path=long/name.ndjson\n`. The number counts the bytes of the record. */
function paxFacts(bytes: Buffer): Facts {
  const facts: { name?: string; size?: number } = {}
  for (let at = 0; at < bytes.length;) {
    const [, digits = ''] = /^(\d{1,7}) /.exec(bytes.toString('latin1', at, at + 8)) ?? []
    const length = Number(digits)
    if (length <= digits.length + 1 || at + length > bytes.length) throw damaged()
    const record = bytes.toString('utf8', at + digits.length + 1, at + length - 1)
    if (record.startsWith('path=')) facts.name = record.slice('path='.length)
    if (record.startsWith('size=')) facts.size = Number(record.slice('size='.length))
    at += length
  }
  return facts
}

function readNumber(header: Buffer, at: number, length: number): number {
  if ((header[at]! & BASE_256) === 0) {
    const digits = textOf(header.subarray(at, at + length)).trim()
    return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : -1
  }
  let value = header[at]! & ~BASE_256
  for (let n = at + 1; n < at + length; n++) value = value * 256 + header[n]!
  return value
}

/** Sum of the header's bytes, with blanks in the place of the sum. */
function checksum(header: Buffer): number {
  let sum = CHECKSUM_BYTES * SPACE
  for (let at = 0; at < BLOCK; at++)
    if (at < CHECKSUM_AT || at >= CHECKSUM_AT + CHECKSUM_BYTES) sum += header[at]!
  return sum
}

/** The text before the first zero byte. */
function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

const damaged = (): DumpError => new DumpError('is a damaged tar archive')
