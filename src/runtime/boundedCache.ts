/** A cache with a weight limit. A hit costs one map lookup. */

/**
 * Two-generation cache. New entries and reused old ones go into the young half. When that is full, it becomes the old
 * half, and the entries of the previous old half are dropped. A hit in the young half moves nothing, and an entry
 * survives when it is used at least once between two turnovers. A deleted or replaced entry counts until the turnover,
 * so that memory shared by entries of a half is bounded as well.
 */
export class BoundedCache<Value, Key = string> {
  readonly #halfCapacity: number
  readonly #weigh: (key: Key, value: Value) => number
  readonly #renew: ((value: Value) => void) | undefined
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()
  #youngWeight = 0

  /**
   * `capacity` has the unit of `weigh`; 0 keeps nothing. `renew` is called with an old value that becomes young again.
   */
  constructor(capacity: number, weigh: (key: Key, value: Value) => number, renew?: (value: Value) => void) {
    this.#halfCapacity = capacity / 2
    this.#weigh = weigh
    this.#renew = renew
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const aged = this.#old.get(key)
    if (aged !== undefined) {
      this.#old.delete(key)
      this.#renew?.(aged)
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
    this.#young.set(key, value)
    this.#youngWeight += weight
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngWeight = 0
  }
}
