/** The page itself: its latest HTML in the shell, or that of its target if it is a redirect. */
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { type Html, html } from '../../reader/html.js'
import { sentence } from '../../reader/messages.js'
import { HttpError } from '../reply/errors.js'
import type { Reply } from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import { requireRenderings } from '../views/html.js'
import { type Article, articleReply } from './article.js'
import { latestArticle } from './articleShell.js'
import { fileAbove, membersBelow, pageFrame } from './pageFrame.js'
import { missingPage } from './missingPage.js'
import { mayBeReady } from './readyShell.js'
import type { Visit, VisitHandler } from './visit.js'

export const viewPage: VisitHandler = (visit, context) => {
  requireRenderings(context)
  const page = context.pages.find(visit.title)
  if (page === undefined) return missingPage(visit, context)
  const { pageId, redirect } = page
  const isCurrent = context.pages.unchanged(visit.title, page)
  const followed =
    redirect && visit.query.get('redirect') !== 'no' ? followRedirect(pageId, visit, context) : undefined
  if (followed === undefined) return latest(visit, visit.title, { notices: [], isCurrent }, context)
  return latest(visit, followed.target, { notices: [redirectNotice(visit, followed)], isCurrent }, context)
}

function redirectNotice({ key, title, namespaces, links }: Visit, { target, section }: Followed): Html {
  const from = html`<a href="${links.page(key, { redirect: 'no' })}">${prefixedText(title, namespaces)}</a>`
  if (section === '') return sentence('redirected-from', from)
  const path = links.section(prefixedKey(target, namespaces), section)
  const name = section.replaceAll('_', ' ')
  // The script goes to the section.
  const link = html`<a href="${path}" data-redirect-section="${section}">${name}</a>`
  return sentence('redirected-to-section', from, link)
}

interface HowShown {
  readonly notices: readonly Html[]
  /** Whether the requested page, which may be a redirect, is as it was. */
  readonly isCurrent: () => boolean
}

/** The latest revision of a page that exists. Throws rest-source-hidden. */
function latest(visit: Visit, title: Title, how: HowShown, context: HttpContext): Reply | Promise<Reply> {
  const { namespaces, key: requested } = visit
  const page = context.pages.find(title)
  if (page === undefined) return missingPage(visit, context)
  if (page.textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const { pageId, latestId, latestTimestamp } = page
  const isUnchanged = context.pages.unchanged(title, page)
  const frame = pageFrame(title, 'read', visit, context, true)
  const members = membersBelow(title, visit, context)
  const key = prefixedKey(title, namespaces)
  const facts = { title, key, lastChanged: latestTimestamp, frame }
  const staysOnRedirect = visit.query.get('redirect') === 'no'
  const isUsual = mayBeReady(title) && requested === key && !staysOnRedirect && how.notices.length === 0
  const above = title.namespace === FILE ? fileAbove(title, visit, context) : undefined
  const article: Article = {
    revisionId: latestId,
    pageId,
    shown: () => ({
      ...latestArticle(facts, visit, how.notices),
      path: visit.links.page(requested, { ...(staysOnRedirect && { redirect: 'no' }), ...members?.query }),
      above,
      below: members?.html,
    }),
    latest: isUsual ? facts : undefined,
    isCurrent: () => how.isCurrent() && isUnchanged() && frame.isCurrent() && members?.isCurrent() !== false,
  }
  return articleReply(article, visit, context)
}

interface Followed {
  readonly target: Title
  /** Id of a section of the target; empty if the redirect names none. */
  readonly section: string
}

/**
 * The target of a redirect: one step, to a page of this wiki that exists. Undefined for a page that leads elsewhere,
 * which is shown as it is.
 */
export function followRedirect(
  pageId: number,
  { namespaces }: Visit,
  { store, pages }: HttpContext,
): Followed | undefined {
  const link = store.getPageById(pageId)?.redirectTarget
  const parsed = link === undefined ? undefined : parseTitle(link, namespaces)
  if (parsed?.ok !== true || pages.find(parsed.title) === undefined) return undefined
  return { target: parsed.title, section: parsed.fragment.replaceAll(' ', '_') }
}
