/** Proves that a shared log is still the one that the store has applied. */
import { EngineError, type LogBounds } from '../log/logEngine.js'
import type { SharedLog } from '../log/sharedLog.js'
import { entryHash } from '../storage/entries.js'
import type { Store } from '../storage/store.js'
import { STATE_REASONS } from './nodeStatus.js'

/** A leader that was just elected may lack its newest entries. A log that stays behind this long has lost them. */
const BEHIND_MS = 10_000
/** Entries that a node in doubt compares with the log. */
const DOUBT_DEPTH = 1000

/** The log is not, or no longer, that of the store. */
export class StateError extends Error {
  readonly state: 'behind' | 'truncated' | 'forked'

  constructor(state: 'behind' | 'truncated' | 'forked') {
    super(STATE_REASONS[state])
    this.state = state
  }
}

export class LogProof {
  readonly #store: Store
  /** Since when the log has ended before the store. */
  #lackingSinceMs: number | undefined
  #isDoubtful = true

  constructor(store: Store) {
    this.#store = store
  }

  /** Makes the next proof compare many entries. The first one does so, too. */
  doubt(): void {
    this.#isDoubtful = true
  }

  /** Returns the position of the last entry. Throws a StateError, or an EngineError for a log that may recover. */
  async prove(log: SharedLog): Promise<number> {
    this.#store.refresh()
    const compared = await log.compare(this.#store.log.mark())
    if (compared.state === 'same') {
      const { bounds } = compared
      this.#lackingSinceMs = undefined
      if (this.#isDoubtful && !(await this.#agrees(log, bounds))) throw new StateError('forked')
      this.#isDoubtful = false
      return bounds.last
    }
    const { state } = compared
    this.#lackingSinceMs ??= performance.now()
    if (state === 'behind' && performance.now() - this.#lackingSinceMs < BEHIND_MS)
      throw new EngineError(
        'the log ends before what this node has applied, as after the choice of a new leader',
      )
    throw new StateError(state)
  }

  /**
   * Compares the newest entries one by one. A log that lost its end, and grew again otherwise before this node noticed,
   * has equal entries behind different ones.
   */
  async #agrees(log: SharedLog, { first }: LogBounds): Promise<boolean> {
    const end = this.#store.position().sequence
    const from = Math.max(first - 1, end - DOUBT_DEPTH)
    if (from >= end) return true
    for await (const { items } of log.read(from)) {
      for (const { sequence, row } of items) {
        const [own] = this.#store.log.take(sequence - 1, 1)
        if (own !== undefined && !entryHash(own.row).equals(entryHash(row))) return false
        if (sequence >= end) return true
      }
    }
    return true
  }
}
