/** When a follower works: polls at an interval or after a wake-up, and a slow comparison of everything in between. */
import type { Clock } from './api/etiquette.js'
import { NEW_NAMESPACE } from './api/upstream.js'
import type { Follower } from './follower.js'
import type { PollResult } from './poll.js'
import type { Sweep } from './sweep.js'

export interface LoopOptions {
  readonly intervalMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Undefined: the follower waits for the interval. */
  readonly wakeUps?: WakeUps | undefined
  /** `tookMs`: the poll has all changes of the wiki up to its beginning. */
  readonly onPoll: (result: PollResult, tookMs: number) => void
  /** Called after each step of a sweep. */
  readonly onSweep: (sweep: Sweep) => void
}

export interface WakeUps {
  /** Resolves when the wiki has something new, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
}

/** Of so many requests, one is for the comparison of everything. */
const REQUESTS_PER_SWEEP_REQUEST = 10
const SWEEP_EVERY_SECONDS = 86_400

export class Loop {
  readonly #follower: Follower
  readonly #options: LoopOptions
  #sweep: Sweep | undefined
  /** Requests that the comparison may send. */
  #credit = 0

  constructor(follower: Follower, options: LoopOptions) {
    this.#follower = follower
    this.#options = options
  }

  /** Until the signal aborts. Throws its reason. */
  async run(): Promise<void> {
    await this.fill()
    for (;;) {
      const { requests } = this.#follower.client
      await this.#poll()
      this.#credit += (this.#follower.client.requests - requests) / (REQUESTS_PER_SWEEP_REQUEST - 1)
      await this.#sweepALittle()
      await this.#pause()
    }
  }

  /** Brings the mirror to now. Waits until no answer of a lagging replica is left to doubt. */
  async catchUp(): Promise<void> {
    await this.fill()
    while ((await this.#poll()).hasDoubts) await this.#pause()
  }

  /** Compares everything. */
  async check(): Promise<void> {
    await this.#patiently(() => this.#follower.refreshSite())
    while (await this.#sweepStep());
  }

  /** Ends a sweep that changes wait for. */
  async fill(): Promise<void> {
    if (this.#follower.cursor.position.sweep?.isFirst) await this.check()
  }

  async #poll(): Promise<PollResult> {
    const { clock, onPoll } = this.#options
    const { result, beganMs } = await this.#patiently(async () => {
      const began = clock.now()
      return { result: await this.#follower.poll(), beganMs: began }
    })
    onPoll(result, clock.now() - beganMs)
    return result
  }

  async #sweepALittle(): Promise<void> {
    const { client, cursor } = this.#follower
    const { sweep, swept = 0 } = cursor.position
    const isDue =
      this.#sweep !== undefined || sweep !== undefined || client.time - swept > SWEEP_EVERY_SECONDS
    if (!isDue || this.#credit < 1) return
    const { requests } = client
    await this.#sweepStep()
    this.#credit -= Math.max(1, client.requests - requests)
  }

  /** False at the end of the sweep. */
  async #sweepStep(): Promise<boolean> {
    const goesOn = await this.#patiently(() => (this.#sweep ??= this.#follower.sweep()).step())
    this.#options.onSweep(this.#sweep!)
    if (!goesOn) this.#sweep = undefined
    return goesOn
  }

  async #pause(): Promise<void> {
    const { clock, intervalMs, wakeUps, signal } = this.#options
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    const ends = [clock.sleep(intervalMs, either)]
    if (wakeUps !== undefined) ends.push(wakeUps.wait(either))
    await Promise.race(ends)
    over.abort()
    signal.throwIfAborted()
  }

  /** Repeats an action after faults that the single request could not wait out. */
  #patiently<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#follower.client.patiently(action, async ({ code }) => {
      // The place where a list should continue.
      if (code === 'badcontinue') {
        this.#sweep = undefined
        this.#follower.forgetPlaces()
      }
      if (code !== NEW_NAMESPACE) return false
      await this.#patiently(() => this.#follower.refreshSite())
      return true
    })
  }
}
