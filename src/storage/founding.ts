/** The log that a store is about to make, when it founds a cluster. */
import { fileIdentity } from './lease.js'
import { readMeta, writeMeta } from './tables/meta.js'
import type { Store } from './store.js'

/**
 * The name of that log: `epoch`, or that of an earlier attempt of this very store, which failed. A copy of the store
 * has no earlier attempt.
 */
export function foundingEpoch(store: Store, epoch: string): string {
  const { tables } = store
  const file = fileIdentity(store)
  return store.transactDerived(() => {
    const before = readMeta(tables, 'founding')
    if (before?.file === file) return before.epoch
    writeMeta(tables, 'founding', { epoch, file })
    return epoch
  })
}
