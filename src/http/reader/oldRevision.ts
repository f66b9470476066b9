/** A revision of a page by its id, with a notice that it may not be the latest. */
import { prefixedKey, prefixedText } from '../../domain/title.js'
import { html } from '../../reader/html.js'
import { sentence, text } from '../../reader/messages.js'
import { timeElement } from '../../reader/parts/time.js'
import { HttpError } from '../reply/errors.js'
import type { RevisionRow } from '../../storage/store.js'
import { requireRenderings } from '../views/html.js'
import { requirePageOf, requireRevision } from '../views/lookup.js'
import { articleReply } from './article.js'
import { pageFrame } from './pageFrame.js'
import { leadTo, problemPage } from './pageReply.js'
import type { Visit, VisitHandler } from './visit.js'

/** Throws rest-nonexistent-revision, and rest-permission-denied-revision for a hidden text. */
export const viewRevision: VisitHandler = (visit, context) => {
  requireRenderings(context)
  const asked = visit.query.get('oldid') ?? ''
  if (!/^\d{1,10}$/.test(asked)) return problemPage(visit.site, 400, text('bad-revision', asked))
  const { store, pages } = context
  const revision = requireRevision(store, Number(asked))
  const page = requirePageOf(store, revision)
  const title = { namespace: page.namespace, dbkey: page.dbkey }
  const key = prefixedKey(title, visit.namespaces)
  if (key !== visit.key) return leadTo(visit.links.revision(key, revision.id))
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  const row = pages.find(title)
  if (row === undefined) throw new HttpError('rest-nonexistent-revision', [revision.id])
  const [isUnchanged, isSamePast] = [pages.unchanged(title, row), store.watchPast()]
  const frame = pageFrame(title, 'read', visit, context)
  const notices = [noticeOf(revision, page.latestId, visit)]
  const article = {
    revisionId: revision.id,
    pageId: page.pageId,
    shown: () => ({
      key,
      name: prefixedText(title, visit.namespaces),
      path: visit.links.revision(key, revision.id),
      view: { ...frame.view(), notices, isListed: false },
    }),
    isCurrent: () => isUnchanged() && isSamePast() && frame.isCurrent(),
  }
  return articleReply(article, visit, context)
}

/** The JSON of a revision as histories have it. */
interface ShownRevision {
  readonly user: { readonly name: string } | null
}

function noticeOf({ id, timestamp, json }: RevisionRow, latestId: number, { key, links, site }: Visit) {
  const { user } = JSON.parse(json.toString()) as ShownRevision
  const name = html`<bdi>${user?.name ?? text('user-hidden')}</bdi>`
  const time = timeElement(timestamp, site.formats)
  if (id === latestId)
    return sentence('latest-revision', time, name, html`<a href="${links.page(key)}">${text('the-page')}</a>`)
  return html`${sentence('old-revision', time, name)}
    <a href="${links.comparison(key, 'prev', id)}" rel="nofollow">${text('change-of-revision')}</a> ·
    <a href="${links.comparison(key, 'cur', id)}" rel="nofollow">${text('changes-since')}</a> ·
    <a href="${links.page(key)}">${text('latest-version')}</a>`
}
