/** Compares the store's file rows with the contents on disk. */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { Store } from '../storage/store.js'
import { originalPath } from './originals.js'

/**
 * One line for every file whose contents are missing or have another size. `hashes` reads all contents and compares
 * their SHA-256 too.
 */
export async function* originalProblems(
  dataDir: string,
  store: Store,
  { hashes }: { readonly hashes: boolean },
): AsyncGenerator<string, void> {
  for (const { dbkey, facts } of store.keptFiles()) {
    const { sha256, sizeBytes } = facts
    if (sha256 === null) continue
    const path = originalPath(dataDir, sha256)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) yield `file "${dbkey}": its contents are missing: ${path}`
    else if (found.size !== sizeBytes)
      yield `file "${dbkey}": ${found.size} bytes on the disk, not ${sizeBytes}`
    else if (hashes && (await hashOf(path)) !== sha256) yield `file "${dbkey}": its contents differ: ${path}`
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) hash.update(bytes)
  return hash.digest('hex')
}
