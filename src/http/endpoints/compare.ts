/** Comparison of two revisions (spec 4.15). */
import type { RevisionRow, Store } from '../../storage/store.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { findRevision, requireComparable, requireTextModel } from '../views/lookup.js'
import { ref } from '../openapi/schemas.js'
import { type Integer, integer } from '../request/params.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=5' })

/**
 * Answers the line differences between two revisions of a page, as wikidiff2 gives them. A comparison never changes, so
 * the server keeps it. A revision may be hidden later, so clients must revalidate their copy by its tag.
 */
export const getComparison = defineRoute({
  method: 'GET',
  path: '/revision/{from}/compare/{to}',
  doc: {
    id: 'compareRevisions',
    tag: 'Revisions',
    summary: 'Compare two revisions of a page, line by line and word by word',
    description:
      'Offsets and lengths count bytes of UTF-8. Unchanged lines are left out but for two around each change.',
    answer: { description: 'The lines that differ, with some around them', schema: ref('Comparison') },
    errors: [
      'rest-compare-wikidiff2',
      'rest-compare-nonexistent',
      'rest-compare-inaccessible',
      'rest-compare-page-mismatch',
      'rest-compare-wrong-content',
      ...POOL_ERRORS,
    ],
  },
  params: {
    from: integer('id of the revision to compare from'),
    to: integer('id of the revision to compare to'),
  },
  handler({ params, request, wiki }, { store, comparer, config, comparisons }) {
    if (!config.diff) throw new HttpError('rest-compare-wikidiff2')
    const from = requireRevision(store, params.from, 'from')
    const to = requireRevision(store, params.to, 'to')
    if (from.pageId !== to.pageId) throw new HttpError('rest-compare-page-mismatch')
    requireTextModel(from, 'from')
    requireTextModel(to, 'to')
    const validators = { etag: wiki.comparisonTag(from.id, to.id), lastModified: undefined }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () => {
      const reuse = { validators, isCurrent: store.watchPast() }
      const answer = (body: Uint8Array): Reply => reusable(json(body, validators, CACHE), reuse)
      const key = `${from.id}:${to.id}`
      const ready = comparisons.get(key)
      if (ready !== undefined) return answer(ready)
      return comparer.compare(from, to).then((body) => {
        if (body === undefined) throw new HttpError('rest-compare-nonexistent', ['from'])
        comparisons.set(key, body)
        return answer(body)
      })
    })
  },
})

function requireRevision(store: Pick<Store, 'getRevision'>, id: Integer, name: string): RevisionRow {
  const revision = findRevision(store, id)
  if (revision === undefined) throw new HttpError('rest-compare-nonexistent', [name])
  requireComparable(revision, name)
  return revision
}
