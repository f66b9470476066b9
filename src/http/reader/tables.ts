/** Table of contents of the pages for readers: special pages by name, and actions on a page. */
import { SPECIAL } from '../../domain/namespaceIds.js'
import { SpecialPages } from '../../domain/specialPages.js'
import { text } from '../../reader/messages.js'
import { problemPage } from './pageReply.js'
import type { FormHandler, Visit, VisitHandler } from './visit.js'
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
import { showContributions, showNewPages, showRelatedChanges } from './views/changes.js'
import { showCitation, showPageInfo } from './views/pageFacts.js'
import { viewPage } from './view.js'
import {
  createAccount,
  logIn,
  logOut,
  showCreation,
  showLogin,
  showLogout,
  showOwnChanges,
} from './views/account.js'
import { showComparison } from './views/comparison.js'
import { showEdit } from './views/edit.js'
import { showListFiles, showLog, showPermanentLink, showPrefixIndex, showVersion } from './views/special.js'
import { showHistory } from './views/history.js'
import { showRaw } from './views/source.js'
import { showSearch } from './views/search.js'
import { showWhatLinksHere } from './views/whatLinksHere.js'
import { submitEdit } from './views/submit.js'

/** Special pages by MediaWiki's names for them, which have names in each language. */
export const SPECIAL_PAGES: ReadonlyMap<string, VisitHandler> = new Map([
  ['Allpages', showAllPages],
  ['Categories', listCategories],
  ['CiteThisPage', showCitation],
  ['Contributions', showContributions],
  ['CreateAccount', showCreation],
  ['Listfiles', showListFiles],
  ['Log', showLog],
  ['Mycontributions', showOwnChanges],
  ['Newpages', showNewPages],
  ['PermanentLink', showPermanentLink],
  ['Prefixindex', showPrefixIndex],
  ['Randompage', showRandom],
  ['Recentchanges', showRecentChanges],
  ['Recentchangeslinked', showRelatedChanges],
  ['Search', showSearch],
  ['Specialpages', showSpecialPages],
  ['Statistics', showStatistics],
  ['Userlogin', showLogin],
  ['Userlogout', showLogout],
  ['Version', showVersion],
  ['Whatlinkshere', showWhatLinksHere],
])

/** Forms of special pages, and those of other pages by action. */
export const SPECIAL_FORMS: ReadonlyMap<string, FormHandler> = new Map([
  ['CreateAccount', createAccount],
  ['Userlogin', logIn],
  ['Userlogout', logOut],
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
  ['info', showPageInfo],
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
  const handler = isSpecial ? specialPage(visit) : PAGE_ACTIONS.get(actionOf(query))
  if (handler !== undefined) return handler(visit, context)
  if (isSpecial) return problemPage(site, 404, text('no-special-page', asked))
  return problemPage(site, 400, text('no-action', query.get('action') ?? actionOf(query)))
}

const specialPage = (visit: Visit): VisitHandler | undefined => SPECIAL_PAGES.get(specialName(visit))

/** MediaWiki's name for the special page of a visit; empty for other pages, and for an unknown one. */
export function specialName({ title, wiki }: Pick<Visit, 'title' | 'wiki'>): string {
  return title.namespace === SPECIAL ? (SpecialPages.of(wiki.site).named(title.dbkey) ?? '') : ''
}
