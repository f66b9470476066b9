/**
 * The lease of a store: the right to import into it, held by one process at a time. It is a row of the store, taken in
 * a write transaction. So every process that can open the store sees it, from any container.
 *
 * The holder renews the lease, and checks at the start of each write transaction that it still holds it. If the holder
 * was stalled and another process took over, the check throws a StoreError, so the old holder writes nothing more.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { StoreError } from './tables/errors.js'
import { type LeaseRow, type ProcessMark, readMeta, writeMeta } from './tables/meta.js'
import { stateOf } from './processMark.js'
import type { Store } from './store.js'
import type { TableHolder } from './tables/tables.js'

/**
 * Another process may take over a lease only this long after its last renewal, unless the holder is known to be dead.
 */
export const LEASE_MS = 20_000
const RENEWAL_MS = 2000

/**
 * Takes the lease of a store while it stays open, and renews it. `judge` runs within the transaction if another holder
 * may be alive. It gets that holder's row, and throws to leave the lease with it.
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

/** The process that may import into the store; undefined if there is none. */
export const leaseHolder = ({ tables }: TableHolder): ProcessMark | undefined =>
  readMeta(tables, 'lease')?.process

/** Tells if a process may be importing into the store. Within a write transaction, none can begin. */
export function mayBeImporting(store: Store): boolean {
  const row = readMeta(store.tables, 'lease')
  if (row === undefined || row.file !== fileIdentity(store)) return false
  const state = stateOf(row.process)
  return state === 'running' || (state === 'unknown' && Math.abs(Date.now() - row.renewed) < LEASE_MS)
}

/** Identifies the store's file: a copy of it has another identity. */
export const fileIdentity = ({ file }: Pick<Store, 'file'>): string =>
  String(statSync(file, { bigint: true }).ino)

class Lease {
  readonly file: string
  readonly #store: Store
  readonly #holder = randomBytes(16).toString('hex')
  readonly #process: ProcessMark
  #renewed = 0
  #timer: NodeJS.Timeout | undefined
  /** The error that kept the lease from being renewed. */
  #fault: Error | undefined

  constructor(store: Store, process: ProcessMark) {
    this.#store = store
    this.#process = process
    this.file = fileIdentity(store)
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
      // Renew at the end: a transaction may outlast the lease. Other processes wait for the transaction, then read the
      // row.
      after: () => {
        if (Date.now() - this.#renewed >= RENEWAL_MS) this.write()
      },
    })
    this.#timer = setInterval(() => this.#renew(), RENEWAL_MS).unref()
  }

  /** Releases the lease. */
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
