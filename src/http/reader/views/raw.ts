/** `?action=raw`: the source of a page, or of one of its revisions, as plain text. */
import { MAX_INLINE_BYTES } from '../../../workers/compute/inline.js'
import { HttpError } from '../../reply/errors.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { requirePage, requireRevision, requireRevisionOfPage } from '../../views/lookup.js'
import type { VisitHandler } from '../visit.js'
import { numberOf } from './parameters.js'

/** Browsers must not run anything. Every answer of the server forbids them to guess its type. */
const HEADERS = headerLines({
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-cache',
})

export const showRaw: VisitHandler = (visit, context) => {
  const { store, pages } = context
  const { page } = requirePage(pages, visit)
  const { pageId, latestId, textHidden } = page
  const asked = numberOf(visit.query, 'oldid')
  if (asked === undefined && textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const revision =
    asked === undefined
      ? requireRevision(store, latestId)
      : requireRevisionOfPage(store, asked, pageId, visit.asked)
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  const validators = { etag: visit.wiki.revisionTag(revision.id, {}), lastModified: revision.timestamp }
  return conditionally<Reply | Promise<Reply>>(visit.request.conditions, validators, () => {
    const answer = (body: Uint8Array): Reply =>
      reusable({ status: 200, headers: HEADERS + validatorLines(validators), body }, { validators })
    const bytes = sourceBytes(revision, context)
    return bytes instanceof Promise ? bytes.then(answer) : answer(bytes)
  })
}

/** The text of a revision as UTF-8. A compute thread reads long ones. Throws rest-nonexistent-revision. */
function sourceBytes(
  { id, sizeBytes }: { readonly id: number; readonly sizeBytes: number | undefined },
  { store, pool }: Pick<HttpContext, 'store' | 'pool'>,
): Uint8Array | Promise<Uint8Array> {
  const require = <Text>(text: Text | undefined): Text => {
    if (text === undefined) throw new HttpError('rest-nonexistent-revision', [id])
    return text
  }
  if (sizeBytes !== undefined && sizeBytes <= MAX_INLINE_BYTES.olderText) {
    return Buffer.from(require(store.getText(id)))
  }
  return pool.run('textBytes', { of: { revisionId: id }, form: 'plain' }).then(require)
}
