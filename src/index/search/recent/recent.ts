/** Values that searches used lately, by key. */
import type { SearchChange } from '../../rows/searchChange.js'
import type { Moment } from './moment.js'

interface Entry<Value> {
  readonly value: Value
  /** The value is right up to this generation. */
  generation: number
}

/**
 * Two halves: when the young one is full, it takes the place of the old one. Values of the old half that are used go
 * into the young one.
 */
export class Recent<Value> {
  readonly #moment: Moment
  readonly #halfCapacity: number
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #youngWeight = 0

  /** `capacity` has the unit of the weights. */
  constructor(moment: Moment, capacity: number) {
    this.#moment = moment
    this.#halfCapacity = capacity / 2
  }

  /** The entry with a key, unless a change since its last use concerns it. */
  get(
    key: string,
    concerns: (change: SearchChange) => boolean,
    weigh: (value: Value) => number,
  ): { readonly value: Value } | undefined {
    const young = this.#young.get(key)
    const entry = young ?? this.#old.get(key)
    if (entry === undefined) return undefined
    const { generation } = this.#moment
    if (entry.generation !== generation) {
      if (this.#moment.hasChangedSince(entry.generation, concerns)) return undefined
      entry.generation = generation
    }
    if (young === undefined) this.#add(key, entry, weigh(entry.value))
    return entry
  }

  set(key: string, value: Value, weight: number): void {
    this.#add(key, { value, generation: this.#moment.generation }, weight)
  }

  #add(key: string, entry: Entry<Value>, weight: number): void {
    this.#youngWeight += weight
    if (this.#youngWeight > this.#halfCapacity) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngWeight = weight
    }
    this.#young.set(key, entry)
  }
}
