/** Pieces of the shell as parts of an answer. Pieces that pages share are packed once. */
import { type Html, SharedHtml } from '../../reader/html.js'
import { packPart, type PackedPart } from '../../storage/packedHtml.js'
import type { BodyPart } from '../reply/reply.js'

const PACKED = new WeakMap<SharedHtml, PackedPart>()

export const partOf = (piece: Html): BodyPart => (piece instanceof SharedHtml ? packed(piece) : piece.text)

function packed(piece: SharedHtml): PackedPart {
  const known = PACKED.get(piece)
  if (known !== undefined) return known
  const plain = Buffer.from(piece.text)
  const part = { ...packPart(plain), plain }
  PACKED.set(piece, part)
  return part
}
