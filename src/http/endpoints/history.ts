/** Page history: spec 4.12. */
import { HISTORY_FILTERS } from '../../domain/revision.js'
import { prefixedKey } from '../../domain/title.js'
import { bodyDigest, listBody } from '../reply/bodies.js'
import { HttpError } from '../reply/errors.js'
import { requirePage, requireRevisionOfPage } from '../views/lookup.js'
import { ref } from '../openapi/schemas.js'
import { integer, oneOf, optional, pageTitle } from '../request/params.js'
import { encodePercent } from '../../domain/percent.js'
import { conditionally, json, reusable } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

const REVISIONS_PER_SEGMENT = 20

/** Answers one segment of a history, newest revision first, with links to its neighbours. */
export const getHistory = defineRoute({
  method: 'GET',
  path: '/page/{title}/history',
  doc: {
    id: 'getPageHistory',
    tag: 'History',
    summary: 'List revisions of a page, newest first',
    description: '`older_than` and `newer_than` cannot go together. Follow `older` and `newer` to read on.',
    answer: {
      description: 'Up to 20 revisions, with links to their neighbours',
      schema: ref('HistorySegment'),
    },
    errors: [
      'rest-pagehistory-incompatible-params',
      'rest-pagehistory-param-range-error',
      'rest-nonexistent-title',
      'rest-nonexistent-title-revision',
    ],
  },
  params: { title: pageTitle() },
  query: {
    older_than: optional(integer('id of a revision: only older ones')),
    newer_than: optional(integer('id of a revision: only newer ones')),
    filter: optional(oneOf(HISTORY_FILTERS, 'only revisions of this kind')),
  },
  handler({ params, query, request, wiki }, { pages, store }) {
    const { older_than: olderThan, newer_than: newerThan, filter } = query
    const anchorId = olderThan ?? newerThan
    if (olderThan !== undefined && newerThan !== undefined) {
      throw new HttpError('rest-pagehistory-incompatible-params')
    }
    if (anchorId !== undefined && anchorId < 1) throw new HttpError('rest-pagehistory-param-range-error')

    const { page, title } = requirePage(pages, params.title)
    const { pageId, latestId, latestTimestamp } = page
    const isCurrent = pages.historyUnchanged(title, page)
    const anchor =
      anchorId === undefined ? undefined : requireRevisionOfPage(store, anchorId, pageId, params.title.asked)
    const segment = store.listRevisions(pageId, {
      olderThan: olderThan === undefined ? undefined : anchor,
      newerThan: newerThan === undefined ? undefined : anchor,
      filter,
      limit: REVISIONS_PER_SEGMENT,
    })
    const { revisions, newestId, oldestId, hasOlder, hasNewer } = segment
    const route = `${request.baseUrl()}/v1/page/${encodePercent(prefixedKey(title, wiki.namespaces))}/history`
    const links = {
      latest: link(route, filter),
      // An empty segment has no revision to start a neighbour from.
      ...(oldestId !== undefined && hasOlder && { older: link(route, filter, `older_than=${oldestId}`) }),
      ...(newestId !== undefined && hasNewer && { newer: link(route, filter, `newer_than=${newestId}`) }),
    }
    const body = listBody('revisions', revisions, links)
    // Hiding and imports change older revisions, so the tag depends on the segment's content.
    const etag = `"${latestId}.${bodyDigest(body)}"`
    const validators = { etag, lastModified: latestTimestamp, mayBeNewer: true }
    return conditionally(request.conditions, validators, () =>
      reusable(json(body, validators), { validators, isCurrent, namesHost: true }),
    )
  },
})

/** A URL of the history, with its filter and the start of the segment. */
function link(route: string, filter: string | undefined, place?: string): string {
  const query = [filter === undefined ? undefined : `filter=${filter}`, place].filter(
    (part) => part !== undefined,
  )
  return query.length === 0 ? route : `${route}?${query.join('&')}`
}
