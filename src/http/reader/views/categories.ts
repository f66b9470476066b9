/** `Special:Categories`: all categories with members, whether they have pages or not. */
import { CATEGORY } from '../../../domain/namespaceIds.js'
import { prefixedKey } from '../../../domain/title.js'
import { parseTitle } from '../../../domain/title.js'
import { text } from '../../../reader/messages.js'
import { categoryIndex } from '../../../reader/views/category.js'
import { pageReply } from '../pageReply.js'
import type { VisitHandler } from '../visit.js'

const CATEGORIES_PER_PAGE = 100
const MAX_TEXT = 255

export const listCategories: VisitHandler = ({ query, site, namespaces, target, links }, { store }) => {
  const from = (query.get('from') ?? target).slice(0, MAX_TEXT)
  const until = query.get('until')?.slice(0, MAX_TEXT)
  const place = (typed: string): string => {
    const parsed = parseTitle(namespaces.keyPrefix(CATEGORY) + typed, namespaces)
    return parsed.ok ? parsed.title.dbkey : typed.replaceAll(' ', '_')
  }
  const list = store.categories.list({
    from: from === '' ? undefined : place(from),
    until: until ? place(until) : undefined,
    limit: CATEGORIES_PER_PAGE,
  })
  const categories = list.categories.map(({ dbkey, counts }) => ({
    key: prefixedKey({ namespace: CATEGORY, dbkey }, namespaces),
    name: dbkey.replaceAll('_', ' '),
    members: counts.subcategory + counts.page + counts.file,
    isMissing: store.getPage(CATEGORY, dbkey) === undefined,
  }))
  const { previousUntil, nextFrom } = list
  const view = {
    site,
    title: text('categories'),
    path: links.special('Categories'),
    isInterfaceContent: true,
  }
  const content = categoryIndex({
    links,
    categories,
    from,
    previous: previousUntil === undefined ? undefined : { until: previousUntil },
    next: nextFrom === undefined ? undefined : { from: nextFrom },
  })
  return pageReply(view, content)
}
