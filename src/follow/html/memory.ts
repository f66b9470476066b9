/** Remembers numbers, each for a while. Bounded: the oldest goes first. */

const MOST = 10_000

export class Memory {
  readonly #nowMs: () => number
  readonly #until = new Map<number, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  add(id: number, forMs: number): void {
    this.#until.delete(id)
    const [oldest] = this.#until.keys()
    if (this.#until.size >= MOST && oldest !== undefined) this.#until.delete(oldest)
    this.#until.set(id, this.#nowMs() + forMs)
  }

  has(id: number): boolean {
    const until = this.#until.get(id)
    return until !== undefined && until > this.#nowMs()
  }
}
