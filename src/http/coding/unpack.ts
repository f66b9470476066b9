/** Unpacks HTML of the store for an answer. */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { LAST_BLOCK, lengthOf, MIN_CHUNK, type PackedPart, unpackParts } from '../../storage/packedHtml.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'
import type { BodyPart } from '../reply/reply.js'
import { type AnswerRoom, mostBytes } from './answerRoom.js'

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
