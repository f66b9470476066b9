/** Sieves: choose the rows of a table that the store can use, by what it has already. */
import { DumpError } from '../../dump/dumpError.js'
import { UsedFiles } from '../../storage/sqlTables/usedFiles.js'
import type { Store } from '../../storage/store.js'
import type { RowMeaning } from './tableKind.js'

export interface RowSieve {
  /** The row to keep; undefined for one without use. */
  take(meaning: RowMeaning): RowMeaning | undefined
  /** A row for the end of the table. */
  end?(): RowMeaning
  close(): void
}

/** Takes files that pages use. */
export class UsedFileSieve implements RowSieve {
  readonly #used: UsedFiles

  /** Throws a DumpError if the store does not know which files the pages use. */
  constructor(store: Store) {
    const used = UsedFiles.list(store)
    if (used === undefined)
      throw new DumpError(
        'needs to know which files the pages use: import the tables imagelinks and linktarget first',
      )
    this.#used = used
  }

  take(meaning: RowMeaning): RowMeaning | undefined {
    return this.#used.has(String(meaning.id)) ? meaning : undefined
  }

  close(): void {
    this.#used.clear()
  }
}
