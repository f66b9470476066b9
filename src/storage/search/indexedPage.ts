/** What the search index takes in of a page. */
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, prefixedKey, prefixedText } from '../../domain/title.js'
import { shortDescription } from '../../index/text/description.js'
import { plainText } from '../../index/text/plainText.js'
import type { IndexedPage, RedirectTarget } from '../../index/rows/indexedRow.js'
import { firstFiles } from '../../render/mediaLinks.js'
import { decodeHistoryRow, decodePageRow, titleRowTextStart } from '../rows/rows.js'
import type { Tables } from '../tables.js'

/** Files of a page among which its picture in results is looked for: not all need exist, or be pictures. */
const MAX_FILES = 4

/**
 * Of a longer text, in UTF-16 units, only the beginning is indexed. It is twice what an edit may save; encoding takes
 * up to forty times as much memory.
 */
export const MAX_INDEXED_LENGTH = 4 * 2 ** 20

/** A page as it is stored. */
export interface IndexablePage {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly latestId: number
  readonly latestModel: string
  readonly redirectTarget: string | undefined
  /** Undefined when it is hidden. Nothing after `MAX_INDEXED_LENGTH` is looked at. */
  readonly text: string | undefined
}

export function indexedPage(page: IndexablePage, namespaces: Namespaces): IndexedPage {
  const { id, namespace, dbkey, latestId, redirectTarget } = page
  const text = page.text && indexedStart(page.text)
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

/** The part of a text that is indexed: the same as `titleRowTextStart` gives. */
function indexedStart(text: string): string {
  if (text.length <= MAX_INDEXED_LENGTH) return text
  const inPair = text.codePointAt(MAX_INDEXED_LENGTH - 1)! > 0xffff
  return text.slice(0, MAX_INDEXED_LENGTH - (inPair ? 1 : 0))
}

function targetOf(link: string, namespaces: Namespaces): RedirectTarget | null {
  const parsed = parseTitle(link, namespaces)
  return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : null
}

/**
 * The page that the store has under an id, without the rest of a text that is not indexed whole, or undefined when none
 * is to be found.
 */
export function readIndexable(tables: Tables, pageId: number): IndexablePage | undefined {
  const pageRow = tables.page.getBinaryFast(pageId)
  if (pageRow === undefined) return undefined
  const { namespace, dbkey, latestId, latestTimestamp, redirectTarget, deleted } = decodePageRow(pageRow)
  if (deleted) return undefined
  const history = tables.history.getBinaryFast([pageId, latestTimestamp, latestId])
  const latestModel = history === undefined ? 'wikitext' : decodeHistoryRow(history).contentModel
  const titleRow = tables.title.getBinaryFast([namespace, dbkey])
  const text = titleRow === undefined ? undefined : titleRowTextStart(titleRow, MAX_INDEXED_LENGTH)
  return { id: pageId, namespace, dbkey, latestId, latestModel, redirectTarget, text }
}
