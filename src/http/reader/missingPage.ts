/** The page for a title that has none: similar titles, a search, and the way to create it. */
import { prefixedText, type Title } from '../../domain/title.js'
import { FILE } from '../../domain/namespaceIds.js'
import { missingView, type Suggestion } from '../../reader/article/missing.js'
import { html } from '../../reader/html.js'
import { ColdRowError } from '../../storage/tables/coldReads.js'
import type { Reply } from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import { fileAbove, hasMembers, membersBelow, pageFrame } from './pageFrame.js'
import { leadTo, pageReply } from './pageReply.js'
import { keyInVariant } from './variants.js'
import type { Visit } from './visit.js'

const MAX_SUGGESTIONS = 8

/** Leads to the page if the wiki has it under the letters of another variant of its language. */
export function missingPage(visit: Visit, context: HttpContext): Reply | Promise<Reply> {
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
  const view = { site, title: name, path: links.page(key), ...(tabs && { tabs }), isInterfaceContent: true }
  const file = title.namespace === FILE ? fileAbove(title, visit, context) : undefined
  if (file !== undefined) return pageReply(view, html`${file}`)
  const members = hasMembers(title, context) ? membersBelow(title, visit, context) : undefined
  if (members !== undefined) return pageReply(view, members.html)
  const suggestions = similarTitles(name, title, context)
  const content = missingView({ links, name, key, suggestions, mayCreate: site.allowsEdits })
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
