/** Time that clients have used lately, and who came lately. */

/** Used time counts half after this time. */
const HALF_LIFE_MS = 60_000
/** Clients to remember. The one that came or used a slot longest ago is forgotten first. */
const MAX_CLIENTS = 1000

interface Use {
  readonly ms: number
  readonly atMs: number
}

export class RecentUse {
  /** In the order of their last use. */
  readonly #uses = new Map<string, Use>()
  /** When clients came last, in that order. */
  readonly #arrivals = new Map<string, number>()

  /** A client comes. */
  see(name: string): void {
    this.#arrivals.delete(name)
    this.#arrivals.set(name, performance.now())
    forgetOldest(this.#arrivals)
  }

  /** Tells if one of the clients that came within the last minute is of a kind. */
  hasCome(isOfKind: (name: string) => boolean): boolean {
    const sinceMs = performance.now() - HALF_LIFE_MS
    for (const [name, atMs] of this.#arrivals) if (atMs >= sinceMs && isOfKind(name)) return true
    return false
  }

  of(name: string): number {
    const use = this.#uses.get(name)
    return use === undefined ? 0 : use.ms * 2 ** ((use.atMs - performance.now()) / HALF_LIFE_MS)
  }

  add(name: string, usedMs: number): void {
    const ms = this.of(name) + usedMs
    this.#uses.delete(name)
    this.#uses.set(name, { ms, atMs: performance.now() })
    forgetOldest(this.#uses)
  }
}

function forgetOldest(clients: Map<string, unknown>): void {
  const [oldest] = clients.keys()
  if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest)
}
