/** Removes contents of files that were erased, and everything that may have been made of them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../storage/store.js'
import { Originals } from './originals.js'

/**
 * Contents that another file has, too, stay. All scaled pictures go, since their names do not tell their contents.
 * Servers make them again.
 */
export function removeContents(store: Store, dataDir: string, sha256s: readonly string[]): void {
  const gone = new Set(sha256s)
  for (const { facts } of store.keptFiles()) if (facts.sha256 !== null) gone.delete(facts.sha256)
  const originals = new Originals(dataDir)
  for (const sha256 of gone) originals.remove(sha256)
  rmSync(join(dataDir, 'thumbnails'), { recursive: true, force: true })
}
