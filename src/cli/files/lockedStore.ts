import { takeImportLock } from '../../import/importLock.js'
import type { Store } from '../../storage/store.js'
import { openStore } from '../openStore.js'

/** Opens the store under the import lock, so that only one process writes contents at a time. */
export async function withLockedStore<Result>(
  dataDir: string,
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const store = openStore(dataDir)
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      return await work(store)
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
}
