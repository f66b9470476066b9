/**
 * Where a mirror stands in the wiki that it follows. Each batch of states moves the cursor, in the same transaction.
 * Values that no row can hold are left out of a batch: such an entry would be invalid as a whole.
 */
import type { UpstreamPosition } from '../domain/upstreamPosition.js'
import type { UpstreamPage, UpstreamStates } from '../domain/upstream.js'
import type { Applier } from '../storage/apply/applier.js'
import { type FollowCounts, NO_FOLLOW_COUNTS } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { clashIn, pageFault, statesFault } from '../storage/entries/statesFault.js'
import { makeUpstreamEntry } from '../storage/upstream/place.js'
import { FollowRefused } from './api/faults.js'
import { unexpected } from './api/fields.js'

export const NOTHING: UpstreamStates = { pages: [], files: [], protections: [], renames: [] }

/** Changes of the position by a batch. Undefined members are taken out. */
export type Move = { readonly [Name in keyof UpstreamPosition]?: UpstreamPosition[Name] | undefined }

export class Cursor {
  /** Effects of all batches so far. */
  readonly counts: { -readonly [Name in keyof FollowCounts]: number } = { ...NO_FOLLOW_COUNTS }
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
    this.#store = store
    this.#applier = applier
    this.#omit = omit
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

// -- What no row can hold ----------------------------------------------------------------------------------------

/** `omit` names each thing left out. Throws a fault for answers that contradict each other. */
function storableStates(states: UpstreamStates, omit: (what: string) => void): UpstreamStates {
  if (statesFault(states) === undefined) return states
  const clash = clashIn(states)
  if (clash !== undefined) throw unexpected(clash)
  const kept = <Item>(items: readonly Item[], fieldOf: (item: Item) => Partial<UpstreamStates>): Item[] =>
    items.filter((item) => {
      const fault = statesFault({ ...NOTHING, ...fieldOf(item) })
      if (fault !== undefined) omit(`${JSON.stringify(item).slice(0, 200)}: ${fault}`)
      return fault === undefined
    })
  const { bots, site, interwiki, ...rest } = states
  return {
    ...rest,
    pages: states.pages.flatMap((page) => storablePage(page, omit)),
    files: kept(states.files, (file) => ({ files: [file] })),
    protections: kept(states.protections, (each) => ({ protections: [each] })),
    renames: kept(states.renames, (each) => ({ renames: [each] })),
    ...(bots && { bots: kept(bots, (each) => ({ bots: [each] })) }),
    ...(site && kept([site], (each) => ({ site: each })).length > 0 && { site }),
    ...(interwiki && { interwiki: kept(interwiki, (each) => ({ interwiki: [each] })) }),
  }
}

/** The page without its strange revisions; nothing if it is strange itself. */
function storablePage(page: UpstreamPage, omit: (what: string) => void): UpstreamPage[] {
  if (pageFault(page) === undefined) return [page]
  if ('gone' in page) return leftOut(page, omit)
  const bare = { ...page, add: [], change: [] }
  if (pageFault(bare) !== undefined) return leftOut(page, omit)
  const isSound = (part: object, id: number): boolean => {
    const fault = pageFault({ ...bare, ...part })
    if (fault !== undefined) omit(`revision ${id}: ${fault}`)
    return fault === undefined
  }
  const add = page.add.filter((each) => isSound({ add: [each] }, each.id))
  const change = page.change.filter((each) => isSound({ change: [each] }, each.id))
  return [{ ...page, add, change }]
}

function leftOut(page: UpstreamPage, omit: (what: string) => void): [] {
  omit(`page ${page.id}: ${pageFault(page)}`)
  return []
}
