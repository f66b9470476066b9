/** Ids of entries: 32 hex digits. */
import { createHash, randomBytes } from 'node:crypto'

/** For what people and programs do: never the same twice. */
export const randomEntryId = (): string => randomBytes(16).toString('hex')

/**
 * For what is read from a dump: the same again when an import that was killed is begun again. `sequence` is the log's
 * length before the entry, which tells later imports of the same dump apart.
 */
export function derivedEntryId(sequence: number, ...parts: readonly (string | number | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([sequence, ...parts]))
    .digest('hex')
    .slice(0, 32)
}
