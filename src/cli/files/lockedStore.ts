import { takeImportLock } from '../../import/importLock.js'
import { requireNotFollowing } from '../../import/notFollowing.js'
import type { Store } from '../../storage/store.js'
import { CommandWriter, openStore } from '../openStore.js'
import type { StorePlace } from '../storeAccess.js'

/**
 * Opens the store under the import lock, so that only one process writes contents at a time. Throws ImportRefused if it
 * follows another wiki.
 */
export async function withLockedStore<Result>(
  { dataDir, log = '' }: StorePlace,
  work: (store: Store, writer: CommandWriter) => Result | Promise<Result>,
): Promise<Result> {
  const store = openStore(dataDir)
  const writer = new CommandWriter(store, log)
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      requireNotFollowing(store)
      return await work(store, writer)
    } finally {
      await writer.close()
      unlock()
    }
  } finally {
    await store.close()
  }
}
