/**
 * Seals of rows. The last four bytes of every row are a CRC-32 of the row. Its start value is a hash of the table's
 * name and the row's key. The seal detects a flipped bit in the row or its key, and a row under a wrong key. A CRC-32
 * detects every change within 32 bits of a row; other damage passes once in 2³² times.
 */
import { crc32 } from 'node:zlib'

export const SEAL_BYTES = 4

/** Longer rows get memory of their own. */
const SCRATCH_BYTES = 2 ** 16
/** Saves a block of memory for each row that is written. */
const scratch = Buffer.alloc(SCRATCH_BYTES)

const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * FNV-1a, continued from `hash`. Changing one byte always changes the hash. Written here because keys are too short for
 * a call to the runtime to pay.
 */
export function hashBytes(hash: number, bytes: Uint8Array, start: number, end: number): number {
  for (let n = start; n < end; n++) hash = Math.imul(hash ^ bytes[n]!, FNV_PRIME)
  return hash
}

/** The start of the hashes of all keys of a table. */
export function tableHash(name: string): number {
  const bytes = Buffer.from(name)
  return hashBytes(FNV_BASIS, bytes, 0, bytes.length)
}

/** A row with its seal. `keyHash` is the hash of its key. The result may be a view that ends with the next call. */
export function sealed(keyHash: number, row: Uint8Array): Buffer {
  const length = row.length + SEAL_BYTES
  const bytes = length <= SCRATCH_BYTES ? scratch.subarray(0, length) : Buffer.allocUnsafe(length)
  bytes.set(row)
  bytes.writeUInt32BE(crc32(row, keyHash >>> 0), row.length)
  return bytes
}

/** The row without its seal, as a view of the same memory; undefined if it is damaged. */
export function unsealed(keyHash: number, bytes: Buffer): Buffer | undefined {
  const end = bytes.length - SEAL_BYTES
  if (end < 0) return undefined
  const row = bytes.subarray(0, end)
  return crc32(row, keyHash >>> 0) === bytes.readUInt32BE(end) ? row : undefined
}
