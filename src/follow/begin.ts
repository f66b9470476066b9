/** Whether a store may follow a wiki, and from where: an empty one, one that a dump has filled, or a mirror. */
import { setImmediate as turn } from 'node:timers/promises'
import { prefixedText } from '../domain/title.js'
import type { HistoryKept, UpstreamPosition } from '../domain/upstreamPosition.js'
import type { Store } from '../storage/store.js'
import { FollowRefused } from './api/faults.js'
import type { Upstream } from './api/upstream.js'

/** A dump takes hours to write, so its pages are of different times. */
const DUMP_SECONDS = 86_400
/** Titles of local edits that a refusal names. */
const NAMED_TITLES = 10
/** Rows read before other work may go on. */
const ROWS_IN_A_TURN = 10_000

/** Throws FollowRefused for a mirror of another wiki. */
export function requireSame(store: Store, wikiId: string, url: string, acceptsUrl: boolean): void {
  const known = store.mirror.place()
  if (known === undefined) return
  if (known.wikiId !== wikiId)
    throw new FollowRefused(
      `the store follows the wiki "${known.wikiId}", but ${url} is "${wikiId}": give another --data-dir`,
    )
  if (known.url !== url && !acceptsUrl)
    throw new FollowRefused(
      `the store follows ${known.url}, not ${url}: if the wiki has moved there, run again with --check`,
    )
}

/** The first position of a mirror. */
export async function firstPosition(
  store: Store,
  upstream: Upstream,
  { url, wikiId, history }: Pick<UpstreamPosition, 'url' | 'wikiId'> & { history: HistoryKept | undefined },
): Promise<UpstreamPosition> {
  await requireMirror(store, wikiId)
  const common = { url, wikiId, batch: 0, site: '' }
  const newest = (await upstream.outermostChange('newest'))?.time ?? 0
  const { pages, revisions, nextRevisionId } = store.counters()
  if (pages > 0) {
    const kept = history ?? (pages === revisions ? 'since' : 'all')
    const floor = kept === 'since' ? nextRevisionId - 1 : 0
    return { ...common, newest: Math.max(0, (await newestTime(store)) - DUMP_SECONDS), history: kept, floor }
  }
  const floor = history === 'since' ? await newestRevision(upstream) : 0
  const sweep = { stage: 'pages', began: upstream.client.time, isFirst: true } as const
  return { ...common, newest, sweep, history: history ?? 'all', floor }
}

/** Throws FollowRefused for a store of another wiki, or with edits made here. */
async function requireMirror(store: Store, wikiId: string): Promise<void> {
  const own = store.site().wikiId
  if (own !== '' && own !== wikiId)
    throw new FollowRefused(
      `the store holds the wiki "${own}", but the upstream is "${wikiId}": give another --data-dir`,
    )
  if (store.runningImport() !== undefined)
    throw new FollowRefused('an import into the store has not ended: run "palimpsest import" again first')
  let count = 0
  const titles = new Set<string>()
  for (const id of store.mirror.revisionsMadeHere()) {
    if (++count % ROWS_IN_A_TURN === 0) await turn()
    const title = store.mirror.page(store.mirror.revision(id)?.pageId ?? 0)?.title
    if (title !== undefined && titles.size < NAMED_TITLES) titles.add(prefixedText(title, store.namespaces()))
  }
  if (count === 0) return
  throw new FollowRefused(
    `the store has ${count} edits made here, whose ids the upstream uses for its own: a mirror has none. ` +
      `They are of ${[...titles].map((title) => `"${title}"`).join(', ')}`,
  )
}

/** Time of the newest revision that is the latest of its page; 0 without any. */
export async function newestTime({ mirror }: Store): Promise<number> {
  let [newest, count] = [0, 0]
  for (const id of mirror.pageIds()) {
    newest = Math.max(newest, mirror.revision(mirror.page(id)?.latestId ?? 0)?.timestamp ?? 0)
    if (++count % ROWS_IN_A_TURN === 0) await turn()
  }
  return newest
}

async function newestRevision(upstream: Upstream): Promise<number> {
  const { items } = await upstream.newestRevisions(0, undefined)
  return Math.max(0, ...items.map(({ id }) => id))
}
