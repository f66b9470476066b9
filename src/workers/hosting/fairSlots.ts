/**
 * A bounded queue before a fixed number of slots that shares them fairly among clients: start-time fair queueing. Each
 * client's jobs wait in their order; next is the client that has used least of the slots' time since it came.
 *
 *     virtual time  0 ─────────── 30 ─────────── 60      jobs of A take 30, those of B take 1
 *     A             [first job   ][second job   ]
 *     B             [ ][ ][ ] … thirty jobs      [ ] …   so B never waits for more than one job of A
 */
import { Times } from '../../metrics/figures.js'
import { PoolFullError, TaskTimeoutError } from './poolErrors.js'
import type { SlotLimits } from './slots.js'

/** A slot that is taken. */
export interface TakenSlot {
  /** How long its taker waited for it. */
  readonly waitedMs: number
  /** Gives it back to whoever is next. `usedMs` is what the client is charged. */
  readonly release: (usedMs: number) => void
}

interface Waiting {
  readonly sinceMs: number
  readonly enter: () => void
  readonly giveUp: (reason: PoolFullError | TaskTimeoutError) => void
}

interface Client {
  readonly waiting: Waiting[]
  /** Virtual time up to which the client has had its share. */
  usedUntilMs: number
  running: number
}

export class FairSlots {
  readonly #limits: SlotLimits
  #free: number
  #waitingCount = 0
  /** Those that wait, run, or are ahead of their share. */
  readonly #clients = new Map<string, Client>()
  /**
   * Share that the client had when it was last its turn; who comes new begins here, and saves up nothing while away.
   */
  #virtualMs = 0
  #timer: NodeJS.Timeout | undefined
  /** How long those waited that got a slot. */
  readonly waits = new Times()
  /** Turned away or pushed out by another client's job, and given up after waiting in vain. */
  refused = 0
  expired = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
    this.#free = limits.slots
  }

  get taken(): number {
    return this.#limits.slots - this.#free
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /**
   * Waits for a slot. Throws a PoolFullError when the queue is full: for the newest job of the client with most jobs in
   * it, which may have waited; a TaskTimeoutError when time is up.
   */
  async take(name: string): Promise<TakenSlot> {
    const client = this.#clients.get(name) ?? { waiting: [], usedUntilMs: this.#virtualMs, running: 0 }
    if (this.#free > 0) {
      this.#free -= 1
      this.#begin(client)
      this.#clients.set(name, client)
      this.waits.add(0)
      return this.#slotOf(client, 0)
    }
    this.#makeRoomFor(client)
    this.#clients.set(name, client)
    const sinceMs = performance.now()
    await new Promise<void>((enter, giveUp) => {
      client.waiting.push({ sinceMs, enter, giveUp })
      this.#waitingCount++
      this.#timer ??= setTimeout(() => this.#expire(), this.#limits.maxWaitMs)
    })
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

  /** The slot that became free goes to the next client; in between nobody else can take it. */
  #next(): void {
    const client = this.#nextClient()
    if (client === undefined) this.#free += 1
    else {
      const { enter } = client.waiting.shift()!
      this.#waitingCount--
      this.#begin(client)
      enter()
    }
    this.#forget()
  }

  /** A job under way is not charged yet: of two clients, that with fewer of them is first. */
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

  /** Of clients that have nothing here, only those are remembered that had more than their share. */
  #forget(): void {
    const isIdle = this.#free === this.#limits.slots
    for (const [name, { waiting, running, usedUntilMs }] of this.#clients) {
      if (waiting.length === 0 && running === 0 && (isIdle || usedUntilMs <= this.#virtualMs))
        this.#clients.delete(name)
    }
    if (this.#waitingCount === 0) this.#stopTimer()
  }

  #makeRoomFor(client: Client): void {
    const { maxWaiting } = this.#limits
    if (this.#waitingCount < maxWaiting) return
    this.refused++
    let longest = client
    for (const other of this.#clients.values())
      if (other.waiting.length > longest.waiting.length) longest = other
    const reason = new PoolFullError(`${maxWaiting} tasks are waiting already`)
    // One more of the client's would make its queue as long.
    if (longest.waiting.length <= client.waiting.length + 1) throw reason
    this.#waitingCount--
    longest.waiting.pop()!.giveUp(reason)
  }

  #expire(): void {
    this.#stopTimer()
    const { maxWaitMs } = this.#limits
    // A timer may be early by part of a millisecond.
    const lateMs = performance.now() - maxWaitMs + 1
    let oldestMs = Infinity
    for (const { waiting } of this.#clients.values()) {
      while (waiting[0] !== undefined && waiting[0].sinceMs <= lateMs) {
        this.expired++
        this.#waitingCount--
        waiting.shift()!.giveUp(new TaskTimeoutError(`nothing became free in ${maxWaitMs} ms`))
      }
      oldestMs = Math.min(oldestMs, waiting[0]?.sinceMs ?? Infinity)
    }
    this.#forget()
    if (oldestMs < Infinity) this.#timer = setTimeout(() => this.#expire(), oldestMs - lateMs + 1)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** By jobs under way, then by time used, then by arrival. */
function isBefore(a: Client, b: Client): boolean {
  if (a.running !== b.running) return a.running < b.running
  if (a.usedUntilMs !== b.usedUntilMs) return a.usedUntilMs < b.usedUntilMs
  return a.waiting[0]!.sinceMs < b.waiting[0]!.sinceMs
}
