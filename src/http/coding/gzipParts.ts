/** Puts a gzip stream (RFC 1952) together from deflated parts, without unpacking them. */
import { crc32 } from 'node:zlib'
import { KeptZlib } from '../../storage/keptZlib.js'
import { LAST_BLOCK } from '../../storage/packedHtml.js'
import type { BodyPart } from '../reply/reply.js'
import { AnswerRoom, mostBytes } from './answerRoom.js'

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
