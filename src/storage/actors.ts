/** Keys under which the table `actor` has the editors. */
import { createHash } from 'node:crypto'
import type { Editor } from '../domain/revision.js'

/** LMDB's limit for keys is 1,978 bytes; names are 255 bytes at most in MediaWiki. */
export const MAX_ACTOR_KEY_BYTES = 500

/** Registered editors are known by their id, others by their name. */
export function actorKey(editor: Editor): string {
  if (editor.id !== null) return `#${editor.id}`
  if (Buffer.byteLength(editor.name) <= MAX_ACTOR_KEY_BYTES) return `=${editor.name}`
  return `~${createHash('sha256').update(editor.name).digest('hex')}`
}
