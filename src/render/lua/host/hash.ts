/** `mw.hash` */
import { createHash, getHashes } from 'node:crypto'
import { LuaError } from '../engine/state.js'
import type { HostArguments, HostTable } from './arguments.js'

const BYTE = 8
const UINT32 = 0xffffffff

type Checksum = (bytes: Buffer) => string

const hex32 = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
const hex64 = (value: bigint): string => BigInt.asUintN(64, value).toString(16).padStart(16, '0')

/** PHP's names of hashes and the JavaScript engine's names for them. */
const NAMES: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  'sha512/224': 'sha512-224',
  'sha512/256': 'sha512-256',
  sha384: 'sha384',
  sha512: 'sha512',
  'sha3-224': 'sha3-224',
  'sha3-256': 'sha3-256',
  'sha3-384': 'sha3-384',
  'sha3-512': 'sha3-512',
  ripemd160: 'ripemd160',
}

const CHECKSUMS: Readonly<Record<string, Checksum>> = {
  adler32,
  crc32: (bytes) => crc32Bzip(bytes),
  crc32b: (bytes) => hex32(reflectedCrc(bytes, 0xedb88320)),
  crc32c: (bytes) => hex32(reflectedCrc(bytes, 0x82f63b78)),
  fnv132: (bytes) => fnv32(bytes, (hash, byte) => Math.imul(hash, 0x01000193) ^ byte),
  fnv1a32: (bytes) => fnv32(bytes, (hash, byte) => Math.imul(hash ^ byte, 0x01000193)),
  fnv164: (bytes) => fnv64(bytes, (hash, byte) => (hash * 0x100000001b3n) ^ byte),
  fnv1a64: (bytes) => fnv64(bytes, (hash, byte) => (hash ^ byte) * 0x100000001b3n),
  joaat,
}

export const HASH_FUNCTIONS: HostTable = { values: { hashValue, hashAlgorithms } }

function hashAlgorithms(): string[] {
  const known = new Set(getHashes())
  const digests = Object.entries(NAMES).filter(([, name]) => known.has(name))
  return [...digests.map(([name]) => name), ...Object.keys(CHECKSUMS)]
}

function hashValue(args: HostArguments): string {
  for (const index of [1, 2]) {
    const type = args.typeName(index)
    if (type === 'string') continue
    throw new LuaError(`bad argument #${index} to 'hashValue' (string expected, got ${type})`)
  }
  const algorithm = args.text(1)
  const bytes = args.bytes(2)
  if (Object.hasOwn(CHECKSUMS, algorithm)) return (CHECKSUMS[algorithm] as Checksum)(bytes)
  const name = Object.hasOwn(NAMES, algorithm) ? NAMES[algorithm] : undefined
  if (name === undefined || !hashAlgorithms().includes(algorithm))
    throw new LuaError(`Unknown hashing algorithm: ${algorithm}`)
  return createHash(name).update(bytes).digest('hex')
}

function reflectedCrc(bytes: Buffer, polynomial: number): number {
  let crc = UINT32
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < BYTE; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
  }
  return crc ^ UINT32
}

/** The checksum of bzip2, lowest byte first. */
function crc32Bzip(bytes: Buffer): string {
  let crc = UINT32
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < BYTE; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  const result = Buffer.alloc(4)
  result.writeUInt32LE((crc ^ UINT32) >>> 0)
  return result.toString('hex')
}

function adler32(bytes: Buffer): string {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 65521
    high = (high + low) % 65521
  }
  return hex32(high * 65536 + low)
}

function fnv32(bytes: Buffer, step: (hash: number, byte: number) => number): string {
  return hex32(bytes.reduce(step, 0x811c9dc5))
}

function fnv64(bytes: Buffer, step: (hash: bigint, byte: bigint) => bigint): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, step(hash, BigInt(byte)))
  return hex64(hash)
}

function joaat(bytes: Buffer): string {
  let hash = 0
  for (const byte of bytes) {
    hash = (hash + byte) | 0
    hash = (hash + (hash << 10)) | 0
    hash ^= hash >>> 6
  }
  hash = (hash + (hash << 3)) | 0
  hash ^= hash >>> 11
  return hex32((hash + (hash << 15)) | 0)
}
