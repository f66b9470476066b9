/** The text of a page with expanded templates, for reading its links. */
import type { Store } from '../../storage/store.js'
import type { PageExpander } from './pageExpander.js'
import { userNameOf } from './renderSource.js'

const TEMPLATE_START = '{{'

/**
 * The latest text of a page with expanded templates. Empty for other content models, hidden texts and unknown pages.
 * `now` is in seconds since 1970.
 */
export function expandedPage(store: Store, expander: PageExpander, pageId: number, now: number): string {
  const page = store.getPageById(pageId)
  const latest = page && store.getRevision(page.latestId)
  if (page === undefined || latest?.contentModel !== 'wikitext') return ''
  const { namespace, dbkey } = page
  const { id, timestamp } = latest
  const text = store.getText(id) ?? ''
  if (!text.includes(TEMPLATE_START)) return text
  const revision = { id, timestamp, userName: userNameOf(latest), sizeBytes: latest.sizeBytes ?? 0 }
  const { preprocessor } = expander.begin({ title: { namespace, dbkey }, id: pageId, revision }, now)
  return preprocessor.expand(text).wikitext
}
