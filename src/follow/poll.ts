/**
 * Takes over the changes of a wiki since the cursor. A window begins some minutes before the newest change that was
 * seen, since rows come late and out of order. A long window comes in parts of 500 rows, and the cursor moves with
 * each; what disappeared in the whole window goes first.
 */
import { parseTimestamp } from '../domain/timestamp.js'
import type { ChangeRow } from './api/answers.js'
import type { Clock } from './api/etiquette.js'
import type { Part } from './api/requests.js'
import { ChangeSet } from './changeSet.js'
import type { Move } from './cursor.js'
import { type Inquiry, isYoung } from './inquiry.js'
import type { Reconciler } from './reconciler.js'

/** How often a long catch-up looks for pages that disappear meanwhile. */
const REMOVALS_EVERY_MS = 30_000
/** Parts of 500 revisions that a hidden row of the log makes the follower compare, and their greatest age. */
const RECENT_PARTS = 10
const RECENT_SECONDS = 7 * 86_400

export interface PollResult {
  readonly rows: number
  /** Something is to be looked at again, since a lagging replica may have answered. */
  readonly hasDoubts: boolean
}

export class Poll {
  readonly #reconciler: Reconciler
  readonly #clock: Pick<Clock, 'now'>
  readonly #overlap: number
  /** Rows of the overlap that were looked at. A row that looks other than last time has changed. */
  readonly #seen = new Map<number, { readonly hash: string; readonly time: number }>()
  #hasDoubts = false
  #removalsAt = 0

  /** `overlap`: seconds. */
  constructor(reconciler: Reconciler, clock: Pick<Clock, 'now'>, overlap: number) {
    this.#reconciler = reconciler
    this.#clock = clock
    this.#overlap = overlap
  }

  /** Looks at all rows of the overlap again. */
  forget(): void {
    this.#seen.clear()
  }

  /** Brings the mirror to the end of the changes. */
  async run(): Promise<PollResult> {
    const { upstream, cursor } = this.#reconciler
    this.#reconciler.begin()
    this.#hasDoubts = false
    const { window, newest } = cursor.position
    const from = this.#start()
    let part = await upstream.changes(from, { next: window?.next })
    let rows = part.items.length
    if (window !== undefined || part.next !== undefined)
      await this.#takeRemovals(timeOf(window?.next) ?? from)
    for (let latest = window?.newest ?? newest; ;) {
      latest = part.items.reduce((time, row) => Math.max(time, row.time), latest)
      const { next } = part
      let ahead: Promise<Part<ChangeRow>> | undefined
      await this.#take(part, this.#moveTo(next, latest), () => {
        if (next === undefined) return
        ahead = upstream.changes(from, { next })
        // It is awaited later. Until then, nobody would see its fault.
        ahead.catch(() => undefined)
      })
      if (next === undefined) break
      if (this.#clock.now() - this.#removalsAt > REMOVALS_EVERY_MS) await this.#takeRemovals(from)
      part = await (ahead ?? upstream.changes(from, { next }))
      rows += part.items.length
    }
    const start = this.#start()
    for (const [id, { time }] of this.#seen) if (time < start) this.#seen.delete(id)
    return { rows, hasDoubts: this.#hasDoubts }
  }

  /** Where the window begins. */
  #start(): number {
    const { upstream, cursor } = this.#reconciler
    return Math.max(0, cursor.position.newest - Math.max(this.#overlap, upstream.client.lag))
  }

  /** Undefined if the cursor is there already. */
  #moveTo(next: string | undefined, latest: number): Move | undefined {
    const { window, newest } = this.#reconciler.cursor.position
    if (next !== undefined) return { window: { next, newest: latest } }
    return window === undefined && latest <= newest ? undefined : { window: undefined, newest: latest }
  }

  // -- Changes ---------------------------------------------------------------------------------------------------

  /** Later parts have rows of their own for newer revisions. */
  async #take(
    { items, next }: Part<ChangeRow>,
    move: Move | undefined,
    onCompared: () => void,
  ): Promise<void> {
    const { upstream } = this.#reconciler
    const fresh = items.filter(({ id, hash }) => this.#seen.get(id)?.hash !== hash)
    const newestId = next === undefined ? Infinity : Math.max(...items.map(({ revisionId }) => revisionId))
    const changes = new ChangeSet()
    for (const row of fresh) changes.add(row, upstream.namespaces())
    const doubts = await this.#reconciler.reconcile(changes, { newestId, move, onCompared })
    if (changes.recent) await this.#takeRecent()
    for (const row of fresh) this.#remember(row, doubts)
  }

  /** A row that a lagging replica may have answered for is looked at again with the next poll. */
  #remember(row: ChangeRow, doubts: Inquiry['doubts']): void {
    const { mirror, upstream } = this.#reconciler
    // The revisions of a page that is gone are gone too.
    const isHere = mirror.page(row.pageId) !== undefined
    const isDoubted = doubts.pages.has(row.pageId) || (isHere && doubts.revisions.has(row.revisionId))
    // Nothing in an answer tells whether it knew of such a row.
    const isBlind = row.type === 'log' && isYoung(upstream, row.time)
    if (isDoubted) this.#hasDoubts = true
    if (!isDoubted && !isBlind) this.#seen.set(row.id, { hash: row.hash, time: row.time })
  }

  /** Compares the newest revisions and their pages: a hidden row of the log may mean any of them. */
  async #takeRecent(): Promise<void> {
    const { upstream, cursor } = this.#reconciler
    const from = Math.max(0, cursor.position.newest - RECENT_SECONDS)
    let next: string | undefined
    for (let n = 0; n < RECENT_PARTS; n++) {
      const part = await upstream.newestRevisions(from, next)
      const changes = new ChangeSet()
      for (const { id, pageId } of part.items) {
        changes.page(pageId)
        changes.revision(id)
      }
      await this.#reconciler.reconcile(changes)
      if (part.next === undefined) return
      next = part.next
    }
  }

  // -- Removals --------------------------------------------------------------------------------------------------

  /** Takes over deleted pages and hidden revisions of a whole window. The cursor stays. */
  async #takeRemovals(from: number): Promise<void> {
    this.#removalsAt = this.#clock.now()
    for (let next: string | undefined; ;) {
      const part: Part<ChangeRow> = await this.#reconciler.upstream.changes(from, { next, only: 'log' })
      await this.#reconciler.reconcile(this.#removalsIn(part.items), { fillsGaps: false })
      if (part.next === undefined) return
      next = part.next
    }
  }

  /** Only what the mirror has can disappear from it. */
  #removalsIn(rows: readonly ChangeRow[]): ChangeSet {
    const { mirror, upstream } = this.#reconciler
    const [all, known] = [new ChangeSet(), new ChangeSet()]
    for (const row of rows) if (row.action.startsWith('delete/')) all.add(row, upstream.namespaces())
    for (const [id, change] of all.pages)
      if (mirror.page(id) !== undefined) known.page(id, { ...change, history: false })
    for (const [id, time] of all.revisions) if (mirror.revision(id) !== undefined) known.revision(id, time)
    return known
  }
}

/** The time in a place such as `20261122143342|131`. */
function timeOf(next = ''): number | undefined {
  const [stamp = ''] = /^\d{14}(?=\|)/.exec(next) ?? []
  return parseTimestamp(stamp.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'))
}
