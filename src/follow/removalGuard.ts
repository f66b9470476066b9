/** Stops a follower that is about to remove a great part of the wiki at once: the fault may be upstream. */
import { FollowRefused } from './api/faults.js'
import { goneIn, type Plan } from './states/plan.js'

const MOST_PAGES = 1000
const MOST_SHARE = 0.01
/** Small wikis may lose so many, though they are a greater share. */
const ALWAYS_PAGES = 100

export class RemovalGuard {
  readonly #countPages: () => number
  readonly #accepted: number
  #removed = 0

  /** `accepted` is the number of pages whose removal the operator has accepted. */
  constructor(countPages: () => number, accepted: number) {
    this.#countPages = countPages
    this.#accepted = accepted
  }

  /** Begins to count again: with each poll, and each sweep. */
  restart(): void {
    this.#removed = 0
  }

  /** Throws FollowRefused, before anything is removed. */
  check(plan: Plan): void {
    const gone = goneIn(plan).length
    if (gone === 0) return
    const limit = Math.max(ALWAYS_PAGES, Math.min(MOST_PAGES, Math.floor(this.#countPages() * MOST_SHARE)))
    const all = this.#removed + gone
    if (all > Math.max(limit, this.#accepted))
      throw new FollowRefused(
        `the wiki lacks at least ${all} pages that the store has, more than ${limit} at once: ` +
          `if they were deleted there, run again with --accept-removals ${Math.ceil(all / 1000) * 1000}`,
      )
    this.#removed = all
  }
}
