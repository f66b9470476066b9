/** Keeps the index of links in step with pages, renderings and the imported tables. */
import type { LinkKind } from '../../wikitext/pageTargets.js'
import { pageTargets } from '../../wikitext/pageTargets.js'
import { encodeLinks } from '../rows/linkRows.js'
import { otherSet, queuePage, readIndexState } from '../search/indexState.js'
import type { IndexablePage } from '../search/indexedPage.js'
import type { LinkTables, Tables } from '../tables/tables.js'
import { rulesInForce } from './linkRules.js'
import { LinkWriter } from './linkWriter.js'
import {
  areSameLinks,
  type IncomingLinks,
  linksAfterRendering,
  linksAfterText,
  readLinks,
  type RenderedLinks,
} from './pageLinks.js'
import { statedLinks } from './statedLinks.js'

/** What the index needs of a page's present state. `rules`: those in force. */
export function incomingLinks(
  tables: Tables,
  page: Omit<IndexablePage, 'properties'>,
  rules = rulesInForce(tables),
): IncomingLinks {
  const { id, latestId, latestModel, text } = page
  const wikitext = latestModel === 'wikitext' && text !== undefined ? text : ''
  const literal = pageTargets({ ...page, wikitext }, rules)
  return { latestId, literal, stated: statedLinks(tables, id, rules), textHidden: text === undefined }
}

/** A page and its links; undefined if the page is gone. */
export type LinkedPage = readonly [pageId: number, incoming: IncomingLinks | undefined]

/**
 * Takes links of pages into an index, in the order of ids. `known` is the index in force, which may know more of a page
 * than its text. A rebuild writes to the other one.
 */
export function writeLinks(index: LinkTables, known: LinkTables, pages: Iterable<LinkedPage>): void {
  replaceLinks(index, known, pages).finish()
}

/** Writes the rows of pages. The writer that it returns has yet to write the other direction. */
export function replaceLinks(index: LinkTables, known: LinkTables, pages: Iterable<LinkedPage>): LinkWriter {
  const writer = new LinkWriter(index)
  for (const [pageId, incoming] of pages) {
    const before = readLinks(index, pageId)
    const earlier = known === index ? before : readLinks(known, pageId)
    const after = incoming && linksAfterText(earlier, incoming)
    if (!areSameLinks(before, after)) writer.replace(pageId, before, after)
  }
  return writer
}

/** Notes that the table of a kind has news of a page, for when the page is indexed. */
export function awaitLinks(index: LinkTables, pageId: number, kind: LinkKind): void {
  const before = readLinks(index, pageId)
  if (before === undefined) return
  const lists = { ...before.lists, [kind]: { ...before.lists[kind], awaitsTable: true } }
  index.pageLinks.putSync(pageId, encodeLinks({ ...before, lists }))
}

interface RenderedPage {
  readonly pageId: number
  readonly latestId: number
}

/**
 * Takes in the links of HTML that is about to be kept, of the latest revision of a page. The generation does not rise:
 * nearly every new HTML of a page with templates has other links than its text.
 */
export function takeRenderedLinks(
  tables: Tables,
  { pageId, latestId }: RenderedPage,
  links: RenderedLinks,
): void {
  const { set, rebuild } = readIndexState(tables)
  const before = readLinks(tables.indexes[set], pageId)
  const after = linksAfterRendering(before, latestId, links)
  if (areSameLinks(before, after)) return
  const writer = new LinkWriter(tables.indexes[set])
  writer.replace(pageId, before, after)
  writer.finish()
  if (rebuild !== undefined) queuePage(tables, tables.indexes[otherSet(set)], pageId)
}
