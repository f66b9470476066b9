/**
 * HTML as the store keeps it: in deflated parts, each of which stands for itself. So an answer in gzip can be put
 * together from parts without unpacking any, for example from a part of the store between two that are new.
 *
 *     0 number of parts u8   for each: 1 bytes u32, packed bytes u32, CRC-32 u32   then the packed parts
 */
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { inflateView, KEPT_ROOM_BYTES } from '../../runtime/keptZlib.js'

/** A part of a text, deflated without an end: another part can follow. */
export interface PackedPart {
  readonly packed: Uint8Array
  /** Bytes of the part when unpacked. */
  readonly length: number
  /** CRC-32 of these bytes. */
  readonly crc: number
  /** These bytes, of a part that many answers share. */
  readonly plain?: Uint8Array
}

/** Ends a deflated stream: an empty last block. */
export const LAST_BLOCK = Uint8Array.of(0x03, 0x00)

const HEAD = 1
const PART_HEAD = 12
const LEVEL = 6
/** The smallest chunk that zlib takes. One chunk for the whole text saves two thirds of the time for 9 kB. */
export const MIN_CHUNK = 64

export function packPart(bytes: Uint8Array): PackedPart {
  const packed = deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH })
  return { packed, length: bytes.length, crc: crc32(bytes) }
}

/** Packs HTML in parts that end at `cuts`: offsets in bytes, rising. */
export function packInParts(html: Uint8Array, cuts: readonly number[]): Uint8Array {
  const ends = [...cuts, html.length]
  const parts = ends.map((end, n) => packPart(html.subarray(ends[n - 1] ?? 0, end)))
  const head = Buffer.alloc(HEAD + parts.length * PART_HEAD)
  head[0] = parts.length
  parts.forEach(({ packed, length, crc }, n) => {
    const at = HEAD + n * PART_HEAD
    head.writeUInt32BE(length, at)
    head.writeUInt32BE(packed.length, at + 4)
    head.writeUInt32BE(crc, at + 8)
  })
  // Bytes that own their memory, so that they can be moved to another thread. Small Buffers share a pool.
  return new Uint8Array(Buffer.concat([head, ...parts.map(({ packed }) => packed)]))
}

/** A part that stays valid after further reads of the store. `slice` of a Buffer copies nothing. */
export const ownPart = <Part extends Pick<PackedPart, 'packed'>>(part: Part): Part => ({
  ...part,
  packed: new Uint8Array(part.packed),
})

/** The inside of the body of a page's HTML, for a task that may wait. The other parts are the head and the end. */
export const ownBody = (packedHtml: Uint8Array): PackedPart[] =>
  packedParts(packedHtml).slice(1, 2).map(ownPart)

/** The parts of what `packInParts` made, as views of its bytes. Throws a RangeError if it is too short. */
export function packedParts({ buffer, byteOffset, byteLength }: Uint8Array): PackedPart[] {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  const count = bytes.readUInt8(0)
  let at = HEAD + count * PART_HEAD
  return Array.from({ length: count }, (_, n) => {
    const place = HEAD + n * PART_HEAD
    const end = at + bytes.readUInt32BE(place + 4)
    if (end > bytes.length) throw new RangeError(`part ${n} ends at ${end} of ${bytes.length} bytes`)
    // Takes half the time of a Buffer's `subarray`.
    const packed = new Uint8Array(buffer, byteOffset + at, end - at)
    at = end
    return { packed, length: bytes.readUInt32BE(place), crc: bytes.readUInt32BE(place + 8) }
  })
}

/** The bytes of some parts together: a view that the next call may overwrite. Throws if a part is damaged. */
export function unpackParts(parts: readonly PackedPart[]): Buffer {
  const length = lengthOf(parts)
  if (length > KEPT_ROOM_BYTES) return unpackLong(parts, length)
  const bytes = inflateView(joined(parts))
  if (bytes.length !== length) throw new RangeError(`parts of ${length} bytes have ${bytes.length}`)
  return bytes
}

function unpackLong(parts: readonly PackedPart[], length: number): Buffer {
  const packed = Buffer.concat([...parts.map((part) => part.packed), LAST_BLOCK])
  return inflateRawSync(packed, { maxOutputLength: length, chunkSize: length + MIN_CHUNK })
}

/** The packed bytes of some parts together. Parts of one row follow each other, and need no copy. */
function joined(parts: readonly PackedPart[]): Uint8Array {
  const [first, ...others] = parts.map(({ packed }) => packed)
  if (first === undefined) return LAST_BLOCK
  let end = first.byteOffset + first.byteLength
  for (const { buffer, byteOffset, byteLength } of others) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat([first, ...others])
    end += byteLength
  }
  return new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset)
}

/** Bytes of some parts when unpacked. */
export function lengthOf(parts: readonly PackedPart[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
