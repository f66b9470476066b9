/**
 * Tells answers that a lagging replica may have given. Such an answer is older than the row that led to it, or than
 * what the mirror has. It is not believed while the row is young: replicas lag by seconds.
 */
import type { PageFacts } from '../api/answers.js'
import type { PageLook } from '../changes/look.js'
import type { Mirror } from '../mirror.js'

/** Age in seconds from which answers are believed. */
export const BELIEVED_AFTER = 60

export class Judge {
  readonly #mirror: Mirror
  readonly #now: () => number

  /** `now` is the wiki's clock, in seconds since 1970. */
  constructor(mirror: Mirror, now: () => number) {
    this.#mirror = mirror
    this.#now = now
  }

  isYoung(time: number): boolean {
    return time > 0 && time + BELIEVED_AFTER > this.#now()
  }

  doubtsPage({ id, latestId }: PageFacts, look: PageLook): boolean {
    if (latestId < look.newestRevision && this.isYoung(look.stated)) return true
    const known = this.#mirror.page(id)
    return known !== undefined && latestId < known.latestId && this.#isRevisionYoung(known.latestId)
  }

  doubtsAbsence(pageId: number, look: PageLook): boolean {
    if (look.isDeleted) return false
    const known = this.#mirror.page(pageId)
    return this.isYoung(look.stated) || (known !== undefined && this.#isRevisionYoung(known.latestId))
  }

  #isRevisionYoung(id: number): boolean {
    return this.isYoung(this.#mirror.revision(id)?.timestamp ?? 0)
  }
}
