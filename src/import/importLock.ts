/** Keeps two imports from writing to one store at the same time. */
import { LEASE_MS, takeLease } from '../storage/lease.js'
import type { LeaseRow } from '../storage/meta.js'
import type { Store } from '../storage/store.js'
import { ImportRefused } from './importer.js'
import { ownMark, stateOf } from './processMark.js'

/**
 * Takes the lease of the store of a data folder; returns what gives it back, before the store is closed. Throws
 * ImportRefused while another living process has it. That of a process that is known to be dead is taken over; so is
 * that of one of which nothing can be known, as in another container, when it was not renewed for `LEASE_MS`.
 */
export function takeImportLock(store: Store, dataDir: string): () => void {
  const lease = takeLease(store, ownMark(), (row) => requireStale(row, dataDir))
  return () => lease.release()
}

function requireStale({ process: holder, renewed }: LeaseRow, dataDir: string): void {
  const { pid } = holder
  const state = stateOf(holder)
  if (state === 'running') throw new ImportRefused(`process ${pid} is importing into ${dataDir} already`)
  // A clock that was put back leaves times to come: they say nothing.
  const age = Math.abs(Date.now() - renewed)
  if (state === 'dead' || age >= LEASE_MS) return
  throw new ImportRefused(
    `process ${pid} of another container or machine was importing into ${dataDir} ${Math.round(age / 1000)} s ago: ` +
      `if it has been killed, try again in ${Math.ceil((LEASE_MS - age) / 1000)} s`,
  )
}
