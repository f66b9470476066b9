/** The beginning of a page, which scripts show when a reader points at a link. */
import { decodeOutline } from '../../domain/outline.js'
import { HttpError } from '../reply/errors.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { withHtml } from '../views/html.js'
import { followRedirect } from './view.js'
import type { VisitHandler } from './visit.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=300' })

/** JSON: `text`, and `picture` if there is one. Throws as the page itself does. */
export const previewPage: VisitHandler = (visit, context) => {
  const { pages } = context
  const asked = pages.find(visit.title)
  const target = asked?.redirect === true ? followRedirect(asked.pageId, visit, context)?.target : undefined
  const title = target ?? visit.title
  const page = pages.find(title)
  if (page === undefined) throw new HttpError('rest-nonexistent-title', [visit.asked])
  if (page.textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const [isUnchanged, isSameTitle] = [
    pages.unchanged(title, page),
    pages.unchanged(visit.title, asked ?? page),
  ]
  const { request } = visit
  const html = { revisionId: page.latestId, request, isCurrent: () => isUnchanged() && isSameTitle() }
  return withHtml<Reply>(html, context, ({ outline, tag, madeAt, lifetime }) => {
    const validators = { etag: `"preview-${tag}"`, lastModified: madeAt, mayBeNewer: true }
    return conditionally<Reply>(visit.request.conditions, validators, () => {
      const { lead, picture } = decodeOutline(outline)
      const reply = json({ text: lead, ...(picture !== undefined && { picture }) }, validators, CACHE)
      return lifetime === undefined ? reply : reusable(reply, { validators, ...lifetime })
    })
  })
}
