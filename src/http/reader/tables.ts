/** Table of contents of the pages for readers: special pages by name, and actions on a page. */
import type { VisitHandler } from './visit.js'
import { previewPage } from './preview.js'
import { viewRevision } from './oldRevision.js'
import { viewPage } from './view.js'
import { showComparison } from './views/comparison.js'
import { showHistory } from './views/history.js'
import {
  showAllPages,
  showRandom,
  showRecentChanges,
  showSpecialPages,
  showStatistics,
} from './views/lists.js'
import { showRaw } from './views/raw.js'
import { showSearch } from './views/search.js'

/** Special pages by their English name in lower case: names are the same in any case, with blanks or underscores. */
export const SPECIAL_PAGES: ReadonlyMap<string, VisitHandler> = new Map([
  ['allpages', showAllPages],
  ['random', showRandom],
  ['recentchanges', showRecentChanges],
  ['search', showSearch],
  ['specialpages', showSpecialPages],
  ['statistics', showStatistics],
])

/** Handlers of a page's views by action. `diff` and `oldid` are parameters of their own. */
export const PAGE_ACTIONS: ReadonlyMap<string, VisitHandler> = new Map([
  ['view', viewPage],
  ['oldid', viewRevision],
  ['preview', previewPage],
  ['diff', showComparison],
  ['history', showHistory],
  ['raw', showRaw],
])

/** The action that a query asks for. */
export function actionOf(query: URLSearchParams): string {
  const action = query.get('action') ?? 'view'
  if (action !== 'view') return action
  if (query.has('diff')) return 'diff'
  return query.has('oldid') ? 'oldid' : 'view'
}
