/**
 * Cuts bzip2 data into their blocks, so that several decoders can unpack them. Every block becomes a stream of its own.
 *
 *     file      header │ block │ block │ end, CRC of all │ padding │ header │ …
 *     out       header │ block │ end, CRC of the block │ padding
 *
 * Blocks are found by their marks of 48 bits. Their data hold one by chance in a file of some 20 TB; the decoder then
 * reports a damaged block.
 */
import { BitWriter, BLOCK, findMark, MARK_BITS, markAt, readBits, STREAM_END } from './bits.js'

const HEADER_BYTES = 4
const HEADER = /^BZh[1-9]$/
const CRC_BITS = 32
const END_BITS = MARK_BITS + CRC_BITS
/** A block of 900,000 bytes that cannot be compressed has about 910,000. A longer one is damaged. */
const MAX_BLOCK_BYTES = 2 ** 20

/** A part of the data that a decoder can unpack alone. Damaged data come as they are, and then nothing follows. */
export async function* splitBlocks(input: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void> {
  const splitter = new Splitter()
  for await (const bytes of input) {
    // Read the rest too, which the caller counts and hashes.
    if (splitter.isDone) continue
    splitter.add(bytes)
    yield* splitter.take()
  }
  splitter.end()
  yield* splitter.take()
}

class Splitter {
  isDone = false
  #bytes: Uint8Array = new Uint8Array(0)
  /** The bit after everything that was taken. */
  #at = 0
  /** The bit from which to look for the next mark. */
  #searched = 0
  #isAtEnd = false
  #isFirst = true
  #header: Uint8Array | undefined
  /** Combined CRC of the stream's blocks so far. */
  #crc = 0
  readonly #parts: Uint8Array[] = []

  add(bytes: Buffer): void {
    const start = Math.floor(this.#at / 8)
    const kept = this.#bytes.subarray(start)
    this.#at -= start * 8
    this.#searched -= start * 8
    const joined = new Uint8Array(kept.length + bytes.length)
    joined.set(kept)
    joined.set(bytes, kept.length)
    this.#bytes = joined
    this.#advance()
  }

  end(): void {
    this.#isAtEnd = true
    this.#advance()
    if (!this.isDone) this.#giveRest()
  }

  take(): Uint8Array[] {
    return this.#parts.splice(0)
  }

  #advance(): void {
    while (!this.isDone && (this.#header === undefined ? this.#takeHeader() : this.#takeMark()));
  }

  /** False if it needs more bytes. */
  #takeHeader(): boolean {
    const start = Math.ceil(this.#at / 8)
    const header = this.#bytes.subarray(start, start + HEADER_BYTES)
    if (header.length < HEADER_BYTES && !this.#isAtEnd) return false
    if (!HEADER.test(Buffer.from(header).toString('latin1'))) {
      // After a whole stream, decoders ignore what is no further one.
      if (this.#isFirst) this.#giveRest()
      this.isDone = true
      return false
    }
    this.#isFirst = false
    this.#header = header
    this.#crc = 0
    this.#at = this.#searched = (start + HEADER_BYTES) * 8
    return true
  }

  #takeMark(): boolean {
    if (this.#at + END_BITS > this.#bytes.length * 8) return false
    const mark = markAt(this.#bytes, this.#at)
    if (mark === STREAM_END) return this.#takeEnd()
    if (mark !== BLOCK) return this.#giveRest()
    this.#searched = Math.max(this.#searched, this.#at + END_BITS)
    const next = findMark(this.#bytes, this.#searched)
    if (next === undefined) {
      this.#searched = Math.max(this.#searched, this.#bytes.length * 8 - MARK_BITS + 1)
      return this.#bytes.length - this.#at / 8 > MAX_BLOCK_BYTES ? this.#giveRest() : false
    }
    const crc = readBits(this.#bytes, this.#at + MARK_BITS, CRC_BITS)
    this.#crc = (((this.#crc << 1) | (this.#crc >>> 31)) ^ crc) >>> 0
    this.#give(this.#at, next.at, crc)
    this.#at = this.#searched = next.at
    return true
  }

  #takeEnd(): boolean {
    const crc = readBits(this.#bytes, this.#at + MARK_BITS, CRC_BITS)
    // The decoder refuses a stream without blocks but with a CRC.
    if (crc !== this.#crc) {
      this.#give(this.#at, this.#at, (crc ^ this.#crc) >>> 0)
      this.isDone = true
    }
    this.#at += END_BITS
    this.#header = undefined
    return true
  }

  /** Hands over what is no whole block. The decoder says what is wrong with it. */
  #giveRest(): false {
    const header = this.#header ?? new Uint8Array(0)
    const room = new BitWriter(header.length + this.#bytes.length + 1)
    room.copy(header, 0, header.length * 8)
    room.copy(this.#bytes, this.#at, this.#bytes.length * 8)
    this.#parts.push(room.finish())
    this.isDone = true
    return false
  }

  #give(from: number, to: number, crc: number): void {
    const header = this.#header!
    const out = new BitWriter(HEADER_BYTES + Math.ceil((to - from + END_BITS) / 8))
    out.copy(header, 0, HEADER_BYTES * 8)
    out.copy(this.#bytes, from, to)
    out.write(0x177245, 24)
    out.write(0x385090, 24)
    out.write(crc, CRC_BITS)
    this.#parts.push(out.finish())
  }
}
