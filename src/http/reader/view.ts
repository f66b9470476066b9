/** The page itself: its latest HTML in the shell, or that of its target if it is a redirect. */
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { type Html, html } from '../../reader/html.js'
import { sentence, word } from '../../reader/messages.js'
import { HttpError } from '../reply/errors.js'
import type { Reply } from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import { requireRenderings } from '../views/html.js'
import { type Article, articleReply } from './article.js'
import { latestArticle } from './articleShell.js'
import { fileAbove, membersBelow, pageFrame, hasMembers } from './pageFrame.js'
import { mayBeReady } from './readyShell.js'
import type { Visit, VisitHandler } from './visit.js'
import { missingView, type Suggestion } from '../../reader/article/missing.js'
import { ColdRowError } from '../../storage/tables/coldReads.js'
import { leadTo, pageReply } from './pageReply.js'
import { keyInVariant, shownName, shownText, shownTitle } from './variants.js'

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

function redirectNotice(visit: Visit, { target, section }: Followed): Html {
  const { key, title, namespaces, links, site } = visit
  const from = html`<a href="${links.page(key, { redirect: 'no' })}">${shownTitle(title, visit)}</a>`
  if (section === '') return html`${word(site, 'redirected-from', from)}`
  const path = links.section(prefixedKey(target, namespaces), section)
  const name = shownText(section.replaceAll('_', ' '), visit)
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

// The page for a title that has none: similar titles, a search, and the way to create it.

const MAX_SUGGESTIONS = 8

/** Leads to the page if the wiki has it under the letters of another variant of its language. */
function missingPage(visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { title, wiki } = visit
  if (wiki.variants === undefined || title.namespace < 0) return pageOfMissing(visit, context)
  return keyInVariant(title, visit, context).then((key) =>
    key === undefined ? pageOfMissing(visit, context) : leadTo(visit.links.page(key)),
  )
}

function pageOfMissing(visit: Visit, context: HttpContext): Reply {
  const { title, key, site, namespaces, links } = visit
  const name = prefixedText(title, namespaces)
  const { tabs } = pageFrame(title, 'read', visit, context).view()
  const shown = shownName(name, visit)
  const view = { site, title: shown, path: links.page(key), ...(tabs && { tabs }), isInterfaceContent: true }
  const file = title.namespace === FILE ? fileAbove(title, visit, context) : undefined
  if (file !== undefined) return pageReply(view, html`${file}`)
  const members = hasMembers(title, context) ? membersBelow(title, visit, context) : undefined
  if (members !== undefined) return pageReply(view, members.html)
  const suggestions = similarTitles(name, title, context).map((suggestion) => ({
    ...suggestion,
    title: shownName(suggestion.title, visit),
    description: suggestion.description && shownText(suggestion.description, visit),
  }))
  const content = missingView({ links, name, shown, key, suggestions, mayCreate: site.allowsEdits })
  return pageReply(view, content, { status: 404 })
}

interface FoundPages {
  readonly pages: readonly {
    readonly key: string
    readonly title: string
    readonly description: string | null
  }[]
}

/** Titles that begin so, and pages with these words if the search has time for it in this turn of the event loop. */
function similarTitles(name: string, { namespace }: Title, context: HttpContext): Suggestion[] {
  const { store, log } = context
  if (store.search.condition() !== 'ready') return []
  const request = { text: name, limit: MAX_SUGGESTIONS, namespaces: [namespace] }
  try {
    const completed = store.search.complete(request)
    const found = store.search.answerInTurn(store.search.parse(request), MAX_SUGGESTIONS, () => undefined)
    return [completed, found?.toString() ?? '{"pages":[]}']
      .flatMap((json) => (JSON.parse(json) as FoundPages).pages)
      .filter(({ key }, n, all) => all.findIndex((other) => other.key === key) === n)
      .slice(0, MAX_SUGGESTIONS)
  } catch (error) {
    if (error instanceof ColdRowError) throw error
    log.error({ err: error }, 'a search for similar titles failed')
    return []
  }
}
