/**
 * A node of a cluster, in one process: brings entries into the shared log, and applies the log to the store. One
 * process of a machine applies. The others find the verdicts in the store.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../runtime/pause.js'
import { EngineError, LogCutError, type LogRecord, type PlacedRecord } from '../log/logEngine.js'
import { EntryRefusedError, recordOf, type SharedLog } from '../log/sharedLog.js'
import type { Applier } from '../storage/apply/applier.js'
import { TooNewError } from '../storage/apply/sharedEntries.js'
import { ApplyingRole } from '../storage/applyingRole.js'
import type { Entry, PlacedEntry, Verdict } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { batchesOf } from './batches.js'
import { LogProof, StateError } from './logProof.js'
import { needsOperator, type NodeState, type NodeStatus, STATE_REASONS } from './nodeStatus.js'

/** Time between two attempts to append, and to connect. */
const APPEND_AGAIN_MS = 100
const CONNECT_AGAIN_MS = 500
/** While another process applies: how often to look for the end of the log, and whether that process lives. */
const WATCH_MS = 1000
const ROLE_CHECK_MS = 250
const PRUNE_MS = 3_600_000
/** A log could be replaced while the connection to it lasts. So it is compared again at this interval. */
const PROVE_AGAIN_MS = 10_000
/** A failed attempt to append is told for this time, unless one succeeds. */
const APPEND_FAULT_MS = 5000

export interface NodeOptions {
  readonly store: Store
  readonly applier: Pick<Applier, 'submitShared'>
  /** Opens the shared log. Called until it succeeds. */
  readonly openLog: () => Promise<SharedLog>
  /** Called when the state or the number of lost entries changes, and when appending begins or ceases to fail. */
  readonly onChange?: (status: NodeStatus) => void
}

/** What became of an entry. Without a verdict, `mayBeSaved` tells whether it may still take effect. */
export type NodeOutcome =
  | { readonly verdict: Verdict }
  | { readonly failure: string; readonly mayBeSaved: boolean }

export class ClusterNode {
  readonly #options: NodeOptions
  readonly #role: ApplyingRole
  readonly #arrivals: Arrivals
  readonly #proof: LogProof
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #log: SharedLog | undefined
  #state: NodeState = 'connecting'
  #reason: string | undefined
  #toldLost = 0
  #last = 0
  #heardMs = performance.now()
  /** Since when the store has been behind the log. */
  #behindSinceMs: number | undefined
  #isApplying = false
  /** Ends reading, so that the log is compared with the store again, deeply if it is doubtful. */
  #doubt = new AbortController()
  #applied = { entries: 0, batches: 0 }
  #appendRetries = 0
  #appendFault: string | undefined
  #appendFaultMs = -Infinity
  #prunedMs = -Infinity

  constructor(options: NodeOptions) {
    this.#options = options
    this.#role = new ApplyingRole(options.store)
    this.#arrivals = new Arrivals(options.store)
    this.#proof = new LogProof(options.store)
    this.#running = this.#run()
  }

  status(): NodeStatus {
    const { sequence: position } = this.#options.store.position()
    const last = Math.max(this.#last, position)
    const isHeard = this.#state === 'same'
    const since = isHeard ? (position < last ? this.#behindSinceMs : undefined) : this.#heardMs
    return {
      state: this.#state,
      reason: this.#reason,
      appendFault: performance.now() - this.#appendFaultMs < APPEND_FAULT_MS ? this.#appendFault : undefined,
      lost: this.#proof.lost,
      position,
      last,
      lagSeconds: since === undefined ? 0 : (performance.now() - since) / 1000,
      isApplying: this.#isApplying,
      appliedEntries: this.#applied.entries,
      appliedBatches: this.#applied.batches,
      appendRetries: this.#appendRetries,
    }
  }

  /**
   * Brings entries into the log, in order, and resolves with what became of each once the store has applied them, or at
   * the deadline, in milliseconds of `performance.now()`.
   */
  async write(entries: readonly Entry[], deadlineMs: number): Promise<readonly NodeOutcome[]> {
    const { store } = this.#options
    store.refresh()
    const { sequence, digest } = store.position()
    const proposals = entries.map((entry) => proposalOf({ ...entry, seen: { sequence, digest } }))
    const accepted = proposals.filter((proposal) => 'row' in proposal)
    const written = await this.#writeAccepted(accepted, deadlineMs)
    let next = 0
    return proposals.map((proposal) => ('row' in proposal ? written[next++]! : proposal))
  }

  /** Waits for a state without faults, at most until the deadline. */
  async ready(deadlineMs: number): Promise<boolean> {
    while (this.#state !== 'same') {
      if (needsOperator(this.#state) || this.#closing.signal.aborted || performance.now() > deadlineMs)
        return false
      await sleep(10)
    }
    return true
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#arrivals.close()
    await this.#log?.close()
    await this.#running
  }

  async #writeAccepted(proposals: readonly Proposal[], deadlineMs: number): Promise<readonly NodeOutcome[]> {
    if (proposals.length === 0) return []
    const all = (outcome: NodeOutcome): readonly NodeOutcome[] => proposals.map(() => outcome)
    const records = proposals.map(({ entry, row }) => ({ id: entry.id, bytes: row }))
    let mayBeSaved = false
    for (;;) {
      if (!(await this.ready(deadlineMs)))
        return all({ failure: this.#reason ?? 'the log cannot be reached', mayBeSaved })
      try {
        mayBeSaved = true
        const positions = await this.#log!.append(records)
        this.#noteAppend(undefined)
        this.#applyOwn(proposals, positions)
        return await this.#outcomes(records, positions, deadlineMs)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        this.#appendRetries++
        this.#noteAppend(error.message)
        if (performance.now() > deadlineMs) return all({ failure: error.message, mayBeSaved })
        await sleep(APPEND_AGAIN_MS)
      }
    }
  }

  /** Applies entries at once that come right after those of the store. The log gives them again, without effect. */
  #applyOwn(proposals: readonly Proposal[], positions: readonly number[]): void {
    const { store } = this.#options
    if (!this.#isApplying) return
    const next = store.position().sequence + 1
    if (!positions.every((sequence, n) => sequence === next + n)) return
    try {
      this.#submit(proposals.map((proposal, n) => ({ ...proposal, sequence: next + n })))
    } catch {
      // The entries are in the log. Its reader meets the same fault, tells it, and tries again.
    }
  }

  async #outcomes(
    records: readonly LogRecord[],
    positions: readonly number[],
    deadlineMs: number,
  ): Promise<readonly NodeOutcome[]> {
    const { store } = this.#options
    const isHere = await this.#arrivals.reaches(Math.max(...positions), deadlineMs)
    return records.map(({ id }) => {
      const verdict = store.log.getVerdict(id)
      if (verdict !== undefined && verdict.result !== 'forked') return { verdict }
      if (!isHere) return { failure: 'the log was not applied in time', mayBeSaved: true }
      // The store has passed the position, with another entry there.
      this.#beginDoubt()
      return { failure: STATE_REASONS.forked, mayBeSaved: false }
    })
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        this.#log ??= await this.#options.openLog()
        await this.#prove(this.#log)
        if (this.#role.take()) await this.#apply(this.#log)
        else await this.#watch(this.#log)
      } catch (error) {
        this.#fault(error)
        await this.#pause(CONNECT_AGAIN_MS)
      }
    }
    // It may have been opened after `close` looked for it.
    await this.#log?.close()
    this.#role.release()
  }

  /** Compares the log with the store. Nothing is applied or appended before that, after each lost connection. */
  async #prove(log: SharedLog): Promise<void> {
    this.#hear(await this.#proof.prove(log))
    // What failed is still to do. A state that came and went with each attempt would be news each time.
    if (this.#state !== 'failed') this.#enter('same', undefined)
  }

  #beginDoubt(): void {
    this.#proof.doubt()
    this.#doubt.abort()
  }

  async #apply(log: SharedLog): Promise<void> {
    const { store } = this.#options
    store.refresh()
    const doubt = (this.#doubt = new AbortController())
    const provedMs = performance.now()
    this.#isApplying = true
    try {
      const signal = AbortSignal.any([this.#closing.signal, doubt.signal])
      for await (const { records, last } of log.read(store.position().sequence, signal)) {
        this.#hear(last)
        await this.#applyAll(records)
        const keepsRole = this.#role.keep()
        this.#enter('same', undefined)
        if (!keepsRole || performance.now() - provedMs > PROVE_AGAIN_MS) return
        await this.#prune(log)
      }
    } finally {
      doubt.abort()
      this.#isApplying = false
    }
  }

  async #applyAll(records: readonly PlacedRecord[]): Promise<void> {
    for (const batch of batchesOf(records, () => this.#options.store.position().sequence)) {
      this.#submit(batch)
      // Other work of this thread.
      await nextTurn()
    }
  }

  #submit(batch: readonly PlacedEntry[]): void {
    const forked = this.#options.applier.submitShared(batch)
    // Its author and this node have applied different entries: one of them belongs to another history.
    if (forked > 0) this.#beginDoubt()
    this.#applied.entries += batch.length
    this.#applied.batches++
    this.#arrivals.settle()
    this.#hear(this.#last)
  }

  /** Another process applies: looks at the log until that process is gone. */
  async #watch(log: SharedLog): Promise<void> {
    this.#arrivals.poll()
    try {
      for (let looked = performance.now(); !this.#closing.signal.aborted;) {
        await this.#pause(ROLE_CHECK_MS)
        if (this.#role.take()) return
        if (performance.now() - looked < WATCH_MS) continue
        looked = performance.now()
        await this.#prove(log)
        this.#enter('same', undefined)
      }
    } finally {
      this.#arrivals.stopPolling()
    }
  }

  /** Notes the end of the log. */
  #hear(last: number): void {
    this.#heardMs = performance.now()
    this.#last = last
    if (this.#options.store.position().sequence >= last) this.#behindSinceMs = undefined
    else this.#behindSinceMs ??= this.#heardMs
  }

  async #prune(log: SharedLog): Promise<void> {
    if (performance.now() - this.#prunedMs < PRUNE_MS) return
    this.#prunedMs = performance.now()
    await log.prune()
  }

  #fault(error: unknown): void {
    if (this.#closing.signal.aborted) return
    if (error instanceof StateError) this.#enter(error.state, STATE_REASONS[error.state])
    else if (error instanceof LogCutError) this.#enter('truncated', STATE_REASONS.truncated)
    else if (error instanceof TooNewError) this.#enter('too-new', error.message)
    else if (error instanceof EngineError) this.#enter('unreachable', error.message)
    else this.#enter('failed', String(error))
  }

  #noteAppend(fault: string | undefined): void {
    if (fault !== undefined) this.#appendFaultMs = performance.now()
    if (this.#appendFault === fault) return
    this.#appendFault = fault
    this.#options.onChange?.(this.status())
  }

  #enter(state: NodeState, reason: string | undefined): void {
    const { lost } = this.#proof
    if (this.#state === state && this.#reason === reason && this.#toldLost === lost) return
    this.#state = state
    this.#reason = reason
    this.#toldLost = lost
    this.#options.onChange?.(this.status())
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, this.#closing.signal)
  }
}

/** An entry on its way into the log, with its bytes there. */
type Proposal = Pick<PlacedEntry, 'entry' | 'row'>

function proposalOf(entry: Entry): Proposal | Extract<NodeOutcome, { failure: string }> {
  try {
    return { entry, row: recordOf(entry).bytes }
  } catch (error) {
    if (!(error instanceof EntryRefusedError)) throw error
    return { failure: error.message, mayBeSaved: false }
  }
}

// Waits until the store has applied the log up to a position, whichever process applies it.

/** Time between two looks at the store, while another process applies. */
const POLL_MS = 2

interface Waiter {
  readonly sequence: number
  readonly deadlineMs: number
  resolve(isHere: boolean): void
}

class Arrivals {
  readonly #store: Store
  #waiters: Waiter[] = []
  #isPolling = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** False if the store has not reached the position at the deadline, in milliseconds of `performance.now()`. */
  reaches(sequence: number, deadlineMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiters.push({ sequence, deadlineMs, resolve })
      this.settle()
    })
  }

  /** Answers those whose position the store has reached, or whose time is over. */
  settle(): void {
    this.#store.refresh()
    const { sequence } = this.#store.position()
    const now = performance.now()
    const rest: Waiter[] = []
    for (const waiter of this.#waiters)
      if (waiter.sequence <= sequence) waiter.resolve(true)
      else if (waiter.deadlineMs <= now) waiter.resolve(false)
      else rest.push(waiter)
    this.#waiters = rest
    this.#settleLater()
  }

  /** Looks at the store again and again, since another process applies. */
  poll(): void {
    this.#isPolling = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.settle()
  }

  stopPolling(): void {
    this.#isPolling = false
  }

  /** Answers all who wait: nothing more is applied here. */
  close(): void {
    clearTimeout(this.#timer)
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(false)
  }

  #settleLater(): void {
    if (this.#waiters.length === 0 || this.#timer !== undefined) return
    const next = Math.min(...this.#waiters.map(({ deadlineMs }) => deadlineMs)) - performance.now()
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.settle()
      },
      this.#isPolling ? POLL_MS : Math.max(1, next),
    )
  }
}
