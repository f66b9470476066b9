/** Names of the files that pages use, from the imported table `imagelinks`. They are on disk, so memory stays flat. */
import { readMeta } from '../tables/meta.js'
import type { DerivedWriter } from '../tables/tables.js'
import type { SqlRowKey } from '../rows/keys.js'
import { USED_FILES_NUMBER } from '../rows/sqlTableNames.js'
import { FILE } from '../../domain/namespaceIds.js'
import { namesInRow } from './linkNames.js'
import { rangeOf, rangeOfNumber } from './sqlTables.js'

/** Rows in one transaction. */
const BATCH_ROWS = 10_000

const keyOf = (name: string): SqlRowKey => [0, USED_FILES_NUMBER, name]

export class UsedFiles {
  readonly #store: DerivedWriter

  /** Lists the names. Undefined if `imagelinks` was not imported, or `linktarget`, which it needs in newer wikis. */
  static list(store: DerivedWriter): UsedFiles | undefined {
    const state = readMeta(store.tables, 'sqlTables')?.imagelinks
    if (state === undefined) return undefined
    const used = new UsedFiles(store)
    used.clear()
    for (let from = 0; ;) {
      const range = { ...rangeOf(state.set, 'imagelinks', from), limit: BATCH_ROWS }
      const rows = [...store.tables.sqlRow.getRange(range)]
      const names = rows.map(({ value }) => namesInRow(store.tables, value, FILE))
      if (names.includes(undefined)) return undefined
      used.#add(new Set(names.flatMap((each) => each ?? [])))
      if (rows.length < BATCH_ROWS) return used
      from = Number(rows.at(-1)!.key[2]) + 1
    }
  }

  private constructor(store: DerivedWriter) {
    this.#store = store
  }

  has(name: string): boolean {
    return this.#store.tables.sqlRow.doesExist(keyOf(name))
  }

  clear(): void {
    const { sqlRow } = this.#store.tables
    for (;;) {
      const keys = [...sqlRow.getKeys({ ...rangeOfNumber(0, USED_FILES_NUMBER), limit: BATCH_ROWS })]
      if (keys.length > 0) this.#store.transactDerived(() => keys.forEach((key) => sqlRow.removeSync(key)))
      if (keys.length < BATCH_ROWS) return
    }
  }

  #add(names: ReadonlySet<string>): void {
    const { sqlRow } = this.#store.tables
    const added = [...names].filter((name) => !this.has(name))
    if (added.length > 0)
      this.#store.transactDerived(() => {
        for (const name of added) sqlRow.putSync(keyOf(name), Buffer.alloc(0))
      })
  }
}
