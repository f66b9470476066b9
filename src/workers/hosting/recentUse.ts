/** Time that clients have used lately, and whether there are several clients. */

/** Used time counts half after this time. */
const HALF_LIFE_MS = 60_000
/** Clients to remember. The one that used a slot longest ago is forgotten first. */
const MAX_CLIENTS = 1000

interface Use {
  readonly ms: number
  readonly atMs: number
}

export class RecentUse {
  /** In the order of their last use. */
  readonly #uses = new Map<string, Use>()
  #lastName: string | undefined
  /** When a client came after another one. */
  #changedMs = -Infinity

  /** A client comes. */
  see(name: string): void {
    if (this.#lastName !== undefined && this.#lastName !== name) this.#changedMs = performance.now()
    this.#lastName = name
  }

  /** Tells if more than one client came within the last minute. */
  hasOthers(): boolean {
    return performance.now() - this.#changedMs < HALF_LIFE_MS
  }

  of(name: string): number {
    const use = this.#uses.get(name)
    return use === undefined ? 0 : use.ms * 2 ** ((use.atMs - performance.now()) / HALF_LIFE_MS)
  }

  add(name: string, usedMs: number): void {
    const ms = this.of(name) + usedMs
    this.#uses.delete(name)
    this.#uses.set(name, { ms, atMs: performance.now() })
    const [oldest] = this.#uses.keys()
    if (this.#uses.size > MAX_CLIENTS && oldest !== undefined) this.#uses.delete(oldest)
  }
}
