/** Maps contents to the files that have them. Contents without a file can be deleted. */
import type { Store } from '../../storage/store.js'

export class ContentHolders {
  readonly #names = new Map<string, Set<string>>()

  /** Reads the rows of all files. */
  constructor(store: Store) {
    for (const { dbkey, facts } of store.listFiles()) if (facts.sha256 !== null) this.add(facts.sha256, dbkey)
    for (const { dbkey, facts } of store.deletedFiles())
      if (facts.sha256 !== null) this.add(facts.sha256, `${dbkey} (deleted)`)
  }

  /** A file that has these contents, if any. */
  holderOf(sha256: string): string | undefined {
    return this.#names.get(sha256)?.values().next().value
  }

  add(sha256: string, dbkey: string): void {
    const names = this.#names.get(sha256)
    if (names === undefined) this.#names.set(sha256, new Set([dbkey]))
    else names.add(dbkey)
  }

  /** Records that a file no longer has these contents. Returns true if no file has them any more. */
  drop(sha256: string, dbkey: string): boolean {
    const names = this.#names.get(sha256)
    names?.delete(dbkey)
    return names === undefined || names.size === 0
  }
}
