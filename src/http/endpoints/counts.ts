/** History counts: spec 4.13. */
import type { PageCounts, RevisionRow } from '../../storage/store.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { requirePage, requireRevision } from '../views/lookup.js'
import { ref } from '../openapi/schemas.js'
import { type Integer, integer, oneOf, optional, pageTitle } from '../request/params.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'

/** Highest number of each count. Above it, `minor` fails and the others stop counting. */
const CAPS = {
  edits: 30_000,
  editors: 25_000,
  anonymous: 10_000,
  bot: 10_000,
  minor: 2000,
  reverted: 30_000,
} as const satisfies Partial<Record<keyof PageCounts, number>>
type CountType = keyof typeof CAPS

const DEPRECATED_TYPES = { anonedits: 'anonymous', botedits: 'bot', revertededits: 'reverted' } as const
const TYPES = [...keysOf(CAPS), ...keysOf(DEPRECATED_TYPES)] as const

/** Number of revisions that an editor count may read on the event loop. Each takes less than a microsecond. */
const MAX_ROWS_INLINE = 1000

const CACHE = headerLines({ 'Cache-Control': 'max-age=60' })
const DEPRECATION = headerLines({
  Deprecation: 'version="v1"',
  Link: '<https://www.mediawiki.org/wiki/API:REST/History_API#Get_page_history_counts>; rel="deprecation"',
})

/** Answers the number of revisions or editors of a page, or of those strictly between two of its revisions. */
export const getHistoryCount = defineRoute({
  method: 'GET',
  path: '/page/{title}/history/counts/{type}',
  doc: {
    id: 'getPageHistoryCount',
    tag: 'History',
    summary: 'Count the revisions of a page, or their editors',
    description: 'With `from` and `to`, which `edits` and `editors` take: only those between two revisions.',
    answer: { description: 'The count', schema: ref('HistoryCount') },
    errors: [
      'rest-pagehistorycount-parameters-invalid',
      'rest-nonexistent-title',
      'rest-nonexistent-revision',
      'rest-pagehistorycount-too-many-revisions',
      ...POOL_ERRORS,
    ],
  },
  params: {
    title: pageTitle(),
    type: oneOf(TYPES, 'what to count; anonedits, botedits and revertededits are old names'),
  },
  query: {
    from: optional(integer('id of a revision of the page; only with `to`')),
    to: optional(integer('id of a revision of the page; only with `from`')),
  },
  handler({ params, query, request }, { pages, store, pool }) {
    const deprecated = params.type in DEPRECATED_TYPES
    const type = countType(params.type)
    const range = requestedRange(type, query.from, query.to)

    const { page, title } = requirePage(pages, params.title)
    const { pageId, latestTimestamp } = page
    const lastModified = Math.max(latestTimestamp, store.hidingTime(pageId))
    const headers = CACHE + (deprecated ? DEPRECATION : '')
    const isCurrent = pages.historyUnchanged(title, page)
    const answer = (found: number): Reply => {
      const limit = found > CAPS[type]
      const count = limit ? CAPS[type] : found
      // The tag is the content: imports and new bots change a count without a new time.
      const etag = `"${count}${limit ? '+' : ''}"`
      const validators = { etag, lastModified, mayBeNewer: true }
      return conditionally<Reply>(request.conditions, validators, () =>
        reusable(json({ count, limit }, validators, headers), { validators, isCurrent }),
      )
    }
    if (range === undefined) return answer(wholeCount(type, store.pageCounts(pageId)))
    const from = requireRevisionIn(store, range.from, pageId)
    const to = requireRevisionIn(store, range.to, pageId)
    if (type === 'edits') return answer(store.countEditsBetween(from, to, CAPS.edits + 1))
    const cap = CAPS.editors + 1
    const count = store.countEditorsBetween(from, to, cap, MAX_ROWS_INLINE)
    if (count !== undefined) return answer(count)
    return pool.run('countEditorsBetween', { a: placeOf(from), b: placeOf(to), cap }).then(answer)
  },
})

/**
 * The requested range; undefined without revisions, or when both are 0. Throws rest-pagehistorycount-parameters-invalid
 * when one is missing, and for types without ranges.
 */
function requestedRange(
  type: CountType,
  from: Integer | undefined,
  to: Integer | undefined,
): { readonly from: Integer; readonly to: Integer } | undefined {
  const [start, end] = [from ?? 0, to ?? 0]
  if (start === 0 && end === 0) return undefined
  if (start === 0 || end === 0 || (type !== 'edits' && type !== 'editors')) {
    throw new HttpError('rest-pagehistorycount-parameters-invalid')
  }
  return { from: start, to: end }
}

/** The count of the whole page; throws rest-pagehistorycount-too-many-revisions for minor edits above their cap. */
function wholeCount(type: CountType, counts: PageCounts): number {
  const count = counts[type]
  if (type === 'minor' && count > CAPS.minor) throw new HttpError('rest-pagehistorycount-too-many-revisions')
  return count
}

/** A revision of the page; throws rest-nonexistent-revision, also for revisions of other pages. */
function requireRevisionIn(store: HttpContext['store'], id: Integer, pageId: number): RevisionRow {
  const revision = requireRevision(store, id)
  if (revision.pageId !== pageId) throw new HttpError('rest-nonexistent-revision', [id])
  return revision
}

function placeOf({ id, pageId, timestamp }: RevisionRow): { id: number; pageId: number; timestamp: number } {
  return { id, pageId, timestamp }
}

function countType(type: (typeof TYPES)[number]): CountType {
  return type === 'anonedits' || type === 'botedits' || type === 'revertededits'
    ? DEPRECATED_TYPES[type]
    : type
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[]
}
