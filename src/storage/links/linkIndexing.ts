/** Keeps the index of links in step with pages, renderings and the imported tables. */
import { pageTargets } from '../../wikitext/pageTargets.js'
import type { IndexablePage } from '../search/indexedPage.js'
import type { LinkTables, Tables } from '../tables/tables.js'
import { rulesInForce } from './linkRules.js'
import { LinkWriter } from './linkWriter.js'
import { areSameLinks, type IncomingLinks, linksAfterText, readLinks } from './pageLinks.js'

/** What the index needs of a page's present state. */
export function incomingLinks(tables: Tables, page: Omit<IndexablePage, 'properties'>): IncomingLinks {
  const { latestId, latestModel, text } = page
  const wikitext = latestModel === 'wikitext' && text !== undefined ? text : ''
  const literal = pageTargets({ ...page, wikitext }, rulesInForce(tables))
  return { latestId, literal, stated: {}, textHidden: text === undefined }
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
