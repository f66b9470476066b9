/** Names what an upstream has and the store cannot hold: each thing once. */
import { Unstorable } from './fields.js'

/** It may name further ones again. */
const REMEMBERED = 10_000

export class Omissions {
  count = 0
  readonly #named = new Set<string>()
  readonly #tell: (what: string) => void

  constructor(tell: (what: string) => void) {
    this.#tell = tell
  }

  name(what: string): void {
    if (this.#named.has(what)) return
    this.count++
    if (this.#named.size < REMEMBERED) this.#named.add(what)
    this.#tell(what)
  }

  /** The items that a row can hold. `nameOf` says which item is left out. */
  storable<Item>(
    values: readonly unknown[],
    read: (value: unknown) => Item,
    nameOf: (value: unknown) => string,
  ): Item[] {
    return values.flatMap((value) => {
      try {
        return [read(value)]
      } catch (error) {
        if (!(error instanceof Unstorable)) throw error
        this.name(`${nameOf(value)}: ${error.message}`)
        return []
      }
    })
  }
}
