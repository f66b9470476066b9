import type { Store } from '../storage/store.js'
import { ImportRefused } from './importer.js'

/** Throws ImportRefused for a node of a cluster: other nodes would not get what an import or another wiki brings. */
export function requireNoCluster(store: Store): void {
  if (store.log.membership() === undefined) return
  throw new ImportRefused(
    'this store is a node of a cluster, which takes no imports and follows no wiki: ' +
      'import into a store outside of it, and found a new cluster with that, or take this one out with "palimpsest cluster leave"',
  )
}
