/**
 * Decides which categories a page has. Three sources know some of them:
 *
 *     its own text     links, without those of templates; found whenever the page is indexed
 *     a rendering      all of them; kept with the HTML of the latest revision
 *     categorylinks    all of them, as the mirrored wiki states them; in force until the page has another revision
 *
 * A new revision has the categories of its text. It keeps those that templates added before, until its HTML is made.
 *
 * A page came into a category at the time that the table states, else at that of the revision with which it was first
 * found there, under its present sort key.
 */
import { type CategoryLink, MAX_CATEGORIES } from '../../wikitext/categoryLinks.js'
import type { Title } from '../../domain/title.js'
import type { CategoryTables } from '../tables/tables.js'
import {
  decodePageCategories,
  encodePageCategories,
  type CategoryEntry,
  type PageCategories,
} from '../rows/categoryRows.js'

/** What the index knows of one list of a page. */
interface KnownList {
  readonly latestId: number
  readonly source: PageCategories['source']
  readonly awaitsTable: boolean
}

/** What decides on the source of a list: facts of the page's latest revision. */
export interface IncomingFacts {
  readonly latestId: number
  readonly textHidden: boolean
  /** Words of the page may have gone for good. Then earlier entries stay only if the revision is a newer one. */
  readonly mayForget?: boolean
}

/**
 * Where a list of a page comes from after the page was indexed. `before`: all that was known stays. `text and others`:
 * the text, and earlier entries that no text had named.
 */
export function sourceAfterText(
  before: KnownList | undefined,
  { latestId, textHidden, mayForget, isStated }: IncomingFacts & { readonly isStated: boolean },
): 'text' | 'table' | 'before' | 'text and others' {
  const forgets = before !== undefined && (textHidden || (mayForget === true && latestId <= before.latestId))
  if (forgets) return 'text'
  const isSame = before?.latestId === latestId
  const takesTable = before === undefined || before.awaitsTable || (isSame && before.source === 'table')
  if (isStated && takesTable) return 'table'
  if (before === undefined || before.awaitsTable) return 'text'
  return isSame && before.source !== 'text' ? 'before' : 'text and others'
}

/** Whether a table states a list of this revision, which a rendering then leaves alone. */
export const isTableInForce = (before: KnownList | undefined, latestId: number): boolean =>
  before?.awaitsTable === true || (before?.latestId === latestId && before.source === 'table')

/** A category from the table. The time is undefined in rows that an older version of the program imported. */
export interface StatedCategory extends CategoryLink {
  readonly time: number | undefined
}

/** What the text of a page and the imported table say of its latest revision. */
export interface IncomingCategories extends Title, IncomingFacts {
  readonly latestTimestamp: number
  readonly literal: readonly CategoryLink[]
  /** Undefined if the table has none for the page, or its names are not known. */
  readonly stated: readonly StatedCategory[] | undefined
}

export function readPageCategories(tables: CategoryTables, pageId: number): PageCategories | undefined {
  const row = tables.pageCategories.getBinaryFast(pageId)
  return row === undefined ? undefined : decodePageCategories(row)
}

/** The categories of a page after it was indexed; undefined if there is nothing to keep. */
export function categoriesAfterText(
  before: PageCategories | undefined,
  incoming: IncomingCategories,
): PageCategories | undefined {
  const { latestId, latestTimestamp, namespace, dbkey, literal, stated } = incoming
  if (before === undefined && literal.length === 0 && stated === undefined) return undefined
  const page = { latestId, namespace, dbkey, awaitsTable: false }
  const dated = (entries: readonly CategoryEntry[]): CategoryEntry[] =>
    withTimes(entries, before, latestTimestamp)
  const ofText = { ...page, source: 'text', entries: dated(marked(literal, literal)) } as const
  switch (sourceAfterText(before, { ...incoming, isStated: stated !== undefined })) {
    case 'text':
      return ofText
    case 'table':
      return { ...page, source: 'table', entries: dated(marked(stated!, literal)) }
    case 'before':
      return { ...before!, ...page, entries: dated(before!.entries) }
    case 'text and others':
      return { ...ofText, entries: dated(withOthersOf(before!, literal)) }
  }
}

/** The categories of a page after its latest revision was rendered. */
export function categoriesAfterRendering(
  before: PageCategories | undefined,
  { latestTimestamp, ...page }: Title & { readonly latestId: number; readonly latestTimestamp: number },
  entries: readonly CategoryEntry[],
): PageCategories | undefined {
  if (before === undefined && entries.length === 0) return undefined
  if (isTableInForce(before, page.latestId)) return before
  const dated = withTimes(entries, before, latestTimestamp)
  return { ...page, source: 'rendering', awaitsTable: false, entries: dated }
}

/** Tells if two states are the same, row by row. */
export function isSameState(one: PageCategories | undefined, other: PageCategories | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return encodePageCategories(one).equals(encodePageCategories(other))
}

/** Marks those that the text names, too. */
export function marked(
  all: readonly (CategoryLink | StatedCategory)[],
  literal: readonly CategoryLink[],
): CategoryEntry[] {
  const names = new Set(literal.map(({ category }) => category))
  return all.map((link) => ({ ...link, isLiteral: names.has(link.category) }))
}

/** Entries without a time get that of `before` with the same sort key, or else `time`. */
function withTimes(
  entries: readonly CategoryEntry[],
  before: PageCategories | undefined,
  time: number,
): CategoryEntry[] {
  const placeOf = ({ category, sortKey }: CategoryEntry): string => `${category}\n${sortKey}`
  const known = new Map(before?.entries.map((entry) => [placeOf(entry), entry.time]))
  return entries.map((entry) => ({ ...entry, time: entry.time ?? known.get(placeOf(entry)) ?? time }))
}

function withOthersOf(before: PageCategories, literal: readonly CategoryLink[]): CategoryEntry[] {
  const names = new Set(literal.map(({ category }) => category))
  const others = before.entries.filter(({ category, isLiteral }) => !isLiteral && !names.has(category))
  return [...marked(literal, literal), ...others]
    .slice(0, MAX_CATEGORIES)
    .sort((one, other) => (one.category < other.category ? -1 : 1))
}
