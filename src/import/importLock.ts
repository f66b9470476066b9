/** Whether an import may begin: not beside another one, nor in a node of a cluster or a mirror. */
import { settleTables } from '../storage/apply/sqlTables/settle.js'
import { LEASE_MS, takeLease } from '../storage/lease.js'
import type { LeaseRow } from '../storage/tables/meta.js'
import type { Store } from '../storage/store.js'
import { ImportRefused } from './importer.js'
import { ownMark, stateOf } from '../storage/processMark.js'

/**
 * Takes the lease of a store, and does what follows from SQL tables of a killed import. Returns a function that
 * releases the lease, to be called before the store is closed. Throws ImportRefused while another living process holds
 * it.
 *
 * The lease of a dead process is taken over. The state of a process in another container is unknown. Its lease is taken
 * over when it was not renewed for `LEASE_MS`.
 */
export function takeImportLock(store: Store, dataDir: string): () => void {
  const lease = takeLease(store, ownMark(), (row) => requireStale(row, dataDir))
  try {
    settleTables(store)
  } catch (error) {
    lease.release()
    throw error
  }
  return () => lease.release()
}

function requireStale({ process: holder, renewed }: LeaseRow, dataDir: string): void {
  const { pid } = holder
  const state = stateOf(holder)
  if (state === 'running') throw new ImportRefused(`process ${pid} is importing into ${dataDir} already`)
  // A clock that was set back leaves times in the future, so only the distance counts.
  const age = Math.abs(Date.now() - renewed)
  if (state === 'dead' || age >= LEASE_MS) return
  throw new ImportRefused(
    `process ${pid} of another container or machine was importing into ${dataDir} ${Math.round(age / 1000)} s ago: ` +
      `if it has been killed, try again in ${Math.ceil((LEASE_MS - age) / 1000)} s`,
  )
}

/** Throws ImportRefused for a store that follows another wiki: pages and files come from there alone. */
export function requireNotFollowing(store: Store): void {
  const place = store.mirror.place()
  if (place !== undefined)
    throw new ImportRefused(`the store follows ${place.url}, which alone changes its pages and files`)
}

/** Throws ImportRefused for a node of a cluster: other nodes would not get what an import or another wiki brings. */
export function requireNoCluster(store: Store): void {
  if (store.log.membership() === undefined) return
  throw new ImportRefused(
    'this store is a node of a cluster, which takes no imports and follows no wiki: ' +
      'import into a store outside of it, and found a new cluster with that, or take this one out with "palimpsest cluster leave"',
  )
}
