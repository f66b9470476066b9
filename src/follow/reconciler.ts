/**
 * Makes a mirror equal to its wiki in the places of a change set: asks the wiki how they are now, compares, and writes
 * the differences batch by batch. The last batch moves the cursor.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { UpstreamStates } from '../domain/upstream.js'
import type { Store } from '../storage/store.js'
import type { MirrorReader } from '../storage/upstream/mirrorReader.js'
import type { Clock } from './api/etiquette.js'
import { FollowRefused } from './api/faults.js'
import type { Upstream } from './api/upstream.js'
import { batchesOf } from './batches.js'
import type { ChangeSet } from './changeSet.js'
import { type Cursor, type Move, NOTHING } from './cursor.js'
import type { Contents } from './files.js'
import { Inquiry, type InquiryMemory, type InquiryOptions } from './inquiry.js'
import { type Plan, planOf } from './plan.js'

const MOST_PAGES = 1000
const MOST_SHARE = 0.01
/** Small wikis may lose so many, though they are a greater share. */
const ALWAYS_PAGES = 100
/** Removals count for so long. Many small ones are one great one. */
const SPAN_MS = 3_600_000

export interface ReconcilerOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** False: files are not followed. */
  readonly withFiles: boolean
  /** Undefined: contents of files are not followed. */
  readonly contents: Contents | undefined
  /** Pages whose removal the operator has accepted. */
  readonly acceptRemovals: number
}

export interface ReconcileOptions extends InquiryOptions {
  /** Goes with the last batch, or alone. Without it, the cursor stays. */
  readonly move?: Move | undefined
  /** Called before the last writing begins. */
  readonly onCompared?: () => void
}

export class Reconciler {
  readonly upstream: Upstream
  readonly cursor: Cursor
  readonly store: Store
  readonly mirror: MirrorReader
  readonly withFiles: boolean
  readonly contents: Contents | undefined
  readonly memory: InquiryMemory = { asked: new Set(), histories: new Map() }
  readonly #clock: Pick<Clock, 'now'>
  readonly #acceptRemovals: number
  /** Pages removed since the poll or sweep began, which may take longer than the span. */
  #removed = 0
  /** Removals of the span, oldest first. */
  #recent: { readonly at: number; readonly count: number }[] = []

  constructor(upstream: Upstream, cursor: Cursor, options: ReconcilerOptions) {
    this.upstream = upstream
    this.cursor = cursor
    this.store = options.store
    this.mirror = options.store.mirror
    this.withFiles = options.withFiles
    this.contents = options.contents
    this.#clock = options.clock
    this.#acceptRemovals = options.acceptRemovals
  }

  /** A poll or a sweep begins to count its removals. Those of the last hour still count. */
  begin(): void {
    this.#removed = 0
  }

  /**
   * Returns the places where a lagging replica may have answered. Nothing of them was written. Throws FollowRefused
   * before it removes a great part of the wiki.
   */
  async reconcile(
    changes: ChangeSet,
    { move, onCompared, ...options }: ReconcileOptions = {},
  ): Promise<Inquiry['doubts']> {
    for (;;) {
      const inquiry = new Inquiry(changes, this, options)
      await inquiry.run()
      const plan = await planOf(inquiry, this)
      if (!inquiry.isUnfinished) onCompared?.()
      await this.#write(plan, inquiry.isUnfinished ? undefined : move)
      if (!inquiry.isUnfinished) return inquiry.doubts
    }
  }

  /** Writes nothing for a plan without differences, unless the cursor moves. */
  async #write(plan: Plan, move: Move | undefined): Promise<void> {
    this.#guardRemovals(plan)
    let last: UpstreamStates | undefined
    for await (const batch of batchesOf(plan, this)) {
      if (last !== undefined) this.cursor.write(last)
      last = batch
      // Between two transactions, requests under way and signals have their turn.
      await turn()
      this.upstream.client.signal.throwIfAborted()
    }
    if (last !== undefined || move !== undefined) this.cursor.write(last ?? NOTHING, move)
  }

  /** A follower that is about to remove a great part of the wiki stops: the fault may be upstream. */
  #guardRemovals({ pages }: Plan): void {
    const gone = pages.filter((page) => 'gone' in page).length
    if (gone === 0) return
    const now = this.#clock.now()
    this.#recent = this.#recent.filter(({ at }) => now - at < SPAN_MS)
    const recent = this.#recent.reduce((sum, { count }) => sum + count, 0)
    const before = Math.max(this.#removed, recent)
    // A share of the wiki as it was before.
    const share = Math.floor((this.store.counters().pages + before) * MOST_SHARE)
    const limit = Math.max(ALWAYS_PAGES, Math.min(MOST_PAGES, share))
    const all = before + gone
    if (all > Math.max(limit, this.#acceptRemovals))
      throw new FollowRefused(
        `the wiki lacks at least ${all} pages that the store has, or had an hour ago, more than ${limit} at once: ` +
          `if they were deleted there, run again with --accept-removals ${Math.ceil(all / 1000) * 1000}`,
      )
    this.#removed += gone
    this.#recent.push({ at: now, count: gone })
  }
}
