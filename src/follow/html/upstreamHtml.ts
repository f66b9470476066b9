/**
 * Takes the HTML of latest revisions from the followed wiki into the store. One request runs at a time in all processes
 * of a server, and nothing waits for a wiki that has failed. The caller renders pages without such HTML.
 */
import { counter, type Figure, gauge } from '../../metrics/figures.js'
import type { HtmlVerdict, IncomingHtml } from '../../storage/html/importedHtml.js'
import type { Store } from '../../storage/store.js'
import type { TakeTurn, Turn } from '../../runtime/turns.js'
import { ApiClient } from '../api/apiClient.js'
import { isBusy, UpstreamFault } from '../api/faults.js'
import { backOffMs, type Clock } from '../api/etiquette.js'
import { toSeconds } from '../../domain/timestamp.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import { pause } from '../../runtime/pause.js'
import { limitTime } from '../../runtime/timeLimit.js'
import { askHtml, HtmlRefused } from './askHtml.js'

/** HTML as it came. A thread packs it. */
export type ForeignHtml = Omit<IncomingHtml, 'html'> & { readonly html: Buffer }

export interface UpstreamHtmlOptions {
  readonly store: Store
  readonly userAgent: string
  readonly takeTurn: TakeTurn
  /** Writes HTML to the store. */
  readonly keep: (html: ForeignHtml) => Promise<HtmlVerdict>
  readonly clock: Clock
  readonly nowMs: () => number
  /** Longest time that a request for a page waits; the page is rendered then. */
  readonly waitMs: number
  readonly onFault: (error: Error, revisionId: number) => void
}

/** Revisions that wait for their request; more are rendered here. */
const MAX_WAITING = 100
const SILENCE_MS = 10_000
/** Longest time for all requests of one page. */
const LONGEST_MS = 30_000
/** A page is not asked for again for so long: after a fault of the moment, and after one of the page. */
const AGAIN_MS = 60_000
const REFUSED_MS = 10 * 60_000
/** Revisions that are remembered, at least: the oldest go first. */
const MOST_SETTLED = 10_000

type Outcome = 'kept' | 'refused' | 'failed' | 'skipped'

export class UpstreamHtml {
  readonly #options: UpstreamHtmlOptions
  readonly #closing = new AbortController()
  readonly #underWay = new Map<number, Promise<boolean>>()
  /** Revisions not to be asked for at present, with the end of that time. */
  readonly #settled = new BoundedCache<number, number>(2 * MOST_SETTLED, () => 1)
  readonly #outcomes: Record<Outcome, number> = { kept: 0, refused: 0, failed: 0, skipped: 0 }
  #restsUntil = 0
  #failures = 0
  #asking: Promise<Outcome> | undefined

  constructor(options: UpstreamHtmlOptions) {
    this.#options = options
  }

  /** Resolves with true once the store has the wiki's HTML of a revision, with false when it will not have it soon. */
  fetch(revisionId: number): Promise<boolean> {
    if (this.#options.store.html.hasImported(revisionId)) return Promise.resolve(true)
    const underWay = this.#underWay.get(revisionId)
    if (underWay !== undefined) return underWay
    if (!this.#mayAsk(revisionId)) return Promise.resolve(false)
    const begun = this.#fetch(revisionId).finally(() => this.#underWay.delete(revisionId))
    this.#underWay.set(revisionId, begun)
    return begun
  }

  /** Waits for the HTML of a revision, for a bounded time. HTML that comes later serves later requests. */
  async prepare(revisionId: number): Promise<void> {
    const isHere = new AbortController()
    await Promise.race([this.fetch(revisionId), pause(this.#options.waitMs, isHere.signal)])
    isHere.abort()
  }

  /** Fetches the HTML of a revision in the background, for later requests. Costs a lookup if there is nothing to do. */
  offer(revisionId: number): void {
    if (!this.#isSettled(revisionId)) void this.fetch(revisionId)
  }

  /** HTML of a revision turned out to be of no use. */
  refuse(revisionId: number): void {
    this.#settle(revisionId, REFUSED_MS)
  }

  figures(): Figure[] {
    const name = 'palimpsest_upstream_html'
    const values = Object.entries(this.#outcomes).map(([result, value]) => ({ labels: { result }, value }))
    const rests = this.#options.nowMs() < this.#restsUntil ? 1 : 0
    return [
      counter(`${name}_total`, 'Pages whose HTML was asked of the followed wiki, by result.', values),
      gauge(`${name}_waiting`, 'Pages that wait for HTML of the followed wiki.', this.#underWay.size),
      gauge(`${name}_resting`, '1 while nothing is asked, after a fault of the followed wiki.', rests),
    ]
  }

  /** Ends the request under way. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server closes'))
    await this.#asking
  }

  #settle(revisionId: number, forMs: number): void {
    this.#settled.set(revisionId, this.#options.nowMs() + forMs)
  }

  #isSettled(revisionId: number): boolean {
    return (this.#settled.get(revisionId) ?? 0) > this.#options.nowMs()
  }

  #mayAsk(revisionId: number): boolean {
    const { signal } = this.#closing
    if (signal.aborted || this.#options.nowMs() < this.#restsUntil || this.#isSettled(revisionId))
      return false
    return this.#underWay.size < MAX_WAITING
  }

  async #fetch(revisionId: number): Promise<boolean> {
    const turn = await this.#options.takeTurn()
    let outcome: Outcome
    try {
      this.#asking = this.#useTurn(turn, revisionId)
      outcome = await this.#asking
    } finally {
      turn.end(Math.max(0, this.#restsUntil - this.#options.nowMs()))
    }
    this.#outcomes[outcome]++
    return outcome === 'kept'
  }

  async #useTurn({ restsMs }: Turn, revisionId: number): Promise<Outcome> {
    const { nowMs, onFault, store } = this.#options
    this.#restsUntil = Math.max(this.#restsUntil, nowMs() + restsMs)
    if (restsMs > 0 || this.#closing.signal.aborted) return 'skipped'
    try {
      // Another process may have asked meanwhile.
      store.refresh()
      if (store.html.hasImported(revisionId)) return 'kept'
      const outcome = await this.#ask(revisionId)
      this.#failures = 0
      if (outcome !== 'kept') this.#settle(revisionId, outcome === 'refused' ? AGAIN_MS : REFUSED_MS)
      return outcome
    } catch (error) {
      if (this.#closing.signal.aborted) return 'skipped'
      const fault = faultIn(error)
      onFault(fault, revisionId)
      return this.#noteFault(fault, revisionId)
    }
  }

  async #ask(revisionId: number): Promise<Outcome> {
    const { store, keep, userAgent, clock, nowMs } = this.#options
    const url = store.mirror.place()?.url
    const revision = store.getRevision(revisionId)
    const page = revision?.textHidden === false ? store.getPageById(revision.pageId) : undefined
    if (url === undefined || page?.latestId !== revisionId) return 'skipped'
    const { signal, end } = limitTime(LONGEST_MS, this.#closing.signal)
    const limits = { giveUpAfterMs: 0, silenceMs: SILENCE_MS }
    const client = new ApiClient({ url, userAgent, signal, clock, ...limits })
    const asked = { apiUrl: url, pageId: page.pageId, revisionId, namespaces: store.namespaces() }
    const answer = await askHtml(client, asked).finally(end)
    const { namespace, dbkey } = page
    const verdict = await keep({
      ...answer,
      pageId: page.pageId,
      title: { namespace, dbkey },
      revisionId,
      origin: 'upstream',
      madeAt: toSeconds(nowMs()),
    })
    return verdict === 'kept' || verdict === 'known' ? 'kept' : 'refused'
  }

  /** After a fault of the wiki, nothing is asked for a while. A fault of one page concerns that page alone. */
  #noteFault(fault: Error, revisionId: number): Outcome {
    const isOfWiki = fault instanceof UpstreamFault && (isBusy(fault) || !/^http-4(?!08)/.test(fault.code))
    this.#settle(revisionId, isOfWiki ? AGAIN_MS : REFUSED_MS)
    if (!isOfWiki) return fault instanceof HtmlRefused ? 'refused' : 'failed'
    const { clock, nowMs } = this.#options
    const waitMs = Math.max(fault.retryAfterMs, backOffMs(this.#failures++, clock.chance()))
    this.#restsUntil = Math.max(this.#restsUntil, nowMs() + waitMs)
    return 'failed'
  }
}

/** The fault that ended a request. The time limit of a page is one of the wiki. */
function faultIn(error: unknown): Error {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof UpstreamFault) return cause
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new UpstreamFault('network', `no HTML within ${LONGEST_MS / 1000} seconds`, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
