/**
 * Tells whether a key has been seen lately, in fixed memory: so that a cache takes in only what is asked for twice, and
 * keys that never come again (a crawler's, or made-up ones) neither cost a copy nor push out what is in use.
 */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/**
 * Keys that share a place, so that few that come in turns do not forget each other for ever: of 2,000 keys that came
 * round and round, one in sixty never got in while each place held one.
 */
const PLACES = 4

export class Doorkeeper {
  /** Hashes of the last keys of each group of places, the newest first. */
  readonly #hashes: Uint32Array

  /** `slots` is a power of two, at least 4: about as many keys are remembered. */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots)
  }

  /** Whether a key came before; remembers it. Two keys with one hash of 32 bits count as the same. */
  admits(key: string): boolean {
    const hash = hashOf(key)
    const first = hash & (this.#hashes.length - PLACES)
    for (let place = first; place < first + PLACES; place++) {
      if (this.#hashes[place] === hash) return true
    }
    this.#hashes.copyWithin(first + 1, first, first + PLACES - 1)
    this.#hashes[first] = hash
    return false
  }
}

/** FNV-1a over UTF-16 units; never 0, which stands for an empty slot. */
function hashOf(key: string): number {
  let hash = FNV_OFFSET
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), FNV_PRIME)
  return hash >>> 0 || 1
}
