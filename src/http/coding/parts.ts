/** Bodies in parts: gzip streams (RFC 1952) of deflated parts without unpacking them, or their plain bytes. */
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { KeptZlib } from '../../runtime/keptZlib.js'
import {
  LAST_BLOCK,
  lengthOf,
  MIN_CHUNK,
  type PackedPart,
  unpackParts,
} from '../../storage/html/packedHtml.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'
import type { BodyPart } from '../reply/reply.js'

const BYTES = 64 * 1024
const MAX_BYTES = 1024 * 1024

/**
 * Memory in which answers are put together. The socket copies them in the same tick, so the next answer may take their
 * place. Answers of usual size need no memory of their own.
 */
export class AnswerRoom {
  #room = Buffer.allocUnsafeSlow(BYTES)

  /** At least `length` bytes. */
  take(length: number): Buffer<ArrayBuffer> {
    if (length > MAX_BYTES) return Buffer.allocUnsafeSlow(length)
    if (length > this.#room.length) this.#room = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(length)))
    return this.#room
  }
}

/** A bound of the bytes of some parts. */
function mostBytes(parts: readonly BodyPart[]): number {
  // A UTF-16 unit has at most three bytes in UTF-8.
  return parts.reduce((sum, part) => sum + part.length * (typeof part === 'string' ? 3 : 1), 0)
}

/** No name, no time, unknown system. */
const HEAD = Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff)
/** For texts that grow when they are packed. */
const SPARE_BYTES = 1024
/** Level 6 makes pages for readers half a percent smaller, and takes a quarter more time. */
const LEVEL = 4
/** Shorter texts are stored: a call of the deflater takes 4 µs, and would save some dozens of bytes. */
const MAX_STORED_BYTES = 160
const deflater = KeptZlib.deflate(LEVEL)
const textRoom = new AnswerRoom()

/** The bytes are valid in the same tick only. */
export function gzipOf(parts: readonly BodyPart[], room: AnswerRoom): Uint8Array {
  const bytes = room.take(mostBytes(parts) + SPARE_BYTES)
  bytes.set(HEAD)
  let [end, crc, length] = [HEAD.length, 0, 0]
  for (const part of parts) {
    if (typeof part === 'string') {
      const plain = utf8View(part)
      end = pack(plain, bytes, end)
      crc = crc32(plain, crc)
      length += plain.length
    } else {
      bytes.set(part.packed, end)
      end += part.packed.length
      crc = part.plain === undefined ? combineCrc(crc, part.crc, part.length) : crc32(part.plain, crc)
      length += part.length
    }
  }
  bytes.set(LAST_BLOCK, end)
  end = bytes.writeUInt32LE(crc, end + LAST_BLOCK.length)
  end = bytes.writeUInt32LE(length % 2 ** 32, end)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, end)
}

/** UTF-8 of a text, which the next text overwrites. */
function utf8View(text: string): Uint8Array {
  const room = textRoom.take(mostBytes([text]))
  return new Uint8Array(room.buffer, room.byteOffset, room.write(text))
}

/** Adds a part to a stream. Returns its end. */
function pack(plain: Uint8Array, stream: Buffer, at: number): number {
  if (plain.length > MAX_STORED_BYTES) {
    const packed = deflater.view(plain)
    stream.set(packed, at)
    return at + packed.length
  }
  // A block of type 0: its length, the same inverted, and the bytes.
  stream[at] = 0
  stream.writeUInt16LE(plain.length, at + 1)
  stream.writeUInt16LE(plain.length ^ 0xffff, at + 3)
  stream.set(plain, at + 5)
  return at + 5 + plain.length
}

/*
 * A CRC-32 is the remainder of a polynomial over GF(2), with x⁰ in the highest bit. Appending n bytes to a text
 * multiplies its polynomial by x⁸ⁿ, so the CRC of two texts together is
 *
 *     crc(first) · x⁸ⁿ  +  crc(second)      modulo the polynomial of CRC-32
 */
const POLYNOMIAL = 0xedb88320
const X_TO_0 = 0x80000000
/** x to the power 2ᵏ. */
const POWERS: readonly number[] = powers()

/** CRC-32 of two texts together, from their CRCs and the length of the second in bytes. */
export function combineCrc(first: number, second: number, secondBytes: number): number {
  if (first === 0) return second
  let shift = X_TO_0
  for (let rest = secondBytes, k = 3; rest > 0; rest = Math.floor(rest / 2), k++)
    if (rest % 2 === 1) shift = multiply(POWERS[k]!, shift)
  return (multiply(shift, first) ^ second) >>> 0
}

/** Without branches: a processor guesses half of them wrong, which takes two thirds of the time. */
function multiply(a: number, b: number): number {
  let product = 0
  for (; a !== 0; a <<= 1) {
    // All bits are set if the one that counts is.
    product ^= b & (a >> 31)
    b = (b >>> 1) ^ (POLYNOMIAL & -(b & 1))
  }
  return product >>> 0
}

/** Enough for texts of 2⁴⁵ bytes. */
function powers(): number[] {
  const made = [0x40000000]
  while (made.length < 48) made.push(multiply(made.at(-1)!, made.at(-1)!))
  return made
}

const inflateInBackground = promisify(inflateRaw)

/** Some parts together: at once and valid until the next call, or for long HTML from a thread of zlib. */
export function unpackHtml(parts: readonly PackedPart[]): Uint8Array | Promise<Uint8Array> {
  return lengthOf(parts) > MAX_INLINE_BYTES.unpacking ? inBackground(parts) : unpackParts(parts)
}

/** Parts with text among them, in the same way. */
export function unpack(parts: readonly BodyPart[], room: AnswerRoom): Uint8Array | Promise<Uint8Array> {
  const packed = parts.filter((part) => typeof part !== 'string')
  if (packed.length === parts.length) return unpackHtml(packed)
  if (lengthOf(packed) > MAX_INLINE_BYTES.unpacking) return eachInBackground(parts)
  const bytes = room.take(mostBytes(parts))
  let end = 0
  for (const part of parts) {
    if (typeof part === 'string') end += bytes.write(part, end)
    else {
      bytes.set(part.plain ?? unpackParts([part]), end)
      end += part.length
    }
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, end)
}

/** In one chunk: for each further one, the thread would come back to the event loop. */
function inBackground(parts: readonly PackedPart[]): Promise<Buffer> {
  const chunkSize = lengthOf(parts) + MIN_CHUNK
  return inflateInBackground(Buffer.concat([...parts.map(({ packed }) => packed), LAST_BLOCK]), { chunkSize })
}

async function eachInBackground(parts: readonly BodyPart[]): Promise<Buffer> {
  const bytesOf = async (part: BodyPart): Promise<Uint8Array> =>
    typeof part === 'string' ? Buffer.from(part) : (part.plain ?? inBackground([part]))
  return Buffer.concat(await Promise.all(parts.map(bytesOf)))
}
