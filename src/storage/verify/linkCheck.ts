/** Checks the index of links in force: rows of pages, and the pages of each target. */
import { incomingLinks } from '../links/linkIndexing.js'
import { indexedTarget } from '../links/linkWriter.js'
import { areSameLinks, linksAfterText, readLinks } from '../links/pageLinks.js'
import { decodeLinks, decodeSources, hasMoreRows, linkKey, type LinksOfPage } from '../rows/linkRows.js'
import { decodePageRow } from '../rows/rows.js'
import { LINK_KINDS, nameIn, namespaceIn } from '../../wikitext/pageTargets.js'
import { indexInForce, readIndexState } from '../search/indexState.js'
import { readIndexable } from '../search/indexedPage.js'
import { type IndexSet, WHOLE_TABLE } from '../tables/tables.js'
import { soundRows, type VerifyContext } from './context.js'

/** Longer than any key. */
const scratch = Buffer.alloc(4096)

/**
 * Every page must have the links that its text names, and be with each of its targets. Targets must have no other
 * pages. An index that an older version of the program made lacks pages, which is no fault. Nothing here can recompute
 * links that a rendering or an imported table added.
 */
export function checkLinks(context: VerifyContext): void {
  const index = indexInForce(context.tables)
  const wanted = countUses(context, index)
  if (readIndexState(context.tables).links === true) checkPages(context, index)
  checkSources(context, index, wanted)
}

/** What the pages account for: a number of uses, and the sum of their hashes. */
interface Uses {
  count: number
  sum: number
}

const addUse = (uses: Uses, kind: number, target: string, pageId: number): void => {
  uses.count++
  uses.sum = (uses.sum + useHash(kind, target, pageId)) >>> 0
}

/** Of the key that has the page, so that names that are cut in keys are equal. */
function useHash(kind: number, target: string, pageId: number): number {
  const end = linkKey.writeKey([kind, target, pageId], scratch, 0)
  let hash = 0x811c9dc5
  for (let n = 0; n < end; n++) hash = Math.imul(hash ^ scratch[n]!, 0x01000193)
  return hash >>> 0
}

/** All uses that the rows of pages name. */
function countUses({ tables, report }: VerifyContext, index: IndexSet): Uses {
  const uses: Uses = { count: 0, sum: 0 }
  for (const { key: pageId, value } of soundRows({ report }, 'pageLinks', index.pageLinks)) {
    const row = tables.page.getBinary(pageId)
    if (row === undefined || decodePageRow(row).deleted)
      report(`links: page ${pageId} has some, but does not exist`)
    const page = decodeLinks(value)
    if (!isOrdered(page)) report(`links: those of page ${pageId} are in no order`)
    for (const [n, kind] of LINK_KINDS.entries()) {
      const keys = new Set(page.lists[kind].entries.map(({ target }) => cut(n, indexedTarget(kind, target))))
      for (const target of keys) addUse(uses, n, target, pageId)
    }
  }
  return uses
}

/** The target as its key has it. */
function cut(kind: number, target: string): string {
  const end = linkKey.writeKey([kind, target, 0], scratch, 0)
  return linkKey.readKey(scratch, 0, end)[1]
}

const isOrdered = ({ lists }: LinksOfPage): boolean =>
  LINK_KINDS.every((kind) =>
    lists[kind].entries.every(({ target }, n, all) => n === 0 || all[n - 1]!.target < target),
  )

/** Indexing a page again must change nothing. A queued one may have other links by now. */
function checkPages({ tables, report }: VerifyContext, index: IndexSet): void {
  for (const pageId of tables.page.getKeys(WHOLE_TABLE)) {
    const page = index.indexQueue.doesExist(pageId) ? undefined : readIndexable(tables, pageId)
    if (page === undefined) continue
    const stored = readLinks(index, pageId)
    const wanted = linksAfterText(stored, incomingLinks(tables, page))
    if (!areSameLinks(stored, wanted)) report(`links: page ${pageId} has others than its text says`)
  }
}

/** Looks up each use in the row of its page, so a use that no page accounts for is named. */
function checkSources({ report }: VerifyContext, index: IndexSet, wanted: Uses): void {
  const found: Uses = { count: 0, sum: 0 }
  let head: { readonly target: string; readonly hasMore: boolean; last: number } | undefined
  for (const { key, value } of soundRows({ report }, 'linkSource', index.linkSource)) {
    const [kind, target, first] = key
    const name = `${LINK_KINDS[kind] ?? kind} ${namespaceIn(target)}:${nameIn(target)}`
    const pages = decodeSources(value, first)
    if (first === 0) head = { target: `${kind}${target}`, hasMore: hasMoreRows(value), last: -1 }
    if (head?.target !== `${kind}${target}` || (first > 0 && !head.hasMore))
      report(`links: ${name} has a row at page ${first} that no other row leads to`)
    else if (pages.length === 0 && !(first === 0 && head.hasMore)) report(`links: ${name} has an empty row`)
    for (const pageId of pages) {
      if (head !== undefined && pageId <= head.last) report(`links: the pages of ${name} are in no order`)
      if (head !== undefined) head.last = pageId
      addUse(found, kind, target, pageId)
    }
  }
  if (found.count !== wanted.count)
    report(`links: ${found.count} in lists of targets, but the pages account for ${wanted.count}`)
  else if (found.sum !== wanted.sum)
    report('links: lists of targets have other pages than those that name them')
}
