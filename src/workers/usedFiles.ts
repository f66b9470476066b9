/** The files that a page uses, those that its templates bring among them. */
import { mediaLinks } from '../render/mediaLinks.js'
import type { Store } from '../storage/store.js'
import type { PageExpander } from './pageExpander.js'
import { userNameOf } from './renderSource.js'

/**
 * Names of the files that the latest text of a page uses when its templates are expanded, whether they exist or not, in
 * their order; at most `limit`. `now` is in seconds since 1970.
 */
export function usedFiles(
  store: Store,
  expander: PageExpander,
  { pageId, limit, now }: { readonly pageId: number; readonly limit: number; readonly now: number },
): string[] {
  const page = store.getPageById(pageId)
  const latest = page && store.getRevision(page.latestId)
  if (page === undefined || latest?.contentModel !== 'wikitext') return []
  const { namespace, dbkey } = page
  const { id, timestamp } = latest
  const revision = { id, timestamp, userName: userNameOf(latest), sizeBytes: latest.sizeBytes ?? 0 }
  const text = store.getText(id) ?? ''
  const { preprocessor } = expander.begin({ title: { namespace, dbkey }, id: pageId, revision }, now)
  return mediaLinks(preprocessor.expand(text).wikitext, store.namespaces(), limit)
}
