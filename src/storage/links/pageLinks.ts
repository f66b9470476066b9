/**
 * Decides which links a page has. As for categories, its text, a rendering and imported tables know some of them. Each
 * kind of links has its own table, so each kind has its own source.
 */
import { LINK_KINDS, type LinkKind, MAX_TARGETS, type TargetLists } from '../../wikitext/pageTargets.js'
import { type IncomingFacts, isTableInForce, sourceAfterText } from '../categories/pageCategories.js'
import {
  decodeLinks,
  encodeLinks,
  type LinkEntry,
  type LinkList,
  type LinksOfPage,
  NO_LINKS,
} from '../rows/linkRows.js'
import type { LinkTables } from '../tables/tables.js'

/** What the text of a page and the imported tables say of its latest revision. */
export interface IncomingLinks extends IncomingFacts {
  readonly literal: TargetLists
  /** Of the kinds whose tables have rows for the page. */
  readonly stated: Partial<TargetLists>
}

export function readLinks(tables: LinkTables, pageId: number): LinksOfPage | undefined {
  const row = tables.pageLinks.getBinaryFast(pageId)
  return row === undefined ? undefined : decodeLinks(row)
}

/** The links of a page after it was indexed; undefined if there is nothing to keep. */
export function linksAfterText(
  before: LinksOfPage | undefined,
  incoming: IncomingLinks,
): LinksOfPage | undefined {
  const lists = listsOf((kind) => {
    const { literal, stated } = incoming
    return before === undefined && stated[kind] === undefined
      ? listOf('text', literal[kind], literal[kind])
      : listAfterText(before, kind, incoming)
  })
  return kept(before, { latestId: incoming.latestId, lists })
}

function listAfterText(before: LinksOfPage | undefined, kind: LinkKind, incoming: IncomingLinks): LinkList {
  const known = before?.lists[kind]
  const literal = incoming.literal[kind]
  const stated = incoming.stated[kind]
  const facts = { ...incoming, isStated: stated !== undefined }
  switch (sourceAfterText(known && { ...known, latestId: before.latestId }, facts)) {
    case 'text':
      return listOf('text', literal, literal)
    case 'table':
      return listOf('table', stated!, literal)
    case 'before':
      return known!
    case 'text and others':
      return listOf('text', withOthers(literal, known!.entries), literal)
  }
}

/** Links that a rendering knows, of the kinds that it can know. */
export type RenderedLinks = Partial<TargetLists>

/** The links of a page after its latest revision was rendered. */
export function linksAfterRendering(
  before: LinksOfPage | undefined,
  latestId: number,
  rendered: RenderedLinks,
): LinksOfPage | undefined {
  // Of a redirect, HTML shows the target alone, which the text names better.
  if (before !== undefined && before.lists.redirect.entries.length > 0) return before
  const lists = listsOf((kind) => {
    const known = before?.lists[kind] ?? NO_LINKS
    const found = rendered[kind]
    if (found === undefined || isTableInForce(before && { ...known, latestId: before.latestId }, latestId))
      return known
    const literal = known.entries.flatMap(({ target, isLiteral }) => (isLiteral ? [target] : []))
    return listOf('rendering', found, literal)
  })
  return kept(before, { latestId, lists })
}

const listsOf = (make: (kind: LinkKind) => LinkList): LinksOfPage['lists'] =>
  Object.fromEntries(LINK_KINDS.map((kind) => [kind, make(kind)])) as unknown as LinksOfPage['lists']

/** A page that never had links, by its text alone, needs no row. */
function kept(before: LinksOfPage | undefined, page: LinksOfPage): LinksOfPage | undefined {
  if (before !== undefined) return page
  const isEmpty = ({ source, entries }: LinkList): boolean => source === 'text' && entries.length === 0
  return LINK_KINDS.every((kind) => isEmpty(page.lists[kind])) ? undefined : page
}

/** Both lists of targets are in order. Marks those that the text names, too. */
function listOf(source: LinkList['source'], all: readonly string[], literal: readonly string[]): LinkList {
  const names = all === literal ? undefined : new Set(literal)
  if (all.length === 0) return source === 'text' ? NO_LINKS : { ...NO_LINKS, source }
  const entries = all.map((target) => ({ target, isLiteral: names?.has(target) ?? true }))
  return { source, awaitsTable: false, entries }
}

function withOthers(literal: readonly string[], entries: readonly LinkEntry[]): readonly string[] {
  const others = entries.flatMap(({ target, isLiteral }) => (isLiteral ? [] : [target]))
  return others.length === 0 ? literal : [...new Set([...literal, ...others])].slice(0, MAX_TARGETS).sort()
}

/** Tells if two states are the same, row by row. */
export function areSameLinks(one: LinksOfPage | undefined, other: LinksOfPage | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return encodeLinks(one).equals(encodeLinks(other))
}
