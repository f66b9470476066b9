import { takeImportLock } from '../../import/importLock.js'
import { requireNotFollowing } from '../../import/notFollowing.js'
import type { Store } from '../../storage/store.js'
import { openStore } from '../openStore.js'

/**
 * Opens the store under the import lock, so that only one process writes contents at a time. Throws ImportRefused if it
 * follows another wiki.
 */
export async function withLockedStore<Result>(
  dataDir: string,
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const store = openStore(dataDir)
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      requireNotFollowing(store)
      return await work(store)
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
}
