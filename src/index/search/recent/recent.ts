/** Values that searches used lately, by key. */
import type { SearchChange } from '../../rows/searchChange.js'
import type { Moment } from './moment.js'

interface Entry<Value> {
  readonly value: Value
  /** The value is right up to this generation. */
  generation: number
}

/** Room that several kinds of values share. */
export class Room {
  readonly #half: number
  readonly #kinds: { age(): void }[] = []
  #youngWeight = 0

  /** `capacity` has the unit of the weights. */
  constructor(capacity: number) {
    this.#half = capacity / 2
  }

  addKind(kind: { age(): void }): void {
    this.#kinds.push(kind)
  }

  /** Takes room in the young half. If it is full, the values of all kinds grow older. */
  take(weight: number): void {
    this.#youngWeight += weight
    if (this.#youngWeight <= this.#half) return
    for (const kind of this.#kinds) kind.age()
    this.#youngWeight = weight
  }
}

/** Tells what a kind of values is. */
export interface Kind<Value> {
  /** Whether a change concerns the value of a key. */
  readonly concerns: (change: SearchChange, key: string) => boolean
  readonly weigh: (value: Value) => number
}

/**
 * Two halves: when the young one is full, it takes the place of the old one. Values of the old half that are used go
 * into the young one.
 */
export class Recent<Value> {
  readonly #moment: Moment
  readonly #room: Room
  readonly #kind: Kind<Value>
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()

  constructor(moment: Moment, room: Room, kind: Kind<Value>) {
    this.#moment = moment
    this.#room = room
    this.#kind = kind
    room.addKind(this)
  }

  /** The entry with a key, unless a change since its last use concerns it. */
  get(key: string): { readonly value: Value } | undefined {
    const young = this.#young.get(key)
    const entry = young ?? this.#old.get(key)
    if (entry === undefined) return undefined
    if (entry.generation !== this.#moment.generation && !this.#isStill(key, entry)) return undefined
    if (young === undefined) this.#add(key, entry)
    return entry
  }

  set(key: string, value: Value): void {
    this.#add(key, { value, generation: this.#moment.generation })
  }

  age(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  #isStill(key: string, entry: Entry<Value>): boolean {
    const changes = this.#moment.changesSince(entry.generation)
    if (changes?.some((change) => this.#kind.concerns(change, key)) !== false) return false
    entry.generation = this.#moment.generation
    return true
  }

  #add(key: string, entry: Entry<Value>): void {
    this.#room.take(this.#kind.weigh(entry.value))
    this.#young.set(key, entry)
  }
}
