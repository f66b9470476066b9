/** The parts of a page that the search index takes in. */
import type { Namespaces } from '../../domain/namespaces.js'
import { inOtherScripts } from '../../domain/otherScripts.js'
import { parseTitle, prefixedKey, prefixedText } from '../../domain/title.js'
import { shortDescription, plainText } from '../../index/text/plainText.js'
import { type IndexedPage, type RedirectTarget, titleInRow } from '../../index/rows/indexedRow.js'
import { firstFiles } from '../../wikitext/mediaLinks.js'
import { decodePageRow, historyModel, titleRowTextStart } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, readSqlRow } from '../sqlTables/sqlTables.js'

/** Number of a page's files to search for its picture in results. Some may not exist, or not be pictures. */
const MAX_FILES = 4

/**
 * Only this many UTF-16 units of a longer text are indexed. The limit is twice that of an edit. Encoding takes up to
 * forty times as much memory.
 */
export const MAX_INDEXED_LENGTH = 4 * 2 ** 20

/** A page as it is stored. */
export interface IndexablePage {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly latestId: number
  readonly latestTimestamp: number
  readonly latestModel: string
  readonly redirectTarget: string | undefined
  /** Undefined if it is hidden. Text beyond `MAX_INDEXED_LENGTH` is ignored. */
  readonly text: string | undefined
  readonly properties: PageProperties
}

export function indexedPage(page: IndexablePage, namespaces: Namespaces): IndexedPage {
  const { id, namespace, dbkey, latestId, redirectTarget, properties } = page
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
    // The text first, since an edit here does not change the imported table.
    description:
      isWikitext && text !== undefined ? (shortDescription(text) ?? properties.description) : undefined,
    redirect: redirectTarget === undefined ? undefined : targetOf(redirectTarget, namespaces),
    files: isWikitext && !isRedirect && text !== undefined ? filesOf(text, properties, namespaces) : [],
    text: plain.text,
    auxiliary: withOtherScripts(plain, isRedirect ? '' : titleInRow(dbkey), namespaces),
    textHidden: text === undefined,
  }
}

/** Files for the page's picture: the stated one, then those of the text. */
/** In a language with variants, a search finds the page by words of each: they follow the other auxiliary text. */
function withOtherScripts(
  { text, auxiliary }: Pick<IndexedPage, 'text' | 'auxiliary'>,
  title: string,
  { language }: Namespaces,
): string {
  if (language.variants.length < 2) return auxiliary
  const shown = [title, text].filter((part) => part !== '').join('\n')
  const others = inOtherScripts(shown, language.code).map((other) => indexedStart(other))
  return [auxiliary, ...others].filter((part) => part !== '').join('\n')
}

function filesOf(text: string, { picture }: PageProperties, namespaces: Namespaces): string[] {
  const files = firstFiles(text, namespaces, MAX_FILES)
  return picture === undefined ? files : [...new Set([picture, ...files])].slice(0, MAX_FILES)
}

/** The indexed part of a text, equal to the result of `titleRowTextStart`. */
export function indexedStart(text: string): string {
  if (text.length <= MAX_INDEXED_LENGTH) return text
  const inPair = text.codePointAt(MAX_INDEXED_LENGTH - 1)! > 0xffff
  return text.slice(0, MAX_INDEXED_LENGTH - (inPair ? 1 : 0))
}

function targetOf(link: string, namespaces: Namespaces): RedirectTarget | null {
  const parsed = parseTitle(link, namespaces)
  return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : null
}

/**
 * The page with an id, with at most the indexed part of its text. Undefined if the page does not exist or is deleted.
 */
export function readIndexable(tables: Tables, pageId: number): IndexablePage | undefined {
  const pageRow = tables.page.getBinaryFast(pageId)
  if (pageRow === undefined) return undefined
  const { namespace, dbkey, latestId, latestTimestamp, redirectTarget, deleted } = decodePageRow(pageRow)
  if (deleted) return undefined
  const history = tables.history.getBinaryFast([pageId, latestTimestamp, latestId])
  const latestModel = history === undefined ? 'wikitext' : historyModel(history)
  const titleRow = tables.title.getBinaryFast([namespace, dbkey])
  const text = titleRow === undefined ? undefined : titleRowTextStart(titleRow, MAX_INDEXED_LENGTH)
  const properties = readProperties(tables, pageId)
  const facts = { namespace, dbkey, latestId, latestTimestamp, latestModel, redirectTarget }
  return { id: pageId, ...facts, text, properties }
}

interface PageProperties {
  /** Short description, also one that a template declares. */
  readonly description: string | undefined
  /** Dbkey of the file that stands for the page in lists. The file may be missing. */
  readonly picture: string | undefined
}

export const NO_PROPERTIES: PageProperties = { description: undefined, picture: undefined }

/** The properties of a page from the imported table `page_props`. */
export function readProperties(tables: Tables, pageId: number): PageProperties {
  return propertiesIn(readSqlRow(tables, 'page_props', pageId))
}

/** The same of a row. */
export function propertiesIn(row: Buffer | undefined): PageProperties {
  if (row === undefined) return NO_PROPERTIES
  const values = new Map(decodeSqlRow(row))
  return {
    description: values.get('wikibase-shortdesc'),
    // Wikis that keep unfree pictures name a free one too.
    picture: values.get('page_image_free') ?? values.get('page_image'),
  }
}
