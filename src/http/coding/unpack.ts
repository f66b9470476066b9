/** Unpacks HTML of the store for an answer. */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { LAST_BLOCK, type PackedPart, unpackParts } from '../../storage/packedHtml.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'

const inflateInBackground = promisify(inflateRaw)

/** The bytes of some parts together: at once, or for long HTML from a thread of zlib. */
export function unpack(parts: readonly (PackedPart | Uint8Array)[]): Uint8Array | Promise<Uint8Array> {
  const plain = parts.map((part) => (part instanceof Uint8Array ? part : unpackPart(part)))
  const isReady = plain.every((part) => part instanceof Uint8Array)
  return isReady
    ? Buffer.concat(plain)
    : Promise.all(plain.map((part) => Promise.resolve(part))).then((all) => Buffer.concat(all))
}

function unpackPart(part: PackedPart): Uint8Array | Promise<Uint8Array> {
  if (part.length <= MAX_INLINE_BYTES.unpacking) return unpackParts([part])
  return inflateInBackground(Buffer.concat([part.packed, LAST_BLOCK]))
}
