/** Bits of bzip2 data. Blocks begin at any bit, so nothing after the first one is aligned to bytes. */

/** Marks the start of a block: the digits of pi. */
export const BLOCK = 1
/** Marks the end of a stream: the digits of its square root. */
export const STREAM_END = 2
export const MARK_BITS = 48

const MARKS = [
  [BLOCK, 0x314159265359n],
  [STREAM_END, 0x177245385090n],
] as const
const BYTE_BITS = 8

export interface Mark {
  readonly kind: number
  /** Bit at which the mark begins. */
  readonly at: number
}

/**
 * For each pair of bytes 1 if they can be the second and third byte around a mark. These are parts of the mark at
 * every offset.
 */
const hints = new Uint8Array(0x10000)
for (const [, mark] of MARKS)
  for (let offset = 0; offset < BYTE_BITS; offset++)
    hints[Number((mark >> BigInt(24 + offset)) & 0xffffn)] = 1

/** The first mark that begins at bit `from` or later, and is in the bytes as a whole. */
export function findMark(bytes: Uint8Array, from: number): Mark | undefined {
  for (let at = Math.floor(from / BYTE_BITS); at + 6 <= bytes.length; at++) {
    if (hints[(bytes[at + 1]! << 8) | bytes[at + 2]!] === 0) continue
    for (let bit = Math.max(from, at * BYTE_BITS); bit < (at + 1) * BYTE_BITS; bit++) {
      const kind = markAt(bytes, bit)
      if (kind !== 0) return { kind, at: bit }
    }
  }
  return undefined
}

/** BLOCK, STREAM_END, or 0 if there is neither. */
export function markAt(bytes: Uint8Array, bit: number): number {
  if (bit + MARK_BITS > bytes.length * BYTE_BITS) return 0
  const [high, low] = [readBits(bytes, bit, 24), readBits(bytes, bit + 24, 24)]
  if (high === 0x314159 && low === 0x265359) return BLOCK
  return high === 0x177245 && low === 0x385090 ? STREAM_END : 0
}

/** Reads up to 32 bits as a number. */
export function readBits(bytes: Uint8Array, bit: number, count: number): number {
  let value = 0
  for (let at = bit; at < bit + count;) {
    const offset = at % BYTE_BITS
    const taken = Math.min(BYTE_BITS - offset, bit + count - at)
    const part = (bytes[Math.floor(at / BYTE_BITS)]! >> (BYTE_BITS - offset - taken)) & (2 ** taken - 1)
    value = value * 2 ** taken + part
    at += taken
  }
  return value
}

/** Collects bits, byte by byte. */
export class BitWriter {
  #bytes: Uint8Array
  #bits = 0

  /** `sizeBytes` is the room for all bits. */
  constructor(sizeBytes: number) {
    this.#bytes = new Uint8Array(sizeBytes)
  }

  /** Adds up to 32 bits of a number. */
  write(value: number, count: number): void {
    for (let left = count; left > 0;) {
      const room = BYTE_BITS - (this.#bits % BYTE_BITS)
      const taken = Math.min(room, left)
      const part = Math.floor(value / 2 ** (left - taken)) & (2 ** taken - 1)
      this.#bytes[Math.floor(this.#bits / BYTE_BITS)]! |= part << (room - taken)
      this.#bits += taken
      left -= taken
    }
  }

  /** Adds the bits of other bytes from bit `from` up to bit `to`. Call it at a whole byte. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    const offset = from % BYTE_BITS
    const start = Math.floor(from / BYTE_BITS)
    const out = this.#bits / BYTE_BITS
    const whole = Math.floor((to - from) / BYTE_BITS)
    for (let n = 0; n < whole; n++) {
      const pair = (bytes[start + n]! << 8) | (offset === 0 ? 0 : bytes[start + n + 1]!)
      this.#bytes[out + n] = pair >> (BYTE_BITS - offset)
    }
    this.#bits += whole * BYTE_BITS
    const rest = (to - from) % BYTE_BITS
    if (rest > 0) this.write(readBits(bytes, to - rest, rest), rest)
  }

  /** All bits, with zeros up to a whole byte. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, Math.ceil(this.#bits / BYTE_BITS))
  }
}
