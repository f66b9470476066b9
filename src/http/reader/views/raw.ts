/** `?action=raw`: the source of a page, or of one of its revisions, as plain text. */
import { HttpError } from '../../reply/errors.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../../reply/reply.js'
import { requirePage, requireRevision, requireRevisionOfPage } from '../../views/lookup.js'
import { numberOf, type VisitHandler } from '../visit.js'
import { sourceBytes } from './texts.js'

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
