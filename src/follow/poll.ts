/**
 * Takes over the changes of a wiki since the position. A window begins some minutes before the newest change that was
 * seen, since rows come late and out of order. A long window comes in parts of 500 rows, and the position moves with
 * each; what disappeared in the whole window goes first.
 */
import type { ChangeRow } from './api/answers.js'
import type { Upstream } from './api/upstream.js'
import { Look } from './changes/look.js'
import { RowMemory } from './changes/rowMemory.js'
import type { Clock } from './api/etiquette.js'
import type { Mirror } from './mirror.js'
import type { Move, PlaceWriter } from './placeWriter.js'
import type { Plans } from './plans.js'
import { Judge } from './states/doubts.js'
import type { Plan } from './states/plan.js'
import type { Settler } from './states/settler.js'

/** How often a long catch-up looks for pages that disappear meanwhile. */
const REMOVALS_EVERY_MS = 30_000
/** Parts of 500 revisions that a hidden row of the log makes the follower compare, and their greatest age. */
const RECENT_PARTS = 10
const RECENT_SECONDS = 7 * 86_400

export interface PollTools {
  readonly upstream: Upstream
  readonly mirror: Mirror
  readonly settler: Settler
  readonly plans: Plans
  readonly writer: PlaceWriter
  readonly clock: Clock
  /** Seconds. */
  readonly overlap: number
}

export interface PollResult {
  readonly rows: number
  /** Something is to be looked at again, since a lagging replica may have answered. */
  readonly hasDoubts: boolean
}

interface WindowPart {
  readonly items: readonly ChangeRow[]
  readonly next: string | undefined
}

export class Poll {
  readonly #tools: PollTools
  readonly #memory = new RowMemory()
  readonly #judge: Judge
  #hasDoubts = false
  #removalsAt = 0

  constructor(tools: PollTools) {
    this.#tools = tools
    this.#judge = new Judge(tools.mirror, () => tools.upstream.client.time)
  }

  /** Looks at all rows of the overlap again. */
  forget(): void {
    this.#memory.forgetBefore(Infinity)
  }

  /** Brings the mirror to the end of the changes. */
  async run(): Promise<PollResult> {
    const { upstream, writer } = this.#tools
    this.#hasDoubts = false
    const { window, newest } = writer.position
    const from = this.#start()
    let part: WindowPart = await upstream.changes(from, { next: window?.next })
    let rows = part.items.length
    if (window !== undefined || part.next !== undefined)
      await this.#takeRemovals(timeOf(window?.next) ?? from)
    for (let latest = window?.newest ?? newest; ;) {
      latest = part.items.reduce((time, row) => Math.max(time, row.time), latest)
      const { next } = part
      let ahead: Promise<WindowPart> | undefined
      await this.#take(part, this.#moveTo(next, latest), () => {
        if (next !== undefined) ahead ??= begun(upstream.changes(from, { next }))
      })
      if (next === undefined) break
      if (this.#tools.clock.now() - this.#removalsAt > REMOVALS_EVERY_MS) await this.#takeRemovals(from)
      part = await (ahead ?? upstream.changes(from, { next }))
      rows += part.items.length
    }
    this.#memory.forgetBefore(this.#start())
    return { rows, hasDoubts: this.#hasDoubts }
  }

  #start(): number {
    const { upstream, writer, overlap } = this.#tools
    return Math.max(0, writer.position.newest - Math.max(overlap, upstream.client.lag))
  }

  /** Undefined if the position is there already. */
  #moveTo(next: string | undefined, latest: number): Move | undefined {
    const { window, newest } = this.#tools.writer.position
    if (next !== undefined) return { window: { next, newest: latest } }
    return window === undefined && latest <= newest ? undefined : { window: undefined, newest: latest }
  }

  // -- Changes ---------------------------------------------------------------------------------------------------

  /** Later parts have rows of their own for newer revisions. `onSettled` is called before the last writing begins. */
  async #take({ items, next }: WindowPart, move: Move | undefined, onSettled: () => void): Promise<void> {
    const { settler, plans, upstream } = this.#tools
    const fresh = items.filter((row) => !this.#memory.isKnown(row))
    const newestId = next === undefined ? Infinity : Math.max(...items.map(({ revisionId }) => revisionId))
    for (;;) {
      const look = new Look()
      for (const row of fresh) look.add(row, upstream.namespaces())
      const plan = await settler.settle(look, { newestId })
      if (!plan.isUnfinished) onSettled()
      await plans.write(plan, plan.isUnfinished ? undefined : move)
      if (plan.isUnfinished) continue
      if (look.recent) await this.#takeRecent()
      for (const row of fresh) this.#remember(row, plan)
      return
    }
  }

  /** A row that a lagging replica may have answered for is looked at again with the next poll. */
  #remember(row: ChangeRow, { doubts }: Plan): void {
    // The revisions of a page that is gone are gone too.
    const isHere = this.#tools.mirror.page(row.pageId) !== undefined
    const isDoubted = doubts.pages.has(row.pageId) || (isHere && doubts.revisions.has(row.revisionId))
    // Nothing in an answer tells whether it knew of such a row.
    const isBlind = row.type === 'log' && this.#judge.isYoung(row.time)
    if (isDoubted) this.#hasDoubts = true
    if (!isDoubted && !isBlind) this.#memory.remember(row)
  }

  /** Compares the newest revisions and their pages: a hidden row of the log may mean any of them. */
  async #takeRecent(): Promise<void> {
    const { upstream, settler, plans, writer } = this.#tools
    const from = Math.max(0, writer.position.newest - RECENT_SECONDS)
    let next: string | undefined
    for (let n = 0; n < RECENT_PARTS; n++) {
      const part = await upstream.newestRevisions(from, next)
      const look = new Look()
      for (const { id, pageId } of part.items) {
        look.page(pageId)
        look.revision(id)
      }
      await plans.write(await settler.settle(look))
      if (part.next === undefined) return
      next = part.next
    }
  }

  // -- Removals --------------------------------------------------------------------------------------------------

  /** Settles deleted pages and hidden revisions of a whole window. The position stays. */
  async #takeRemovals(from: number): Promise<void> {
    const { upstream, settler, plans, clock } = this.#tools
    this.#removalsAt = clock.now()
    for (let next: string | undefined; ;) {
      const part: WindowPart = await upstream.changes(from, { next, only: 'log' })
      const look = this.#removalsIn(part.items)
      if (!look.isEmpty) await plans.write(await settler.settle(look, { fillsGaps: false }))
      if (part.next === undefined) return
      next = part.next
    }
  }

  /** Only what the mirror has can disappear from it. */
  #removalsIn(rows: readonly ChangeRow[]): Look {
    const { mirror, upstream } = this.#tools
    const [all, known] = [new Look(), new Look()]
    for (const row of rows) if (row.action.startsWith('delete/')) all.add(row, upstream.namespaces())
    for (const [id, look] of all.pages)
      if (mirror.page(id) !== undefined) known.page(id, { ...look, history: false })
    for (const [id, time] of all.revisions) if (mirror.revision(id) !== undefined) known.revision(id, time)
    return known
  }
}

/** A request whose answer is awaited later. Until then, nobody would see its fault. */
function begun<Result>(request: Promise<Result>): Promise<Result> {
  request.catch(() => undefined)
  return request
}

/** The time in a place such as `20261122143342|131`. */
function timeOf(next: string | undefined): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\|/.exec(next ?? '')?.map(Number) ?? []
  if (year === undefined) return undefined
  return Date.UTC(year, month! - 1, day, hour, minute, second) / 1000
}
