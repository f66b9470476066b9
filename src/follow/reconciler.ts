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
import { Inquiry, type InquiryOptions } from './inquiry.js'
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
  readonly mirror: MirrorReader
  readonly cursor: Cursor
  readonly withFiles: boolean
  readonly contents: Contents | undefined
  readonly #store: Store
  readonly #guard: RemovalGuard
  readonly #memory = { asked: new Set<number>(), histories: new Map() }

  constructor(upstream: Upstream, cursor: Cursor, options: ReconcilerOptions) {
    const { store, clock, withFiles, contents, acceptRemovals } = options
    this.upstream = upstream
    this.mirror = store.mirror
    this.cursor = cursor
    this.withFiles = withFiles
    this.contents = contents
    this.#store = store
    this.#guard = new RemovalGuard(() => store.counters().pages, acceptRemovals, clock)
  }

  /** A poll or a sweep begins: removals of those before count for an hour only. */
  begin(): void {
    this.#guard.restart()
  }

  /** Returns the places where a lagging replica may have answered. Nothing of them was written. */
  async reconcile(
    changes: ChangeSet,
    { move, onCompared, ...options }: ReconcileOptions = {},
  ): Promise<Inquiry['doubts']> {
    const { floor } = this.cursor.position
    for (;;) {
      const revisionCount = this.#store.counters().revisions
      const tools = {
        upstream: this.upstream,
        mirror: this.mirror,
        memory: this.#memory,
        floor,
        revisionCount,
      }
      const inquiry = new Inquiry(changes, tools, options)
      await inquiry.run()
      const plan = await planOf(inquiry, this)
      if (!inquiry.isUnfinished) onCompared?.()
      await this.#write(plan, inquiry.isUnfinished ? undefined : move)
      if (!inquiry.isUnfinished) return inquiry.doubts
    }
  }

  /** Writes nothing for a plan without differences, unless the cursor moves. */
  async #write(plan: Plan, move: Move | undefined): Promise<void> {
    this.#guard.check(plan)
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
}

/** Stops a follower that is about to remove a great part of the wiki: the fault may be upstream. */
class RemovalGuard {
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
    const gone = plan.pages.filter((page) => 'gone' in page).length
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
