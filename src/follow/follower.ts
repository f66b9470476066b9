/**
 * Keeps a store equal to a wiki. It polls the wiki's changes, and compares everything from time to time. All that it
 * knows for certain is in the position, so it may be killed at any moment.
 */
import { createHash } from 'node:crypto'
import type { HistoryKept, SweepPlace } from '../domain/upstreamPosition.js'
import type { Applier } from '../storage/apply/applier.js'
import type { Store } from '../storage/store.js'
import type { StatedSite } from './api/siteAnswers.js'
import { type ApiOptions, ApiClient } from './api/apiClient.js'
import { FollowRefused, UpstreamFault } from './api/faults.js'
import { Omissions } from './api/fields.js'
import { NEW_NAMESPACE, Upstream } from './api/upstream.js'
import { firstPosition, newestTime } from './begin.js'
import type { Clock } from './api/etiquette.js'
import { Poll, type PollResult } from './poll.js'
import { PlaceWriter } from './placeWriter.js'
import { Plans } from './plans.js'
import { RemovalGuard } from './removalGuard.js'
import { NOTHING, type ReadFile } from './states/batches.js'
import { Settler } from './states/settler.js'
import { Texts } from './states/texts.js'
import { Sweep } from './sweep/sweep.js'

export interface FollowOptions {
  readonly store: Store
  readonly applier: Applier
  readonly api: ApiOptions
  /** Seconds that windows of changes overlap. */
  readonly overlap: number
  /** Undefined: as the store does already, or as its contents suggest. */
  readonly history: HistoryKept | undefined
  /** Undefined: files are not followed. */
  readonly readFile: ((client: ApiClient, omissions: Omissions) => ReadFile) | undefined
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
  readonly client: ApiClient
  readonly writer: PlaceWriter
  readonly #options: FollowOptions
  readonly #upstream: Upstream
  readonly #settler: Settler
  readonly #plans: Plans
  readonly #guard: RemovalGuard
  readonly #poll: Poll
  readonly #clock: Clock
  #siteAt: number

  /** Throws FollowRefused if the store cannot follow the wiki. */
  static async open(options: FollowOptions): Promise<Follower> {
    const { store, api, tell } = options
    const omissions = new Omissions((what) => tell({ type: 'left-out', what }))
    const client = new ApiClient(api)
    const upstream = new Upstream(client, () => store.namespaces(), omissions)
    const wait = client.patiently.bind(client)
    if (api.token !== undefined) await wait(() => upstream.readRights())
    const site = await wait(() => upstream.site(store.mirror.bots()))
    const { wikiId } = site.site
    requireSame(options, wikiId)
    const { history } = options
    const first = store.mirror.place() === undefined ? { url: api.url, wikiId, history } : undefined
    const begin = first && (await wait(() => firstPosition(store, upstream, first)))
    const follower = new Follower(
      options,
      upstream,
      omissions,
      new PlaceWriter(store, options.applier, begin, (what) => omissions.name(what)),
    )
    follower.#takeSite(site)
    const since = begin === undefined ? undefined : await newestTime(store)
    await wait(() => follower.#requireHorizon(since))
    if (begin !== undefined) tell({ type: 'begun', how: begin.sweep === undefined ? 'dump' : 'sweep' })
    return follower
  }

  private constructor(options: FollowOptions, upstream: Upstream, omissions: Omissions, writer: PlaceWriter) {
    const { store, api, readFile, acceptRemovals, overlap } = options
    const { mirror } = store
    const { client } = upstream
    this.client = client
    this.writer = writer
    this.#options = options
    this.#upstream = upstream
    this.#clock = api.clock
    this.#siteAt = api.clock.now()
    this.#settler = new Settler(upstream, mirror, {
      floor: () => writer.position.floor,
      countRevisions: () => store.counters().revisions,
      withFiles: readFile !== undefined,
    })
    this.#guard = new RemovalGuard(() => store.counters().pages, acceptRemovals, api.clock)
    this.#plans = new Plans({
      mirror,
      writer,
      guard: this.#guard,
      signal: api.signal,
      texts: new Texts(upstream, omissions),
      readFile: readFile?.(client, omissions) ?? noFile,
    })
    const { clock } = api
    const tools = { upstream, mirror, settler: this.#settler, plans: this.#plans, writer }
    this.#poll = new Poll({ ...tools, clock, overlap })
  }

  /** Takes over all changes up to now. */
  async poll(): Promise<PollResult> {
    const everyMs = this.#upstream.hasUnknownNamespaces() ? SITE_EVERY_MS / 10 : SITE_EVERY_MS
    if (this.#clock.now() - this.#siteAt >= everyMs) await this.refreshSite()
    this.#guard.restart()
    return this.#poll.run()
  }

  /** A comparison of everything: the one that the position names, or a new one. */
  sweep(): Sweep {
    this.#guard.restart()
    const { writer } = this
    const tools = { upstream: this.#upstream, mirror: this.#options.store.mirror, settler: this.#settler }
    return new Sweep({
      ...tools,
      plans: this.#plans,
      writer,
      withFiles: this.#options.readFile !== undefined,
    })
  }

  /** Leaves a place that the wiki does not know any more: its part of the work is done again. */
  forgetPlaces(): void {
    const { sweep, window } = this.writer.position
    if (window === undefined && sweep?.from === undefined) return
    const { from: _from, namespace: _namespace, ...begun } = sweep ?? {}
    this.writer.write(NOTHING, { window: undefined, ...(sweep && { sweep: begun as SweepPlace }) })
  }

  /** Asks the wiki for its names. */
  async refreshSite(): Promise<void> {
    this.#siteAt = this.#clock.now()
    const site = await this.#upstream.site(this.#options.store.mirror.bots())
    requireSame(this.#options, site.site.wikiId)
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
    const { position } = this.writer
    if (this.writer.hasBegun && hash === position.site && url === position.url) return
    this.writer.write({ ...NOTHING, site, interwiki }, { site: hash, url })
    // Rows may be of namespaces that are known only now.
    this.#poll.forget()
  }

  /**
   * Plans a sweep if the wiki has forgotten changes since the position. `since` is the time of a dump that the mirror
   * begins with. Throws FollowRefused if the wiki has gone back in time.
   */
  async #requireHorizon(since: number | undefined): Promise<void> {
    const { newest, sweep } = this.writer.position
    const [oldest, latest] = [
      await this.#upstream.outermostChange('oldest'),
      await this.#upstream.outermostChange('newest'),
    ]
    if (oldest === undefined || latest === undefined || sweep !== undefined) return
    if (latest.time + this.#options.overlap < newest && !this.#options.acceptsUrl)
      throw new FollowRefused(
        'the newest change of the wiki is older than those that the store has: was the wiki restored from a backup? ' +
          'Run again with --check to make the store equal to it',
      )
    if (oldest.time <= Math.max(newest, since ?? 0)) return
    this.#options.tell({ type: 'horizon', newest, oldest: oldest.time })
    const place = { stage: 'pages', began: this.client.time, isFirst: true } as const
    this.writer.write(NOTHING, { sweep: place, window: undefined, newest: latest.time })
  }
}

const noFile: ReadFile = () => Promise.reject(new Error('files are not followed'))

function requireSame({ store, api, acceptsUrl }: FollowOptions, wikiId: string): void {
  const known = store.mirror.place()
  if (known === undefined) return
  if (known.wikiId !== wikiId)
    throw new FollowRefused(
      `the store follows the wiki "${known.wikiId}", but ${api.url} is "${wikiId}": give another --data-dir`,
    )
  if (known.url !== api.url && !acceptsUrl)
    throw new FollowRefused(
      `the store follows ${known.url}, not ${api.url}: if the wiki has moved there, run again with --check`,
    )
}

/** True for a fault that the names of the wiki may mend. */
export const isNewNamespace = (error: unknown): boolean =>
  error instanceof UpstreamFault && error.code === NEW_NAMESPACE

/** True for a fault that lies in the place where a list should continue. */
export const isBadPlace = (error: unknown): boolean =>
  error instanceof UpstreamFault && error.code === 'badcontinue'
