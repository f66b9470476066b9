/** What the search index takes in of a page. */
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, prefixedKey, prefixedText } from '../../domain/title.js'
import { shortDescription } from '../../index/extract/description.js'
import { plainText } from '../../index/extract/plainText.js'
import type { IndexedPage, RedirectTarget } from '../../index/indexedRow.js'
import { firstFiles } from '../../render/mediaLinks.js'
import { decodeHistoryRow, decodePageRow, titleRowText } from '../rows.js'
import type { Tables } from '../tables.js'

/** Files of a page among which its picture in results is looked for: not all need exist, or be pictures. */
const MAX_FILES = 4

/** A page as it is stored. */
export interface IndexablePage {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly latestId: number
  readonly latestModel: string
  readonly redirectTarget: string | undefined
  /** Undefined when it is hidden. */
  readonly text: string | undefined
}

export function indexedPage(page: IndexablePage, namespaces: Namespaces): IndexedPage {
  const { id, namespace, dbkey, latestId, redirectTarget, text } = page
  const isWikitext = page.latestModel === 'wikitext'
  const isRedirect = redirectTarget !== undefined
  const none = { text: '', auxiliary: '' }
  const shown = isRedirect || text === undefined ? none : { text, auxiliary: '' }
  const plain = isWikitext && !isRedirect && text !== undefined ? plainText(text, namespaces) : shown
  return {
    pageId: id,
    namespace,
    latestId,
    dbkey,
    key: prefixedKey(page, namespaces),
    title: prefixedText(page, namespaces),
    description: isWikitext && text !== undefined ? shortDescription(text) : undefined,
    redirect: redirectTarget === undefined ? undefined : targetOf(redirectTarget, namespaces),
    files: isWikitext && !isRedirect && text !== undefined ? firstFiles(text, namespaces, MAX_FILES) : [],
    text: plain.text,
    auxiliary: plain.auxiliary,
    textHidden: text === undefined,
  }
}

function targetOf(link: string, namespaces: Namespaces): RedirectTarget | null {
  const parsed = parseTitle(link, namespaces)
  return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : null
}

/** The page that the store has under an id, or undefined when none is to be found. */
export function readIndexable(tables: Tables, pageId: number): IndexablePage | undefined {
  const pageRow = tables.page.getBinaryFast(pageId)
  if (pageRow === undefined) return undefined
  const { namespace, dbkey, latestId, latestTimestamp, redirectTarget, deleted } = decodePageRow(pageRow)
  if (deleted) return undefined
  const history = tables.history.getBinaryFast([pageId, latestTimestamp, latestId])
  const latestModel = history === undefined ? 'wikitext' : decodeHistoryRow(history).contentModel
  const titleRow = tables.title.getBinaryFast([namespace, dbkey])
  const text = titleRow === undefined ? undefined : titleRowText(titleRow)
  return { id: pageId, namespace, dbkey, latestId, latestModel, redirectTarget, text }
}
