/**
 * Keeps a store equal to a wiki. It polls the wiki's changes, and compares everything from time to time. All that it
 * knows for certain is in the cursor, so it may be killed at any moment.
 */
import { createHash } from 'node:crypto'
import type { HistoryKept, SweepPlace } from '../domain/upstreamPosition.js'
import type { Applier } from '../storage/apply/applier.js'
import type { Store } from '../storage/store.js'
import { type ApiOptions, ApiClient } from './api/apiClient.js'
import type { StatedSite } from './api/answers.js'
import { FollowRefused } from './api/faults.js'
import { Omissions } from './api/fields.js'
import { Upstream } from './api/upstream.js'
import { firstPosition, newestTime, requireSame } from './begin.js'
import { Cursor, NOTHING } from './cursor.js'
import type { Contents } from './files.js'
import { Poll, type PollResult } from './poll.js'
import { Reconciler } from './reconciler.js'
import { Sweep } from './sweep.js'

export interface FollowOptions {
  readonly store: Store
  readonly applier: Applier
  readonly api: ApiOptions
  /** Seconds that windows of changes overlap. */
  readonly overlap: number
  /** Undefined: as the store does already, or as its contents suggest. */
  readonly history: HistoryKept | undefined
  /** False: files are not followed. */
  readonly withFiles: boolean
  /** Undefined: contents of files are not followed. */
  readonly contents: Contents | undefined
  readonly acceptRemovals: number
  /** The wiki may have another address than before. */
  readonly acceptsUrl: boolean
  readonly tell: (event: FollowEvent) => void
}

/** News for the operator. */
export type FollowEvent =
  | { readonly type: 'begun'; readonly how: 'sweep' | 'dump' }
  | { readonly type: 'horizon'; readonly newest: number; readonly oldest: number }
  | { readonly type: 'left-out'; readonly what: string }

/** Names, namespaces and prefixes are in no change: they are asked for this often. */
const SITE_EVERY_MS = 600_000

export class Follower {
  readonly cursor: Cursor
  readonly #options: FollowOptions
  readonly #upstream: Upstream
  readonly #reconciler: Reconciler
  readonly #poll: Poll
  #siteAt: number

  /** Throws FollowRefused if the store cannot follow the wiki. */
  static async open(options: FollowOptions): Promise<Follower> {
    const { store, applier, api, history, tell } = options
    const client = new ApiClient(api)
    const omissions = new Omissions((what) => tell({ type: 'left-out', what }))
    const upstream = new Upstream(client, () => store.namespaces(), omissions)
    if (api.token !== undefined) await client.patiently(() => upstream.readRights())
    const site = await client.patiently(() => upstream.site(store.mirror.bots()))
    const { wikiId } = site.site
    requireSame(store, wikiId, api.url, options.acceptsUrl)
    const begin =
      store.mirror.place() === undefined
        ? await client.patiently(() => firstPosition(store, upstream, { url: api.url, wikiId, history }))
        : undefined
    const follower = new Follower(options, upstream, new Cursor(store, applier, begin, omissions))
    follower.#takeSite(site)
    const since = begin === undefined ? undefined : await newestTime(store)
    await client.patiently(() => follower.#requireHorizon(since))
    if (begin !== undefined) tell({ type: 'begun', how: begin.sweep === undefined ? 'dump' : 'sweep' })
    return follower
  }

  private constructor(options: FollowOptions, upstream: Upstream, cursor: Cursor) {
    const { clock } = options.api
    this.cursor = cursor
    this.#options = options
    this.#upstream = upstream
    this.#siteAt = clock.now()
    this.#reconciler = new Reconciler(upstream, cursor, { ...options, clock })
    this.#poll = new Poll(this.#reconciler, clock, options.overlap)
  }

  get client(): ApiClient {
    return this.#upstream.client
  }

  /** Takes over all changes up to now. */
  async poll(): Promise<PollResult> {
    const everyMs = this.#upstream.hasUnknownNamespaces() ? SITE_EVERY_MS / 10 : SITE_EVERY_MS
    if (this.#options.api.clock.now() - this.#siteAt >= everyMs) await this.refreshSite()
    return this.#poll.run()
  }

  /** A comparison of everything: the one that the cursor names, or a new one. */
  sweep(): Sweep {
    return new Sweep(this.#reconciler)
  }

  /** Leaves a place that the wiki does not know any more: its part of the work is done again. */
  forgetPlaces(): void {
    const { sweep, window } = this.cursor.position
    if (window === undefined && sweep?.from === undefined) return
    const { from: _from, namespace: _namespace, ...begun } = sweep ?? {}
    this.cursor.write(NOTHING, { window: undefined, ...(sweep && { sweep: begun as SweepPlace }) })
  }

  /** Asks the wiki for its names. */
  async refreshSite(): Promise<void> {
    const { store, api, acceptsUrl } = this.#options
    this.#siteAt = api.clock.now()
    const site = await this.#upstream.site(store.mirror.bots())
    requireSame(store, site.site.wikiId, api.url, acceptsUrl)
    this.#takeSite(site)
  }

  /** Writes what the wiki says of itself, if that is new. */
  #takeSite({ site, interwiki }: StatedSite): void {
    const { bots: _bots, ...stated } = site
    const hash = createHash('sha256')
      .update(JSON.stringify([stated, interwiki]))
      .digest('hex')
      .slice(0, 16)
    const { url } = this.#options.api
    const { position, hasBegun } = this.cursor
    if (hasBegun && hash === position.site && url === position.url) return
    this.cursor.write({ ...NOTHING, site, interwiki }, { site: hash, url })
    // Rows may be of namespaces that are known only now.
    this.#poll.forget()
  }

  /**
   * Plans a sweep if the wiki has forgotten changes since the cursor. `since` is the time of a dump that the mirror
   * begins with. Throws FollowRefused if the wiki has gone back in time.
   */
  async #requireHorizon(since = 0): Promise<void> {
    const { newest, sweep } = this.cursor.position
    const oldest = await this.#upstream.outermostChange('oldest')
    const latest = await this.#upstream.outermostChange('newest')
    if (oldest === undefined || latest === undefined || sweep !== undefined) return
    if (latest.time + this.#options.overlap < newest && !this.#options.acceptsUrl)
      throw new FollowRefused(
        'the newest change of the wiki is older than those that the store has: was the wiki restored from a backup? ' +
          'Run again with --check to make the store equal to it',
      )
    if (oldest.time <= Math.max(newest, since)) return
    this.#options.tell({ type: 'horizon', newest, oldest: oldest.time })
    const place = { stage: 'pages', began: this.client.time, isFirst: true } as const
    this.cursor.write(NOTHING, { sweep: place, window: undefined, newest: latest.time })
  }
}
