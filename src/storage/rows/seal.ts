/**
 * Seals of rows: the last four bytes of every row are a CRC-32 of the rest that begins with a hash of the table's name
 * and the row's key. So a bit that flipped on the disk is noticed, in the row as in its key, and so is a row that
 * stands under the key of another one. A CRC-32 finds every change of up to 32 bits in a row; other damage passes once
 * in 2³² times.
 */
import { crc32 } from 'node:zlib'

export const SEAL_BYTES = 4

const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * FNV-1a going on from a hash: another byte always gives another hash. Keys are too short for a call to the runtime.
 */
export function hashBytes(hash: number, bytes: Uint8Array, start: number, end: number): number {
  for (let n = start; n < end; n++) hash = Math.imul(hash ^ bytes[n]!, FNV_PRIME)
  return hash
}

/** What the hashes of all keys of a table begin with. */
export function tableHash(name: string): number {
  const bytes = Buffer.from(name)
  return hashBytes(FNV_BASIS, bytes, 0, bytes.length)
}

/** A row with its seal; `keyHash` is the hash of its key. */
export function sealed(keyHash: number, row: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(row.length + SEAL_BYTES)
  bytes.set(row)
  bytes.writeUInt32BE(crc32(row, keyHash >>> 0), row.length)
  return bytes
}

/** The row without its seal, a view of the same memory; undefined when it is damaged. */
export function unsealed(keyHash: number, bytes: Buffer): Buffer | undefined {
  const end = bytes.length - SEAL_BYTES
  if (end < 0) return undefined
  const row = bytes.subarray(0, end)
  return crc32(row, keyHash >>> 0) === bytes.readUInt32BE(end) ? row : undefined
}
