/** Keeps the index of links in step with pages, renderings and the imported tables. */
import type { LinkKind } from '../../wikitext/pageTargets.js'
import { pageTargets } from '../../wikitext/pageTargets.js'
import { isRevisionMadeHere } from '../pages/history.js'
import { encodeLinks } from '../rows/linkRows.js'
import { decodePageRow, revisionPageId } from '../rows/rows.js'
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

/** What the index needs of a page's present state. */
export function incomingLinks(tables: Tables, page: Omit<IndexablePage, 'properties'>): IncomingLinks {
  const { id, latestId, latestModel, text } = page
  const wikitext = latestModel === 'wikitext' && text !== undefined ? text : ''
  const rules = rulesInForce(tables)
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
  const writer = new LinkWriter(index)
  for (const [pageId, incoming] of pages) {
    const before = readLinks(index, pageId)
    const earlier = known === index ? before : readLinks(known, pageId)
    const after = incoming && linksAfterText(earlier, incoming)
    if (!areSameLinks(before, after)) writer.replace(pageId, before, after)
  }
  writer.finish()
}

/**
 * Notes that the table of a kind has news of a page, for when the page is indexed. False for a page that has changed
 * here since it was imported: the table does not know that.
 */
export function awaitLinks(tables: Tables, index: LinkTables, pageId: number, kind: LinkKind): boolean {
  const row = tables.page.getBinary(pageId)
  if (row === undefined || isRevisionMadeHere(tables, decodePageRow(row).latestId)) return false
  const before = readLinks(index, pageId)
  if (before === undefined) return true
  const lists = { ...before.lists, [kind]: { ...before.lists[kind], awaitsTable: true } }
  index.pageLinks.putSync(pageId, encodeLinks({ ...before, lists }))
  return true
}

interface LinksOfRendering {
  readonly revisionId: number
  readonly links: RenderedLinks
}

/**
 * Takes in the links of HTML that is about to be kept, if its revision is the latest of its page. The generation does
 * not rise: nearly every new HTML of a page with templates has other links than its text.
 */
export function takeRenderedLinks(tables: Tables, { revisionId, links }: LinksOfRendering): void {
  const rev = tables.rev.getBinaryFast(revisionId)
  const pageId = rev && revisionPageId(rev)
  const row = pageId && tables.page.getBinaryFast(pageId)
  if (!row) return
  const { latestId, deleted } = decodePageRow(row)
  if (latestId !== revisionId || deleted) return
  const { set, rebuild } = readIndexState(tables)
  const before = readLinks(tables.indexes[set], pageId)
  const after = linksAfterRendering(before, latestId, links)
  if (areSameLinks(before, after)) return
  const writer = new LinkWriter(tables.indexes[set])
  writer.replace(pageId, before, after)
  writer.finish()
  if (rebuild !== undefined) queuePage(tables, tables.indexes[otherSet(set)], pageId)
}
