/** The text of a page with expanded templates, for reading its links. */
import { SCRIBUNTO } from '../../domain/contentModel.js'
import type { Title } from '../../domain/title.js'
import { documentationWikitext } from '../../render/moduleDocumentation.js'
import type { Store } from '../../storage/store.js'
import type { PageExpander } from './pageExpander.js'
import { userNameOf } from './renderSource.js'

const TEMPLATE_START = '{{'

/**
 * The latest text of a page with expanded templates; for a module, its documentation. Empty for other content models,
 * hidden texts and unknown pages. `now` is in seconds since 1970.
 */
export function expandedPage(store: Store, expander: PageExpander, pageId: number, now: number): string {
  const page = store.getPageById(pageId)
  const latest = page && store.getRevision(page.latestId)
  if (page === undefined || latest === undefined) return ''
  const title: Title = { namespace: page.namespace, dbkey: page.dbkey }
  const { id, timestamp, contentModel } = latest
  const text = linkedText(store, title, contentModel, store.getText(id) ?? '')
  if (!text.includes(TEMPLATE_START)) return text
  const revision = { id, timestamp, userName: userNameOf(latest), sizeBytes: latest.sizeBytes ?? 0 }
  const { preprocessor } = expander.begin({ title, id: pageId, revision }, now)
  return preprocessor.expand(text).wikitext
}

/** The wikitext that has the page's links. */
function linkedText(store: Store, title: Title, contentModel: string, text: string): string {
  if (contentModel === 'wikitext') return text
  if (contentModel !== SCRIBUNTO) return ''
  const pageExists = ({ namespace, dbkey }: Title): boolean => store.getPage(namespace, dbkey) !== undefined
  return documentationWikitext(title, store.namespaces(), pageExists)
}
