/**
 * A bounded queue for a fixed number of slots, shared fairly among clients by start-time fair queueing. Each client's
 * jobs wait in order. The next job comes from the client with the fewest running jobs. Among equals, it comes from the
 * one that has used the least slot time since it came.
 *
 *     virtual time  0 ─────────── 30 ─────────── 60      jobs of A take 30, those of B take 1
 *     A             [first job   ][second job   ]
 *     B             [ ][ ][ ] … thirty jobs      [ ] …   so B never waits for more than one job of A
 *
 * A job that runs is not charged yet, so three rules let others in beside clients whose jobs take very long. While
 * other clients come too, such clients do not get the last free slot. If long jobs have taken all slots all the same,
 * an extra slot opens for a client without a job. If yet another client waits, a long job is ended: soon if its client
 * has several slots, later if it has one.
 */
import { TaskTimeoutError } from './poolErrors.js'
import { SlotLine, type SlotLimits, type Waiting } from './slots.js'

/** A client that has used more than this lately, running jobs included, gives way to others. */
const MUCH_MS = 5000
/** Time that a job gets in any case. */
const UNDISTURBED_MS = 2000
/** A client that has used less than this share of another one's time uses little beside it. */
const LITTLE_SHARE = 0.5
/** Share of the longest wait after which a client with a single slot gives it up, too. */
const PATIENCE = 0.5
/** A client has waited for so long, and all running jobs have worked for so long, before it gets the extra slot. */
const EXTRA_AFTER_MS = 300
/** All running jobs have worked for so long, before the extra slot opens for clients that are still to come. */
const EXTRA_AHEAD_MS = 2000
/** Time between two searches for a job to end, and shortest wait that is a reason for one. */
const CHECK_MS = 100

export interface FairLimits extends SlotLimits {
  /** Without this, the number of slots is fixed. */
  readonly extra?: {
    /** Time for which it stays open without a job. */
    readonly idleMs: number
    /** Called when it opens before a client takes it, so that what it stands for can get ready. */
    readonly onOpen: () => void
    /** Called when it closes. */
    readonly onClose: () => void
  }
}

/** A slot that is taken. */
export interface TakenSlot {
  /** Set by the holder when its job begins to work, which may be later than its slot was taken. */
  workingSinceMs?: number
  /** Set by the holder: ends the job early, so that another client gets the slot. */
  end?: (reason: TaskTimeoutError) => void
  /** Time that the job waited for the slot. */
  readonly waitedMs: number
  /** Passes the slot to the next job. `usedMs` is charged to the client. */
  readonly release: (usedMs: number) => void
}

interface Running {
  readonly sinceMs: number
  readonly slot: TakenSlot
}

interface Client {
  readonly name: string
  readonly waiting: Waiting[]
  /** Virtual time up to which the client has used its share. */
  usedUntilMs: number
  readonly running: Set<Running>
}

export class FairSlots extends SlotLine {
  readonly #extra: FairLimits['extra']
  /** Set while the extra slot is open, and no job has it. */
  #extraTimer: NodeJS.Timeout | undefined
  /** Set while all slots are taken, and the extra slot is closed. */
  #aheadTimer: NodeJS.Timeout | undefined
  /** Clients that wait, run, or are ahead of their share. */
  readonly #clients = new Map<string, Client>()
  /** Virtual time of the job that began last. A new client starts here, so nobody saves up time while absent. */
  #virtualMs = 0
  readonly #recent = new RecentUse()
  #checkTimer: NodeJS.Timeout | undefined

  constructor(limits: FairLimits) {
    super(limits)
    this.#extra = limits.extra
  }

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
    this.#recent.see(name)
    const client = this.#clients.get(name) ?? {
      name,
      waiting: [],
      usedUntilMs: this.#virtualMs,
      running: new Set(),
    }
    if (client.waiting.length === 0 && this.#mayTake(client)) {
      this.#clients.set(name, client)
      this.waits.add(0)
      return this.#begin(client, 0)
    }
    this.#makeRoomFor(client)
    this.#clients.set(name, client)
    this.#checkTimer ??= setTimeout(() => this.#check(), CHECK_MS)
    const sinceMs = performance.now()
    let slot: TakenSlot | undefined
    await this.wait(client.waiting, sinceMs, () => (slot = this.#begin(client, performance.now() - sinceMs)))
    this.waits.add(slot!.waitedMs)
    return slot!
  }

  /** Passes free slots directly to the next clients, so that no other can take them in between. */
  #next(): void {
    for (let client = this.#nextClient(); client !== undefined; client = this.#nextClient())
      client.waiting.shift()!.enter()
    this.#forget()
  }

  /** Running jobs are not charged yet, so the client with fewer of them is first. */
  #nextClient(): Client | undefined {
    let next: Client | undefined
    for (const client of this.#clients.values())
      if (
        client.waiting.length > 0 &&
        (next === undefined || isBefore(client, next)) &&
        this.#mayTake(client)
      )
        next = client
    return next
  }

  #mayTake(client: Client): boolean {
    return this.free > 0 ? !this.#mustLeaveLast(client) : this.#mayTakeExtra(client)
  }

  #begin(client: Client, waitedMs: number): TakenSlot {
    if (this.free === 0) this.#stopExtraTimer()
    this.free -= 1
    if (this.free === 0) this.#watchForLongJobs()
    client.usedUntilMs = Math.max(client.usedUntilMs, this.#virtualMs)
    this.#virtualMs = client.usedUntilMs
    const slot: TakenSlot = {
      waitedMs,
      release: (usedMs) => {
        client.running.delete(running)
        client.usedUntilMs += usedMs
        this.#recent.add(client.name, usedMs)
        if (this.free < 0) this.#keepExtra()
        this.free += 1
        if (this.free > 0) clearTimeout(this.#aheadTimer)
        this.#next()
      },
    }
    const running: Running = { sinceMs: performance.now(), slot }
    client.running.add(running)
    return slot
  }

  /** Jobs of clients that use much have all other slots, so it is asked again when one of them ends. */
  #mustLeaveLast(client: Client): boolean {
    if (this.free !== 1 || this.slots === 1) return false
    const usedMs = this.#usedMs(client.name)
    if (usedMs <= MUCH_MS || !this.#isHeldByMuch()) return false
    return this.#recent.hasCome((name) => this.#usedMs(name) <= LITTLE_SHARE * usedMs)
  }

  /** Tells if all slots are taken, and a client may have one more. The first one to get it must have waited. */
  #mayTakeExtra({ name, running, waiting: [first] }: Client): boolean {
    if (this.#extra === undefined || this.free < 0 || running.size > 0 || !this.#usesLittle(name))
      return false
    if (this.#extraTimer !== undefined) return true
    const sinceMs = performance.now() - EXTRA_AFTER_MS
    return first !== undefined && first.sinceMs <= sinceMs && this.#haveWorkedSince(sinceMs)
  }

  /** Opens the extra slot when long jobs have all others, so that the next client does not wait for its thread. */
  #watchForLongJobs(): void {
    if (this.#extra === undefined) return
    const { onOpen } = this.#extra
    clearTimeout(this.#aheadTimer)
    const check = (): void => {
      if (this.#extraTimer === undefined && this.#isHeldByLongJobs()) {
        this.#keepExtra()
        onOpen()
      }
      this.#watchForLongJobs()
    }
    this.#aheadTimer = setTimeout(check, EXTRA_AHEAD_MS).unref()
  }

  /** Tells if a client uses little, or less than each of those that have slots. */
  #usesLittle(name: string): boolean {
    const usedMs = this.#usedMs(name)
    if (usedMs <= MUCH_MS) return true
    for (const other of this.#clients.values())
      if (other.running.size > 0 && usedMs > this.#usedMs(other.name)) return false
    return true
  }

  #isHeldByLongJobs(): boolean {
    return this.free === 0 && this.#haveWorkedSince(performance.now() - EXTRA_AHEAD_MS)
  }

  #haveWorkedSince(sinceMs: number): boolean {
    for (const { running } of this.#clients.values())
      for (const { slot } of running) if (!((slot.workingSinceMs ?? Infinity) <= sinceMs)) return false
    return true
  }

  /** Keeps the extra slot open for a while. */
  #keepExtra(): void {
    if (this.#extra === undefined) return
    const { idleMs, onClose } = this.#extra
    const close = (): void => {
      this.#extraTimer = undefined
      // It would open again at once.
      if (this.#isHeldByLongJobs()) this.#keepExtra()
      else onClose()
    }
    this.#extraTimer = setTimeout(close, idleMs).unref()
  }

  #stopExtraTimer(): void {
    clearTimeout(this.#extraTimer)
    this.#extraTimer = undefined
  }

  /** Tells if clients that use much have all taken slots. */
  #isHeldByMuch(): boolean {
    for (const { name, running } of this.#clients.values())
      if (running.size > 0 && this.#usedMs(name) <= MUCH_MS) return false
    return true
  }

  /** Time that a client has used lately, running jobs included. */
  #usedMs(name: string): number {
    let usedMs = this.#recent.of(name)
    for (const { sinceMs } of this.#clients.get(name)?.running ?? []) usedMs += performance.now() - sinceMs
    return usedMs
  }

  #check(): void {
    this.#checkTimer = undefined
    if (this.waiting === 0) return
    this.#next()
    if (this.waiting === 0) return
    this.#checkTimer = setTimeout(() => this.#check(), CHECK_MS)
    const nowMs = performance.now()
    for (const client of this.#clients.values()) {
      const [first] = client.waiting
      const waitedMs = first === undefined ? 0 : nowMs - first.sinceMs
      if (client.running.size > 0 || waitedMs < CHECK_MS) continue
      const job =
        this.#longest(Math.min(2, this.slots), MUCH_MS) ??
        (waitedMs < PATIENCE * this.limits.maxWaitMs
          ? undefined
          : this.#longest(1, Math.max(MUCH_MS, this.#usedMs(client.name) / LITTLE_SHARE)))
      job?.end?.(new TaskTimeoutError('other clients wait for this slot'))
      if (job !== undefined) return
    }
  }

  /** The job that has run longest, of the clients that have `minSlots` and have used `minUsedMs`. */
  #longest(minSlots: number, minUsedMs: number): TakenSlot | undefined {
    let longest: Running | undefined
    for (const { name, running } of this.#clients.values()) {
      if (running.size < minSlots || this.#usedMs(name) < minUsedMs) continue
      for (const job of running) if (longest === undefined || job.sinceMs < longest.sinceMs) longest = job
    }
    const sinceMs = performance.now() - UNDISTURBED_MS
    return longest !== undefined && longest.sinceMs <= sinceMs ? longest.slot : undefined
  }

  /** Forgets clients without jobs, except those that have used more than their share. */
  #forget(): void {
    const isIdle = this.free === this.slots
    for (const [name, { waiting, running, usedUntilMs }] of this.#clients) {
      if (waiting.length === 0 && running.size === 0 && (isIdle || usedUntilMs <= this.#virtualMs))
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
  if (a.running.size !== b.running.size) return a.running.size < b.running.size
  if (a.usedUntilMs !== b.usedUntilMs) return a.usedUntilMs < b.usedUntilMs
  return a.waiting[0]!.sinceMs < b.waiting[0]!.sinceMs
}

/** Used time counts half after this time. */
const HALF_LIFE_MS = 60_000
/** Clients to remember. The one that came or used a slot longest ago is forgotten first. */
const MAX_CLIENTS = 1000

interface Use {
  readonly ms: number
  readonly atMs: number
}

/** Time that clients have used lately, and who came lately. */
class RecentUse {
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
