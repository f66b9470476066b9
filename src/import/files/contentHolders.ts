/** Which files have which contents: contents that none has any more can go. */
import type { Store } from '../../storage/store.js'

export class ContentHolders {
  readonly #names = new Map<string, Set<string>>()

  /** Reads the rows of all files. */
  constructor(store: Store) {
    for (const { dbkey, facts } of store.listFiles()) if (facts.sha256 !== null) this.add(facts.sha256, dbkey)
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

  /** A file has other contents now, or none; true when these are nobody's. */
  drop(sha256: string, dbkey: string): boolean {
    const names = this.#names.get(sha256)
    names?.delete(dbkey)
    return names === undefined || names.size === 0
  }
}
