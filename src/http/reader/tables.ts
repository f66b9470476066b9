/** Table of contents of the pages for readers: special pages by name, and actions on a page. */
import { SPECIAL } from '../../domain/namespaceIds.js'
import type { Title } from '../../domain/title.js'
import { text } from '../../reader/messages.js'
import { problemPage } from './pageReply.js'
import type { FormHandler, VisitHandler } from './visit.js'
import { previewPage } from './preview.js'
import { viewRevision } from './oldRevision.js'
import {
  listCategories,
  showAllPages,
  showRandom,
  showRecentChanges,
  showSpecialPages,
  showStatistics,
} from './views/lists.js'
import { viewPage } from './view.js'
import { logIn, logOut, showLogin, showLogout } from './views/account.js'
import { showComparison } from './views/comparison.js'
import { showEdit } from './views/edit.js'
import { showHistory } from './views/history.js'
import { showRaw } from './views/source.js'
import { showSearch } from './views/search.js'
import { submitEdit } from './views/submit.js'

/** Special pages by their English name in lower case: names are the same in any case, with blanks or underscores. */
export const SPECIAL_PAGES: ReadonlyMap<string, VisitHandler> = new Map([
  ['allpages', showAllPages],
  ['categories', listCategories],
  ['random', showRandom],
  ['recentchanges', showRecentChanges],
  ['search', showSearch],
  ['specialpages', showSpecialPages],
  ['statistics', showStatistics],
  ['userlogin', showLogin],
  ['userlogout', showLogout],
])

/** Forms of special pages, and those of other pages by action. */
export const SPECIAL_FORMS: ReadonlyMap<string, FormHandler> = new Map([
  ['userlogin', logIn],
  ['userlogout', logOut],
])
export const PAGE_FORMS: ReadonlyMap<string, FormHandler> = new Map([['submit', submitEdit]])

/** Handlers of a page's views by action. `diff` and `oldid` are parameters of their own. */
export const PAGE_ACTIONS: ReadonlyMap<string, VisitHandler> = new Map([
  ['view', viewPage],
  ['oldid', viewRevision],
  ['preview', previewPage],
  ['diff', showComparison],
  ['edit', showEdit],
  ['history', showHistory],
  ['raw', showRaw],
  // A form that was sent again without its fields, such as from a bookmark.
  ['submit', showEdit],
])

/** The action that a query asks for. */
export function actionOf(query: URLSearchParams): string {
  const action = query.get('action') ?? 'view'
  if (action !== 'view') return action
  if (query.has('diff')) return 'diff'
  return query.has('oldid') ? 'oldid' : 'view'
}

/** The page that a visit asks for, or one that says why there is none. */
export const pageAnswer: VisitHandler = (visit, context) => {
  const { title, query, asked, site } = visit
  const isSpecial = title.namespace < 0
  const handler = isSpecial ? specialPage(title) : PAGE_ACTIONS.get(actionOf(query))
  if (handler !== undefined) return handler(visit, context)
  if (isSpecial) return problemPage(site, 404, text('no-special-page', asked))
  return problemPage(site, 400, text('no-action', query.get('action') ?? actionOf(query)))
}

function specialPage({ namespace, dbkey }: Title): VisitHandler | undefined {
  if (namespace !== SPECIAL) return undefined
  return SPECIAL_PAGES.get(specialName({ dbkey }))
}

/** Name of a special page as the tables have it, without the part after the slash. */
export const specialName = ({ dbkey }: Pick<Title, 'dbkey'>): string =>
  dbkey.replace(/\/.*$/s, '').replaceAll('_', '').toLowerCase()
