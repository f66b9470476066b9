/**
 * A bounded queue for a fixed number of slots, shared fairly among clients by start-time fair queueing. Each client's
 * jobs wait in order. The next job comes from the client with the fewest running jobs. Among equals, it comes from the
 * one that has used the least slot time since it came.
 *
 *     virtual time  0 ─────────── 30 ─────────── 60      jobs of A take 30, those of B take 1
 *     A             [first job   ][second job   ]
 *     B             [ ][ ][ ] … thirty jobs      [ ] …   so B never waits for more than one job of A
 */
import { SlotLine, type Waiting } from './slotLine.js'

/** A slot that is taken. */
export interface TakenSlot {
  /** Time that the job waited for the slot. */
  readonly waitedMs: number
  /** Passes the slot to the next job. `usedMs` is charged to the client. */
  readonly release: (usedMs: number) => void
}

interface Client {
  readonly waiting: Waiting[]
  /** Virtual time up to which the client has used its share. */
  usedUntilMs: number
  running: number
}

export class FairSlots extends SlotLine {
  /** Clients that wait, run, or are ahead of their share. */
  readonly #clients = new Map<string, Client>()
  /** Virtual time of the job that began last. A new client starts here, so nobody saves up time while absent. */
  #virtualMs = 0

  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#clients.values()) count += waiting.length
    return count
  }

  /**
   * Waits for a slot. Throws a PoolFullError if the queue is full. The refused job is the newest one of the client with
   * most jobs in the queue, so it may be one that already waits. Throws a TaskTimeoutError if no slot becomes free in
   * time.
   */
  async take(name: string): Promise<TakenSlot> {
    const client = this.#clients.get(name) ?? { waiting: [], usedUntilMs: this.#virtualMs, running: 0 }
    if (this.free > 0) {
      this.free -= 1
      this.#begin(client)
      this.#clients.set(name, client)
      this.waits.add(0)
      return this.#slotOf(client, 0)
    }
    this.#makeRoomFor(client)
    this.#clients.set(name, client)
    const sinceMs = performance.now()
    await this.wait(client.waiting, sinceMs)
    const waitedMs = performance.now() - sinceMs
    this.waits.add(waitedMs)
    return this.#slotOf(client, waitedMs)
  }

  #slotOf(client: Client, waitedMs: number): TakenSlot {
    return {
      waitedMs,
      release: (usedMs) => {
        client.running--
        client.usedUntilMs += usedMs
        this.#next()
      },
    }
  }

  /** Passes the free slot directly to the next client, so that no other can take it in between. */
  #next(): void {
    const client = this.#nextClient()
    if (client === undefined) this.free += 1
    else {
      const { enter } = client.waiting.shift()!
      this.#begin(client)
      enter()
    }
    this.#forget()
  }

  /** Running jobs are not charged yet, so the client with fewer of them is first. */
  #nextClient(): Client | undefined {
    let next: Client | undefined
    for (const client of this.#clients.values())
      if (client.waiting.length > 0 && (next === undefined || isBefore(client, next))) next = client
    return next
  }

  #begin(client: Client): void {
    client.usedUntilMs = Math.max(client.usedUntilMs, this.#virtualMs)
    this.#virtualMs = client.usedUntilMs
    client.running++
  }

  /** Forgets clients without jobs, except those that have used more than their share. */
  #forget(): void {
    const isIdle = this.free === this.slots
    for (const [name, { waiting, running, usedUntilMs }] of this.#clients) {
      if (waiting.length === 0 && running === 0 && (isIdle || usedUntilMs <= this.#virtualMs))
        this.#clients.delete(name)
    }
    if (this.waiting === 0) this.stopTimer()
  }

  #makeRoomFor(client: Client): void {
    if (this.waiting < this.limits.maxWaiting) return
    this.refused++
    let longest = client
    for (const other of this.#clients.values())
      if (other.waiting.length > longest.waiting.length) longest = other
    const reason = this.fullError()
    // With the new job, the client's queue would be as long as the longest one.
    if (longest.waiting.length <= client.waiting.length + 1) throw reason
    longest.waiting.pop()!.giveUp(reason)
  }

  protected *lists(): Iterable<Waiting[]> {
    for (const { waiting } of this.#clients.values()) yield waiting
  }
}

/** Orders by running jobs, then by used time, then by arrival. */
function isBefore(a: Client, b: Client): boolean {
  if (a.running !== b.running) return a.running < b.running
  if (a.usedUntilMs !== b.usedUntilMs) return a.usedUntilMs < b.usedUntilMs
  return a.waiting[0]!.sinceMs < b.waiting[0]!.sinceMs
}
