/** Proves that a shared log is still the one that the store has applied. */
import { EngineError, type LogBounds } from '../log/logEngine.js'
import { countPositions } from '../log/compareRecords.js'
import type { Compared, SharedLog } from '../log/sharedLog.js'
import type { Store } from '../storage/store.js'
import { STATE_REASONS } from './nodeStatus.js'

/** A leader that was just elected may lack its newest entries. A log that stays behind this long has lost them. */
const BEHIND_MS = 10_000
/** Entries that a node in doubt compares with the log. */
const DOUBT_DEPTH = 1000
/** How often to look whether the log has lost entries. */
const LOOK_AGAIN_MS = 10_000

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
  #lookedMs = -Infinity
  /** Of the newest entries of this node: those that the log has lost. */
  lost = 0

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
      this.#lackingSinceMs = undefined
      await this.#look(log, compared)
      return compared.bounds.last
    }
    const { state } = compared
    this.#lackingSinceMs ??= performance.now()
    if (state === 'behind' && performance.now() - this.#lackingSinceMs < BEHIND_MS)
      throw new EngineError(
        'the log ends before what this node has applied, as after the choice of a new leader',
      )
    throw new StateError(state)
  }

  /** Compares many entries if there is doubt, or if the log may have lost some. */
  async #look(log: SharedLog, { bounds, hasLost }: Extract<Compared, { state: 'same' }>): Promise<void> {
    const isDue = performance.now() - this.#lookedMs >= LOOK_AGAIN_MS
    if (isDue) this.#lookedMs = performance.now()
    const mayLack = isDue && (hasLost === true || this.lost > 0 || !(await isWhole(log, bounds)))
    if (!this.#isDoubtful && !mayLack) return
    this.#isDoubtful = false
    try {
      this.lost = await this.#compareNewest(log, bounds)
    } catch (error) {
      this.#isDoubtful = true
      throw error
    }
  }

  /**
   * Compares the newest entries one by one. A log that lost its end, and grew again otherwise before this node noticed,
   * has equal entries behind different ones. Returns the number of entries that the log has lost. They are no reason to
   * stop: this node has them.
   */
  async #compareNewest(log: SharedLog, { first }: LogBounds): Promise<number> {
    const to = this.#store.position().sequence
    const from = Math.max(first, to - DOUBT_DEPTH + 1)
    const { differsAt, lost } = await log.compareRecords(this.#store.log, { from, to })
    if (differsAt !== undefined) throw new StateError('forked')
    return countPositions(lost)
  }
}

/** A log that has lost its table has kept its bounds. */
const isWhole = async (log: SharedLog, { first, last }: LogBounds): Promise<boolean> =>
  first > last || (await log.has(first))
