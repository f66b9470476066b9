/** Stops a follower that is about to remove a great part of the wiki: the fault may be upstream. */
import { FollowRefused } from './api/faults.js'
import type { Clock } from './api/etiquette.js'
import { goneIn, type Plan } from './states/plan.js'

const MOST_PAGES = 1000
const MOST_SHARE = 0.01
/** Small wikis may lose so many, though they are a greater share. */
const ALWAYS_PAGES = 100
/** Removals count for so long. Many small ones are one great one. */
const SPAN_MS = 3_600_000

export class RemovalGuard {
  readonly #countPages: () => number
  readonly #accepted: number
  readonly #clock: Pick<Clock, 'now'>
  /** Since the poll or sweep began, which may take longer than the span. */
  #removed = 0
  /** Removals of the span, oldest first. */
  #recent: { readonly at: number; readonly count: number }[] = []

  /** `accepted` is the number of pages whose removal the operator has accepted. */
  constructor(countPages: () => number, accepted: number, clock: Pick<Clock, 'now'>) {
    this.#countPages = countPages
    this.#accepted = accepted
    this.#clock = clock
  }

  /** Begins to count again: with each poll, and each sweep. What went within the last hour still counts. */
  restart(): void {
    this.#removed = 0
  }

  /** Throws FollowRefused, before anything is removed. */
  check(plan: Plan): void {
    const gone = goneIn(plan).length
    if (gone === 0) return
    const now = this.#clock.now()
    this.#recent = this.#recent.filter(({ at }) => now - at < SPAN_MS)
    const recent = this.#recent.reduce((sum, { count }) => sum + count, 0)
    // A share of the wiki as it was before.
    const pages = this.#countPages() + Math.max(this.#removed, recent)
    const limit = Math.max(ALWAYS_PAGES, Math.min(MOST_PAGES, Math.floor(pages * MOST_SHARE)))
    const all = Math.max(this.#removed, recent) + gone
    if (all > Math.max(limit, this.#accepted))
      throw new FollowRefused(
        `the wiki lacks at least ${all} pages that the store has, or had an hour ago, more than ${limit} at once: ` +
          `if they were deleted there, run again with --accept-removals ${Math.ceil(all / 1000) * 1000}`,
      )
    this.#removed += gone
    this.#recent.push({ at: now, count: gone })
  }
}
