/** A cache with a weight limit. A hit costs one map lookup. */

/**
 * Two-generation cache. New entries and reused old ones go into the young half. When that is full, it becomes the old
 * half, and the entries of the previous old half are dropped. A hit in the young half moves nothing, and an entry
 * survives when it is used at least once between two turnovers.
 */
export class BoundedCache<Value, Key = string> {
  readonly #halfCapacity: number
  readonly #weigh: (key: Key, value: Value) => number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()
  #youngWeight = 0

  /** `capacity` has the unit of `weigh`; 0 keeps nothing. */
  constructor(capacity: number, weigh: (key: Key, value: Value) => number) {
    this.#halfCapacity = capacity / 2
    this.#weigh = weigh
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const aged = this.#old.get(key)
    if (aged !== undefined) {
      this.#old.delete(key)
      this.set(key, aged)
    }
    return aged
  }

  /** Keeps a value unless its weight exceeds half the capacity. */
  set(key: Key, value: Value): void {
    const weight = this.#weigh(key, value)
    if (weight > this.#halfCapacity) return
    if (this.#youngWeight + weight > this.#halfCapacity) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngWeight = 0
    }
    const replaced = this.#young.get(key)
    if (replaced !== undefined) this.#youngWeight -= this.#weigh(key, replaced)
    this.#young.set(key, value)
    this.#youngWeight += weight
  }

  delete(key: Key): void {
    const young = this.#young.get(key)
    if (young !== undefined) this.#youngWeight -= this.#weigh(key, young)
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngWeight = 0
  }
}
