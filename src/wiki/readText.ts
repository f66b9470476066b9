/** Reads whole texts. Long ones take more than a millisecond, so a thread reads them. */
import type { Store } from '../storage/store.js'
import type { ComputePool } from '../workers/compute/pool.js'
import { MAX_INLINE_BYTES } from '../workers/compute/tasks.js'

export interface TextReader {
  readonly store: Store
  readonly pool: Pick<ComputePool, 'run'>
}

/** The text of a revision; undefined if it is hidden. */
export async function readText(
  { store, pool }: TextReader,
  { id, sizeBytes }: { readonly id: number; readonly sizeBytes: number | undefined },
): Promise<string | undefined> {
  if ((sizeBytes ?? 0) <= MAX_INLINE_BYTES.olderText) return store.getText(id)
  const bytes = await pool.run('textBytes', { of: { revisionId: id }, form: 'plain' })
  return bytes && Buffer.from(bytes).toString()
}
