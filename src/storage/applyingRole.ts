/**
 * Which process of a machine applies the shared log: the holder of a row of the store. The row only saves work. Two
 * processes that apply at once do no harm, since each skips what the store has already.
 */
import { randomBytes } from 'node:crypto'
import { fileIdentity } from './lease.js'
import { type ApplyingRow, readMeta, writeMeta } from './tables/meta.js'
import { ownMark, stateOf } from './processMark.js'
import type { Store } from './store.js'

/** Another process takes over from a silent holder after this time. It takes over from a dead one at once. */
const SILENT_MS = 8000
const RENEWAL_MS = 2000

export class ApplyingRole {
  readonly #store: Store
  readonly #holder = randomBytes(16).toString('hex')
  readonly #process = ownMark()
  readonly #file: string
  #renewed = 0

  constructor(store: Store) {
    this.#store = store
    this.#file = fileIdentity(store)
  }

  /** Takes the role if no living process has it. True if this process has it now. */
  take(): boolean {
    this.#store.refresh()
    if (!this.#mayTake()) return false
    this.#store.transactDerived(() => {
      if (this.#mayTake()) this.#write()
    })
    return this.#isOurs()
  }

  /** Renews the role. False when another process has taken over. */
  keep(): boolean {
    if (Date.now() - this.#renewed < RENEWAL_MS) return true
    this.#store.transactDerived(() => {
      if (this.#isOurs()) this.#write()
    })
    return this.#isOurs()
  }

  /** Leaves the role to others. */
  release(): void {
    this.#store.refresh()
    if (!this.#isOurs()) return
    this.#store.transactDerived(() => {
      if (this.#isOurs()) this.#store.tables.meta.removeSync('applying')
    })
  }

  #mayTake(): boolean {
    const row = this.#read()
    if (row === undefined || row.holder === this.#holder || row.file !== this.#file) return true
    return Date.now() - row.renewed > SILENT_MS || stateOf(row.process) === 'dead'
  }

  #isOurs(): boolean {
    return this.#read()?.holder === this.#holder
  }

  #read(): ApplyingRow | undefined {
    return readMeta(this.#store.tables, 'applying')
  }

  #write(): void {
    this.#renewed = Date.now()
    writeMeta(this.#store.tables, 'applying', {
      holder: this.#holder,
      file: this.#file,
      process: this.#process,
      renewed: this.#renewed,
    })
  }
}
