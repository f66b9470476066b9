/** Table of contents of the pages for readers: special pages by name, and actions on a page. */
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
