/** Keys of the table `actor`, one for each editor, and the rows of `actorName`. */
import { createHash } from 'node:crypto'
import type { Editor } from '../../domain/revision.js'
import type { Tables } from '../tables/tables.js'

/** LMDB's limit for keys is 1,978 bytes; names are 255 bytes at most in MediaWiki. */
export const MAX_ACTOR_KEY_BYTES = 500

/** The key of a registered editor is made from the id, that of others from the name. */
export function actorKey(editor: Editor): string {
  if (editor.id !== null) return `#${editor.id}`
  if (Buffer.byteLength(editor.name) <= MAX_ACTOR_KEY_BYTES) return `=${editor.name}`
  return `~${createHash('sha256').update(editor.name).digest('hex')}`
}

/*
 *  actorName row  0 user id u32 (0: none)   4 name
 */
export function encodeActor({ id, name }: Editor): Buffer {
  const bytes = Buffer.allocUnsafe(4 + Buffer.byteLength(name))
  bytes.writeUInt32BE(id ?? 0, 0)
  bytes.write(name, 4)
  return bytes
}

/** Row of an actor whose name was erased. */
export const ERASED_ACTOR = Buffer.alloc(0)
/** Key of such an actor. */
export const erasedActorKey = (actorId: number): string => `!${actorId}`

/** `bytes` may be a view. An erased actor has an empty name. */
export function decodeActor(bytes: Buffer): Editor {
  if (bytes.length === 0) return { id: null, name: '' }
  return { id: bytes.readUInt32BE(0) || null, name: bytes.toString('utf8', 4, bytes.length) }
}

/** The editors of actors who have a name. */
export function editorsOf({ actorName }: Pick<Tables, 'actorName'>, actorIds: Iterable<number>): Editor[] {
  const editors: Editor[] = []
  for (const actorId of actorIds) {
    const row = actorName.getBinary(actorId)
    if (row !== undefined && row.length > 0) editors.push(decodeActor(row))
  }
  return editors
}
