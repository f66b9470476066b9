/** Puts a gzip stream (RFC 1952) together from deflated parts, without unpacking them. */
import { LAST_BLOCK, lengthOf, type PackedPart } from '../../storage/packedHtml.js'

/** No name, no time, unknown system. */
const HEAD = Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff)
const TRAILER_BYTES = 8

export function gzipOf(parts: readonly PackedPart[]): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeUInt32LE(
    parts.reduce((crc, part) => combineCrc(crc, part.crc, part.length), 0),
    0,
  )
  trailer.writeUInt32LE(lengthOf(parts) % 2 ** 32, 4)
  return Buffer.concat([HEAD, ...parts.map(({ packed }) => packed), LAST_BLOCK, trailer])
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
  let shift = X_TO_0
  for (let rest = secondBytes, k = 3; rest > 0; rest = Math.floor(rest / 2), k++)
    if (rest % 2 === 1) shift = multiply(POWERS[k]!, shift)
  return (multiply(shift, first) ^ second) >>> 0
}

function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = X_TO_0; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= b
    b = (b & 1) === 0 ? b >>> 1 : (b >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}

/** Enough for texts of 2⁴⁵ bytes. */
function powers(): number[] {
  const made = [0x40000000]
  while (made.length < 48) made.push(multiply(made.at(-1)!, made.at(-1)!))
  return made
}
