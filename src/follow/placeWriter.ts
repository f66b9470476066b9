/** Writes batches. Each moves the position of the mirror, in the same transaction. */
import type { UpstreamPosition } from '../domain/upstreamPosition.js'
import type { UpstreamStates } from '../domain/upstream.js'
import type { Applier } from '../storage/apply/applier.js'
import { type FollowCounts, NO_FOLLOW_COUNTS } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { makeUpstreamEntry } from '../storage/upstream/place.js'
import { FollowRefused } from './api/faults.js'
import { storableStates } from './states/storable.js'

/** Changes of the position by a batch. Undefined members are taken out. */
export type Move = { readonly [Name in keyof UpstreamPosition]?: UpstreamPosition[Name] | undefined }

export class PlaceWriter {
  /** Effects of all batches so far. */
  readonly counts: { -readonly [Name in keyof FollowCounts]: number } = { ...NO_FOLLOW_COUNTS }
  batches = 0
  /** Called after each batch. */
  onBatch: () => void = () => undefined
  readonly #store: Store
  readonly #applier: Applier
  readonly #omit: (what: string) => void
  #position: UpstreamPosition

  /** `begin` is the position of a mirror that has none yet. `omit` names what is left out. */
  constructor(
    store: Store,
    applier: Applier,
    begin: UpstreamPosition | undefined,
    omit: (what: string) => void,
  ) {
    this.#omit = omit
    this.#store = store
    this.#applier = applier
    const position = (store.mirror.place() as UpstreamPosition | undefined) ?? begin
    if (position === undefined) throw new Error('a mirror without a position begins at one')
    this.#position = position
  }

  get position(): UpstreamPosition {
    return this.#position
  }

  /** True if the store follows already. */
  get hasBegun(): boolean {
    return this.#store.mirror.place() !== undefined
  }

  /** Throws FollowRefused if another process has moved the position. */
  write(stated: UpstreamStates, move: Move = {}): void {
    const states = storableStates(stated, this.#omit)
    const from = this.hasBegun ? this.#position : undefined
    const to = moved(this.#position, { ...move, batch: this.#position.batch + 1 })
    const verdict = this.#applier.submit(makeUpstreamEntry(from, to, newestTime(states, to), states))
    if (verdict.result === 'elsewhere')
      throw new FollowRefused('another process follows with this store, and has moved on: start again')
    if (verdict.result === 'invalid')
      throw new Error(`a batch of the follower is not valid: ${verdict.reason}`)
    if (verdict.result !== 'followed') throw new Error(`a batch of the follower is "${verdict.result}"`)
    if (states.site !== undefined || states.interwiki !== undefined) this.#store.reloadSite()
    this.#position = to
    this.batches++
    for (const name of Object.keys(this.counts) as (keyof FollowCounts)[]) this.counts[name] += verdict[name]
    this.onBatch()
  }
}

function moved(position: UpstreamPosition, move: Move): UpstreamPosition {
  const members = Object.entries({ ...position, ...move }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as unknown as UpstreamPosition
}

/** The newest time that the batch states. */
function newestTime({ pages, files }: UpstreamStates, { newest }: UpstreamPosition): number {
  let time = newest
  for (const page of pages)
    if (!('gone' in page)) for (const { timestamp } of page.add) time = Math.max(time, timestamp)
  for (const { facts } of files) time = Math.max(time, facts?.timestamp ?? 0)
  return time
}
