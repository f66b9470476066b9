/** `?diff=`: two revisions of a page side by side. */
import { prefixedKey } from '../../../domain/title.js'
import { comparisonHead } from '../../../reader/views/comparison.js'
import type { RevisionRow } from '../../../storage/store.js'
import { HttpError, parameterError } from '../../reply/errors.js'
import type { Reply } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { requireComparable, requirePage, requirePageOf, requireTextModel } from '../../views/lookup.js'
import { leadTo } from '../pageReply.js'
import { numberOf, type Visit, type VisitHandler } from '../visit.js'
import { linkTargets, shownRevision } from './shownRevision.js'
import { pageShell, sharedReply } from './viewReply.js'

/** Revisions between the two are counted up to this number. */
const MAX_BETWEEN = 1000

/** The two sides; `from` is undefined if `to` is the first revision. */
interface Sides {
  readonly from: RevisionRow | undefined
  readonly to: RevisionRow
}

/**
 * Compares two revisions. `diff` is an id, or one of `prev`, `next` and `cur` (also `0`), relative to `oldid`. An id
 * alone is compared with the revision before it. The older one is always on the left.
 */
export const showComparison: VisitHandler = (visit, context) => {
  if (!context.config.diff) throw new HttpError('rest-compare-wikidiff2')
  const sides = inOrder(sidesOf(visit, context))
  const { from, to } = sides
  const page = requirePageOf(context.store, to)
  const key = prefixedKey(page, visit.namespaces)
  // The ids tell the page, so a link with another title still leads there.
  if (key !== visit.key) return leadTo(visit.links.comparison(key, to.id, from?.id))
  if (from === undefined) return answer(visit, context, sides, undefined)
  if (from.pageId !== to.pageId) throw new HttpError('rest-compare-page-mismatch')
  for (const [revision, name] of [
    [from, 'from'],
    [to, 'to'],
  ] as const) {
    requireComparable(revision, name)
    requireTextModel(revision, name)
  }
  const table = tableOf(from.id, to.id, visit, context)
  if (!(table instanceof Promise)) return answer(visit, context, sides, table)
  return table.then((bytes) => answer(visit, context, sides, bytes))
}

function sidesOf({ query, title, asked }: Visit, { store, pages }: HttpContext): Sides {
  const word = query.get('diff') ?? ''
  const relative = word === 'prev' || word === 'next' || word === 'cur' || word === '' || word === '0'
  const olderId = numberOf(query, 'oldid')
  const given = (id: number, name: string): RevisionRow => {
    const revision = store.getRevision(id)
    if (revision === undefined) throw new HttpError('rest-compare-nonexistent', [name])
    return revision
  }
  if (!relative) {
    const newerId = numberOf(query, 'diff')
    if (newerId === undefined) throw parameterError('badinteger', 'diff', word)
    const to = given(newerId, 'to')
    return { from: olderId === undefined ? neighbour(store, to, 'older') : given(olderId, 'from'), to }
  }
  const latest = (): RevisionRow => given(requirePage(pages, { asked, title }).page.latestId, 'to')
  const base = olderId === undefined ? latest() : given(olderId, 'from')
  if (word === 'prev' || olderId === undefined) return { from: neighbour(store, base, 'older'), to: base }
  if (word === 'next') return { from: base, to: neighbour(store, base, 'newer') ?? base }
  const ofPage = requirePageOf(store, base)
  return { from: base, to: given(ofPage.latestId, 'to') }
}

/** The revision next to another one in the history of its page. */
function neighbour(
  store: HttpContext['store'],
  revision: RevisionRow,
  side: 'older' | 'newer',
): RevisionRow | undefined {
  const place = side === 'older' ? { olderThan: revision } : { newerThan: revision }
  return store.lists.history(revision.pageId, { ...place, limit: 1 }).rows[0]
}

function inOrder({ from, to }: Sides): Sides {
  if (from === undefined || from.pageId !== to.pageId) return { from, to }
  const isNewer = from.timestamp > to.timestamp || (from.timestamp === to.timestamp && from.id > to.id)
  return isNewer ? { from: to, to: from } : { from, to }
}

/** The table of the compared lines, kept as the comparisons of the API are. */
function tableOf(
  from: number,
  to: number,
  { key, links }: Visit,
  { pool, comparisons }: HttpContext,
): Uint8Array | Promise<Uint8Array> {
  const name = `table ${from}:${to}`
  const ready = comparisons.get(name)
  if (ready !== undefined) return ready
  const path = links.comparison(key, to, from)
  return pool
    .run('comparisonTable', { from: { revisionId: from }, to: { revisionId: to }, path })
    .then((table) => {
      if (table === undefined) throw new HttpError('rest-compare-nonexistent', ['from'])
      comparisons.set(name, table)
      return table
    })
}

function answer(
  visit: Visit,
  context: HttpContext,
  { from, to }: Sides,
  table: Uint8Array | undefined,
): Reply {
  const { key } = visit
  const { store } = context
  const between = from === undefined ? 0 : store.countEditsBetween(from, to, MAX_BETWEEN)
  const head = comparisonHead({
    site: visit.site,
    links: visit.links,
    key,
    from: from && shownRevision(from, key, visit),
    to: shownRevision(to, key, visit),
    latestId: requirePageOf(store, to).latestId,
    between,
    isBetweenCut: between === MAX_BETWEEN,
    hasOlder: from !== undefined && neighbour(store, from, 'older') !== undefined,
    hasNewer: neighbour(store, to, 'newer') !== undefined,
    linkTo: linkTargets(visit, context),
  })
  const path =
    from === undefined ? visit.links.revision(key, to.id) : visit.links.comparison(key, to.id, from.id)
  const view = pageShell(visit, context, {
    path,
    selected: 'history',
    message: 'comparison-heading',
  })
  return sharedReply(visit, view, table === undefined ? [head] : [head, table])
}
