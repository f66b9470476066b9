/**
 * Admission filter: remembers recent keys in fixed memory, so that a cache takes in only keys requested twice. One-off
 * keys (a crawler's, or invented ones) then neither cost a copy nor evict entries in use.
 */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/**
 * Associativity: hashes kept per group. Keys that arrive in turn would otherwise evict each other forever. With one
 * place per group, one in sixty of 2,000 keys in rotation never got in.
 */
const PLACES = 4

export class Doorkeeper {
  /** Hashes of the last keys of each group, the newest first. */
  readonly #hashes: Uint32Array

  /** `slots` is a power of two, at least 4. The filter remembers about that many keys. */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots)
  }

  /** Whether the key came before; remembers it. Keys with the same 32-bit hash count as one. */
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

/** FNV-1a over UTF-16 units. Never 0, which marks an empty slot. */
function hashOf(key: string): number {
  let hash = FNV_OFFSET
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), FNV_PRIME)
  return hash >>> 0 || 1
}
