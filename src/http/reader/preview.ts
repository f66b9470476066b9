/** The beginning of a page, which scripts show when a reader points at a link. */
import { decodeOutline, type Outline } from '../../domain/outline.js'
import { HttpError } from '../reply/errors.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { withHtml } from '../views/html.js'
import { readVariant, shownVariant } from './variants.js'
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
  return withHtml<Reply | Promise<Reply>>(html, context, (ready) => {
    const { outline, tag, madeAt, lifetime } = ready
    const variant = shownVariant(ready, visit)
    const validators = {
      etag: `"preview-${tag}${variant === undefined ? '' : `-${variant}`}"`,
      lastModified: madeAt,
      mayBeNewer: true,
    }
    const answer = ({ lead, picture }: Outline): Reply => {
      const body = { text: lead, ...(picture !== undefined && { picture }) }
      const reply = json(body, validators, CACHE + visit.vary)
      return lifetime === undefined ? reply : reusable(reply, { validators, ...lifetime })
    }
    return conditionally<Reply | Promise<Reply>>(visit.request.conditions, validators, () =>
      variant === undefined
        ? answer(decodeOutline(outline))
        : readVariant(ready, { variant, name: '' }, visit, context).then((made) => answer(made.outline)),
    )
  })
}
