/**
 * The lease of a store: the right to import into it, for one process at a time. It is a row of the store, so it is
 * taken in a write transaction, and whoever can open the store sees it, in whatever container they run.
 *
 * The holder renews it. Every write transaction of the holder first makes sure that the lease is still its own: so a
 * holder that was held up for so long that another took over can write nothing any more: it gets a StoreError.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './errors.js'
import { type LeaseRow, type ProcessMark, readMeta, writeMeta } from './meta.js'
import type { Store } from './store.js'
import type { TableHolder } from './tables.js'

/** Nobody takes over a lease that was renewed less than this long ago, unless its holder is known to be dead. */
export const LEASE_MS = 20_000
const RENEWAL_MS = 2000

/**
 * Takes the lease of a store, for as long as it stays open, and renews it. `judge` is called within the transaction
 * with the row of another holder that may live, and throws to leave the lease to it.
 */
export function takeLease(store: Store, process: ProcessMark, judge: (row: LeaseRow) => void): Lease {
  const lease = new Lease(store, process)
  store.transactDerived(() => {
    const row = readMeta(store.tables, 'lease')
    if (row !== undefined && row.file === lease.file) judge(row)
    lease.write()
  })
  lease.keep()
  return lease
}

/** The process that may import into the store; undefined while none does. */
export const leaseHolder = ({ tables }: TableHolder): ProcessMark | undefined =>
  readMeta(tables, 'lease')?.process

export class Lease {
  readonly file: string
  readonly #store: Store
  readonly #holder = randomBytes(16).toString('hex')
  readonly #process: ProcessMark
  #renewed = 0
  #timer: NodeJS.Timeout | undefined
  /** Why the lease could not be renewed in time. */
  #fault: Error | undefined

  constructor(store: Store, process: ProcessMark) {
    this.#store = store
    this.#process = process
    this.file = String(statSync(join(store.path, 'data.mdb'), { bigint: true }).ino)
  }

  /** Writes the row, within a transaction. */
  write(): void {
    this.#renewed = Date.now()
    const row = { holder: this.#holder, process: this.#process, renewed: this.#renewed, file: this.file }
    writeMeta(this.#store.tables, 'lease', row)
  }

  /** Renews the lease from now on, and watches all transactions of the store. */
  keep(): void {
    this.#store.guardWrites({
      before: () => this.#require(),
      // At the end, since a transaction may take longer than a lease: others wait for it and then look at the row.
      after: () => {
        if (Date.now() - this.#renewed >= RENEWAL_MS) this.write()
      },
    })
    this.#timer = setInterval(() => this.#renew(), RENEWAL_MS).unref()
  }

  /** Gives the lease back. */
  release(): void {
    clearInterval(this.#timer)
    this.#store.guardWrites(undefined)
    this.#store.transactDerived(() => {
      if (this.#isOurs()) this.#store.tables.meta.removeSync('lease')
    })
  }

  #renew(): void {
    try {
      this.#store.transactDerived(() => undefined)
    } catch (error) {
      clearInterval(this.#timer)
      this.#fault = error instanceof Error ? error : new Error(String(error))
    }
  }

  #require(): void {
    if (this.#fault !== undefined) throw this.#fault
    if (this.#isOurs()) return
    throw new StoreError(
      `nothing was heard of this import for ${LEASE_MS / 1000} s, and another process took over: nothing more is written`,
    )
  }

  #isOurs(): boolean {
    return readMeta(this.#store.tables, 'lease')?.holder === this.#holder
  }
}
