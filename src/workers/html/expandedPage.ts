/** The text of a page with expanded templates, for reading its links, and what that text depends on. */
import { SCRIBUNTO } from '../../domain/contentModel.js'
import type { Title } from '../../domain/title.js'
import { documentationWikitext } from '../../render/parsoid/sourcePages.js'
import type { Basis } from '../../storage/html/renderings.js'
import type { Store } from '../../storage/store.js'
import type { PageExpander } from './pageExpander.js'
import { type RecordingSource, userNameOf } from './renderSource.js'

const TEMPLATE_START = '{{'

export interface ExpandedPage extends Basis {
  readonly wikitext: string
  /** How long the text is the same while the wiki is; undefined: always. */
  readonly lifetimeSeconds: number | undefined
}

/**
 * The latest text of a page with expanded templates; for a module, its documentation. Empty for other content models,
 * hidden texts and unknown pages. `now` is in seconds since 1970.
 */
export function expandedPage(
  store: Store,
  expander: PageExpander,
  pageId: number,
  now: number,
): ExpandedPage {
  const visibility = store.html.visibility()
  const page = store.getPageById(pageId)
  const latest = page && store.getRevision(page.latestId)
  if (page === undefined || latest === undefined)
    return { wikitext: '', uses: [], visibility, lifetimeSeconds: 0 }
  const title: Title = { namespace: page.namespace, dbkey: page.dbkey }
  const { id, timestamp, contentModel } = latest
  const revision = { id, timestamp, userName: userNameOf(latest), sizeBytes: latest.sizeBytes ?? 0 }
  const { preprocessor, source } = expander.begin({ title, id: pageId, revision }, now)
  source.pageExists(title)
  const text = linkedText(store, source, { title, contentModel, text: store.getText(id) ?? '' })
  const wikitext = text.includes(TEMPLATE_START) ? preprocessor.expand(text).wikitext : text
  const { lifetimeSeconds } = preprocessor.report
  return { wikitext, uses: source.uses(), visibility, lifetimeSeconds }
}

interface LatestText {
  readonly title: Title
  readonly contentModel: string
  readonly text: string
}

/** The wikitext that has the page's links. */
function linkedText(
  store: Store,
  source: Pick<RecordingSource, 'pageExists'>,
  { title, contentModel, text }: LatestText,
): string {
  if (contentModel === 'wikitext') return text
  if (contentModel !== SCRIBUNTO) return ''
  return documentationWikitext(title, store.namespaces(), (page) => source.pageExists(page))
}
