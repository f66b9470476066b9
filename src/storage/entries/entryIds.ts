/** Ids of entries: 32 hex digits. */
import { createHash, randomUUID } from 'node:crypto'

/** A random id, for entries that people and programs cause. Node draws random bits for many UUIDs at once. */
export const randomEntryId = (): string => randomUUID().replaceAll('-', '')

/**
 * A reproducible id, for entries read from a dump: a restarted import makes the same ids again. `sequence` is the
 * length of the log before the entry. It distinguishes later imports of the same dump.
 */
export function derivedEntryId(sequence: number, ...parts: readonly (string | number | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([sequence, ...parts]))
    .digest('hex')
    .slice(0, 32)
}
