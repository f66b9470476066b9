/** `?action=history`: revisions of a page, newest first. */
import { historyList } from '../../../reader/views/history.js'
import { requirePage, requireRevisionOfPage } from '../../views/lookup.js'
import { HttpError } from '../../reply/errors.js'
import { numberOf, type VisitHandler } from '../visit.js'
import { linkTargets, shownRevision } from './shownRevision.js'
import { pageShell, sharedReply } from './viewReply.js'

const REVISIONS_PER_SEGMENT = 50

/** Pages by `older_than` and `newer_than`, as the history of the API does. */
export const showHistory: VisitHandler = (visit, context) => {
  const { key, query, links } = visit
  const { store, pages } = context
  const olderThan = numberOf(query, 'older_than')
  const newerThan = numberOf(query, 'newer_than')
  if (olderThan !== undefined && newerThan !== undefined) {
    throw new HttpError('rest-pagehistory-incompatible-params')
  }
  const { pageId, latestId } = requirePage(pages, visit).page
  const anchorId = olderThan ?? newerThan
  const anchor =
    anchorId === undefined ? undefined : requireRevisionOfPage(store, anchorId, pageId, visit.asked)
  const segment = store.lists.history(pageId, {
    olderThan: olderThan === undefined ? undefined : anchor,
    newerThan: newerThan === undefined ? undefined : anchor,
    limit: REVISIONS_PER_SEGMENT,
  })
  const list = historyList({
    site: visit.site,
    links,
    key,
    revisions: segment.rows.map((row) => shownRevision(row, key, visit)),
    latestId,
    limit: REVISIONS_PER_SEGMENT,
    hasOlder: segment.hasOlder,
    hasNewer: segment.hasNewer,
    linkTo: linkTargets(visit, context),
  })
  const path = links.action(key, 'history', { older_than: olderThan, newer_than: newerThan })
  return sharedReply(
    visit,
    pageShell(visit, context, { path, selected: 'history', message: 'history-heading' }),
    [list],
  )
}
