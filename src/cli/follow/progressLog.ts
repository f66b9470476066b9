/** Tells at times how far a long piece of work of `follow` is: a catch-up, the first fill, a check. */
import type { Logger } from 'pino'
import { formatTimestamp } from '../../domain/timestamp.js'
import type { UpstreamPosition } from '../../domain/upstreamPosition.js'
import type { FollowCounts } from '../../storage/entries/entries.js'

const EVERY_MS = 30_000

/** The parts of a Follower that tell how far it is. */
export interface Work {
  readonly cursor: { readonly position: UpstreamPosition; readonly counts: FollowCounts }
  readonly client: { readonly requests: number }
}

export class ProgressLog {
  readonly #log: Logger
  readonly #now: () => number
  /** When the work began, or last had a line. Undefined while nothing takes long. */
  #sinceMs: number | undefined
  #hasLine = false

  /** `now` is a clock in milliseconds. */
  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** Writes a line if the work has gone on for 30 seconds since its beginning or its last line. */
  note({ cursor: { position, counts }, client: { requests } }: Work): void {
    const now = this.#now()
    this.#sinceMs ??= now
    if (now - this.#sinceMs < EVERY_MS) return
    this.#sinceMs = now
    this.#hasLine = true
    const { pagesAdded, pagesRemoved, revisionsAdded } = counts
    const newest = formatTimestamp(position.window?.newest ?? position.newest)
    const stage = position.window === undefined ? position.sweep?.stage : undefined
    this.#log.info({ stage, newest, pagesAdded, pagesRemoved, revisionsAdded, requests }, workOf(position))
  }

  /** The work is done. Says so after lines of progress only. */
  end({ newest }: UpstreamPosition): void {
    if (this.#hasLine) this.#log.info({ newest: formatTimestamp(newest) }, 'up to date')
    this.#sinceMs = undefined
    this.#hasLine = false
  }
}

function workOf({ sweep, window }: UpstreamPosition): string {
  if (window !== undefined) return 'catches up'
  return sweep?.isFirst ? 'fills the store' : 'compares everything'
}
