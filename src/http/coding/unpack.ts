/** Unpacks HTML of the store for an answer. */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { LAST_BLOCK, lengthOf, type PackedPart, unpackParts } from '../../storage/packedHtml.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'

const inflateInBackground = promisify(inflateRaw)

/** The bytes of some parts together: at once, or for long HTML from a thread of zlib. */
export function unpack(parts: readonly (PackedPart | Uint8Array)[]): Uint8Array | Promise<Uint8Array> {
  const plain = runsOf(parts).map((run) => (run instanceof Uint8Array ? run : unpackRun(run)))
  if (plain.length === 1) return plain[0]!
  const isReady = plain.every((part) => part instanceof Uint8Array)
  return isReady
    ? Buffer.concat(plain)
    : Promise.all(plain.map((part) => Promise.resolve(part))).then((all) => Buffer.concat(all))
}

/** Packed parts in a row together. The start of zlib takes longer than a short part. */
function runsOf(parts: readonly (PackedPart | Uint8Array)[]): (PackedPart[] | Uint8Array)[] {
  const runs: (PackedPart[] | Uint8Array)[] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (part instanceof Uint8Array) runs.push(part)
    else if (Array.isArray(last)) last.push(part)
    else runs.push([part])
  }
  return runs
}

function unpackRun(parts: readonly PackedPart[]): Uint8Array | Promise<Uint8Array> {
  if (lengthOf(parts) <= MAX_INLINE_BYTES.unpacking) return unpackParts(parts)
  return inflateInBackground(Buffer.concat([...parts.map(({ packed }) => packed), LAST_BLOCK]))
}
