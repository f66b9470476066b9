/**
 * Keeps a store equal to a wiki. It polls the wiki's changes at an interval or after a wake-up, and compares everything
 * slowly in between. All that it knows for certain is in the cursor, so it may be killed at any moment.
 */
import { createHash } from 'node:crypto'
import { reindexReasons } from '../domain/reindexReasons.js'
import type { HistoryKept, SweepPlace } from '../domain/upstreamPosition.js'
import type { Applier } from '../storage/apply/applier.js'
import { type ApiOptions, ApiClient } from './api/apiClient.js'
import { FollowRefused } from './api/faults.js'
import type { StatedSite } from './api/siteinfo.js'
import { NEW_NAMESPACE, Upstream } from './api/upstream.js'
import { firstPosition, newestTime, requireSame } from './begin.js'
import { Cursor, NOTHING } from './cursor.js'
import { Poll, type PollResult } from './poll.js'
import { Reconciler, type ReconcilerOptions } from './reconciler.js'
import type { Store } from '../storage/store.js'
import type { StreamWakeUps } from './streamWakeUps.js'
import { Sweep } from './sweep.js'

export interface FollowOptions extends Omit<ReconcilerOptions, 'clock'> {
  readonly applier: Applier
  readonly api: ApiOptions
  /** Seconds that windows of changes overlap. */
  readonly overlap: number
  readonly intervalMs: number
  /** Undefined: as the store does already, or as its contents suggest. */
  readonly history: HistoryKept | undefined
  /** The wiki may have another address than before. */
  readonly acceptsUrl: boolean
  readonly tell: (event: FollowEvent) => void
}

/** News for the operator. */
export type FollowEvent =
  | { readonly type: 'begun'; readonly how: 'sweep' | 'dump' }
  | { readonly type: 'horizon'; readonly newest: number; readonly oldest: number }
  | { readonly type: 'left-out'; readonly what: string }
  /** The index has words and links of texts as they were under other settings. */
  | { readonly type: 'reindex'; readonly changed: readonly string[] }

/** Names, namespaces and prefixes are in no change: they are asked for this often. */
const SITE_EVERY_MS = 600_000
const SWEEP_EVERY_SECONDS = 86_400
/** Of so many requests, one is for the comparison of everything. */
const REQUESTS_PER_SWEEP_REQUEST = 10

export class Follower {
  readonly cursor: Cursor
  /** Undefined: the follower waits for the interval. */
  wakeUps: StreamWakeUps | undefined
  /** Called after each poll, which has all changes of the wiki up to its beginning, `tookMs` ago. */
  onPoll: (result: PollResult, tookMs: number) => void = () => undefined
  /** Called after each step of a sweep, with its place. */
  onSweep: (place: SweepPlace) => void = () => undefined
  readonly #options: FollowOptions
  readonly #upstream: Upstream
  readonly #reconciler: Reconciler
  readonly #poll: Poll
  #sweep: Sweep | undefined
  /** Requests that the comparison may send. */
  #credit = 0
  #siteAt: number

  /** Throws FollowRefused if the store cannot follow the wiki. */
  static async open(options: FollowOptions): Promise<Follower> {
    const { store, applier, api, history, tell } = options
    const client = new ApiClient(api)
    const leaveOut = (what: string): void => tell({ type: 'left-out', what })
    const upstream = new Upstream(client, () => store.namespaces(), leaveOut)
    if (api.token !== undefined) await client.patiently(() => upstream.readRights())
    const site = await client.patiently(() => upstream.site(siteBefore(store)))
    const { wikiId } = site.site
    requireSame(store, wikiId, api.url, options.acceptsUrl)
    const begin =
      store.mirror.place() === undefined
        ? await client.patiently(() => firstPosition(store, upstream, { url: api.url, wikiId, history }))
        : undefined
    const follower = new Follower(
      options,
      upstream,
      new Cursor(store, applier, begin, (what) => upstream.omit(what)),
    )
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

  /** Until the signal aborts. Throws its reason. */
  async run(): Promise<void> {
    await this.#fill()
    for (;;) {
      const { requests } = this.client
      await this.poll()
      this.#credit += (this.client.requests - requests) / (REQUESTS_PER_SWEEP_REQUEST - 1)
      await this.#sweepALittle()
      await this.#pause()
    }
  }

  /** Brings the mirror to now. Waits until no answer of a lagging replica is left to doubt. */
  async catchUp(): Promise<void> {
    await this.#fill()
    while ((await this.poll()).hasDoubts) await this.#pause()
  }

  /** Compares everything. */
  async check(): Promise<void> {
    await this.#patiently(() => this.#refreshSite())
    while (await this.#sweepStep());
  }

  /** Takes over all changes up to now. */
  async poll(): Promise<PollResult> {
    const { clock } = this.#options.api
    const { result, beganMs } = await this.#patiently(async () => {
      const began = clock.now()
      const everyMs = this.#upstream.hasUnknownNamespaces() ? SITE_EVERY_MS / 10 : SITE_EVERY_MS
      if (began - this.#siteAt >= everyMs) await this.#refreshSite()
      return { result: await this.#poll.run(), beganMs: began }
    })
    this.onPoll(result, clock.now() - beganMs)
    return result
  }

  async #pause(): Promise<void> {
    const { intervalMs, api } = this.#options
    const over = new AbortController()
    const either = AbortSignal.any([api.signal, over.signal])
    const ends = [api.clock.sleep(intervalMs, either)]
    if (this.wakeUps !== undefined) ends.push(this.wakeUps.wait(either))
    await Promise.race(ends)
    over.abort()
    api.signal.throwIfAborted()
  }

  /** Repeats an action after faults that the single request could not wait out. */
  #patiently<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.client.patiently(action, async ({ code }) => {
      // The wiki does not know the place where a list should continue.
      if (code === 'badcontinue') this.#leavePlaces()
      if (code !== NEW_NAMESPACE) return false
      await this.#patiently(() => this.#refreshSite())
      return true
    })
  }

  // -- Sweeps ----------------------------------------------------------------------------------------------------

  /** Ends a sweep that changes wait for. */
  async #fill(): Promise<void> {
    if (this.cursor.position.sweep?.isFirst) await this.check()
  }

  async #sweepALittle(): Promise<void> {
    const { sweep, swept = 0 } = this.cursor.position
    const isOld = this.client.time - swept > SWEEP_EVERY_SECONDS
    const isDue = this.#sweep !== undefined || sweep !== undefined || isOld
    if (!isDue || this.#credit < 1) return
    const { requests } = this.client
    await this.#sweepStep()
    this.#credit -= Math.max(1, this.client.requests - requests)
  }

  /** Goes on with the sweep of the cursor, or begins one. False at its end. */
  async #sweepStep(): Promise<boolean> {
    const goesOn = await this.#patiently(() => (this.#sweep ??= new Sweep(this.#reconciler)).step())
    this.onSweep(this.#sweep!.place)
    if (!goesOn) this.#sweep = undefined
    return goesOn
  }

  /** Leaves places of lists: their part of the work is done again. */
  #leavePlaces(): void {
    this.#sweep = undefined
    const { sweep, window } = this.cursor.position
    if (window === undefined && sweep?.from === undefined) return
    const { from: _from, namespace: _namespace, ...begun } = sweep ?? {}
    this.cursor.write(NOTHING, { window: undefined, ...(sweep && { sweep: begun as SweepPlace }) })
  }

  // -- The wiki itself -------------------------------------------------------------------------------------------

  async #refreshSite(): Promise<void> {
    const { store, api, acceptsUrl } = this.#options
    this.#siteAt = api.clock.now()
    const site = await this.#upstream.site(siteBefore(store))
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
    const { store, tell } = this.#options
    const before = store.site()
    this.cursor.write({ ...NOTHING, site, interwiki }, { site: hash, url })
    const changed = store.counters().pages === 0 ? [] : reindexReasons(before, store.site())
    if (changed.length > 0) tell({ type: 'reindex', changed })
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

/** The wiki's earlier answer. */
const siteBefore = ({ mirror }: Store): Parameters<Upstream['site']>[0] => ({
  ...mirror.site(),
  bots: mirror.bots(),
})
