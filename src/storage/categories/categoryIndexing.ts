/** Keeps the index of categories in step with pages, renderings and the table `categorylinks`. */
import { CATEGORY } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, type Title } from '../../domain/title.js'
import { categoryLinks, sortKeyOf } from '../../wikitext/categoryLinks.js'
import type { IndexablePage } from '../search/indexedPage.js'
import { readCategoryValue } from '../sqlTables/categoryValues.js'
import { namedLinksInRow } from '../sqlTables/linkNames.js'
import { readSqlRow } from '../sqlTables/sqlTables.js'
import type { CategoryTables, Tables } from '../tables/tables.js'
import {
  categoriesAfterRendering,
  categoriesAfterText,
  type IncomingCategories,
  isSameState,
  readPageCategories,
  type StatedCategory,
} from './pageCategories.js'
import {
  type CategoryEntry,
  decodeCounts,
  encodeCounts,
  encodePageCategories,
  MEMBER_KINDS,
  type MemberKey,
  memberKeys,
  type MemberTimeKey,
  memberTimeKeys,
  NO_MEMBERS,
  type PageCategories,
} from '../rows/categoryRows.js'
import { raiseTally } from '../tables/meta.js'
import { otherSet, queuePage, readIndexState } from '../search/indexState.js'

/** What the index needs of a page's present state. */
export function incomingCategories(
  tables: Tables,
  page: Omit<IndexablePage, 'properties'>,
  namespaces: Namespaces,
): IncomingCategories {
  const { id, namespace, dbkey, latestId, latestTimestamp, latestModel, text } = page
  const literal = latestModel === 'wikitext' && text !== undefined ? categoryLinks(text, namespaces) : []
  const stated = statedCategories(tables, id, namespaces)
  return { namespace, dbkey, latestId, latestTimestamp, literal, stated, textHidden: text === undefined }
}

/** A page and its state; undefined if the page is gone. */
export type IncomingPage = readonly [pageId: number, incoming: IncomingCategories | undefined]

/**
 * Takes states of pages into an index. `known` is the index in force, which may know more of a page than its text. A
 * rebuild writes to the other one.
 */
export function writeCategories(
  index: CategoryTables,
  known: CategoryTables,
  pages: Iterable<IncomingPage>,
): void {
  const writer = new CategoryWriter(index)
  for (const [pageId, incoming] of pages) {
    const before = readPageCategories(index, pageId)
    const earlier = known === index ? before : readPageCategories(known, pageId)
    const after = incoming && categoriesAfterText(earlier, incoming)
    if (!isSameState(before, after)) writer.replace(pageId, before, after)
  }
  writer.finish()
}

/** Notes that the table `categorylinks` has news of a page, for when the page is indexed. */
export function awaitTable(index: CategoryTables, pageId: number): void {
  const before = readPageCategories(index, pageId)
  if (before !== undefined)
    index.pageCategories.putSync(pageId, encodePageCategories({ ...before, awaitsTable: true }))
}

/** Categories from the table. A name that is not a title of this wiki is left out. */
function statedCategories(
  tables: Tables,
  pageId: number,
  namespaces: Namespaces,
): StatedCategory[] | undefined {
  const row = readSqlRow(tables, 'categorylinks', pageId)
  const values = row && namedLinksInRow(tables, Buffer.from(row), CATEGORY)
  if (values === undefined) return undefined
  const links = new Map<string, StatedCategory>()
  for (const [name, value] of values) {
    const parsed = parseTitle(namespaces.keyPrefix(CATEGORY) + name, namespaces)
    if (!parsed.ok || parsed.title.namespace !== CATEGORY) continue
    const { dbkey: category } = parsed.title
    const { sortKey, time } = readCategoryValue(value)
    links.set(category, { category, sortKey: sortKeyOf(sortKey), time })
  }
  return [...links.values()].sort((one, other) => (one.category < other.category ? -1 : 1))
}

interface RenderedPage extends Title {
  readonly pageId: number
  readonly latestId: number
  readonly latestTimestamp: number
}

/**
 * Takes in all categories that HTML names which is about to be kept, of the latest revision of a page: those of
 * templates, too. If they are not the known ones, the generation rises, since answers show members of categories.
 */
export function takeRenderedCategories(
  tables: Tables,
  { pageId, namespace, dbkey, latestId, latestTimestamp }: RenderedPage,
  categories: readonly CategoryEntry[],
): void {
  const { set, rebuild } = readIndexState(tables)
  const before = readPageCategories(tables.indexes[set], pageId)
  const page = { namespace, dbkey, latestId, latestTimestamp }
  const after = categoriesAfterRendering(before, page, categories)
  if (isSameState(before, after)) return
  const writer = new CategoryWriter(tables.indexes[set])
  writer.replace(pageId, before, after)
  writer.finish()
  if (rebuild !== undefined) queuePage(tables, tables.indexes[otherSet(set)], pageId)
  raiseTally(tables, 'generation')
}

const NOTHING = Buffer.alloc(0)

/**
 * Collects the changes of many pages within a transaction, and writes them in the order of their keys. So each count is
 * written once. Replace a page once at most, and call `finish` at the end.
 */
class CategoryWriter {
  readonly #tables: CategoryTables
  readonly #removed: MemberKey[] = []
  readonly #added: MemberKey[] = []
  readonly #removedTimes: MemberTimeKey[] = []
  readonly #addedTimes: MemberTimeKey[] = []

  constructor(tables: CategoryTables) {
    this.#tables = tables
  }

  /** `before` is the page's row as it is; undefined means none. */
  replace(pageId: number, before: PageCategories | undefined, after: PageCategories | undefined): void {
    const { pageCategories } = this.#tables
    if (after !== undefined) pageCategories.putSync(pageId, encodePageCategories(after))
    else if (before !== undefined) pageCategories.removeSync(pageId)
    this.#removedTimes.push(...timesOnlyIn(pageId, before, after))
    this.#addedTimes.push(...timesOnlyIn(pageId, after, before))
    const [old, present] = [memberKeys(pageId, before), memberKeys(pageId, after)]
    if (old.length === 0) return void this.#added.push(...present)
    const [oldIds, presentIds] = [new Set(old.map(idOf)), new Set(present.map(idOf))]
    for (const key of old) if (!presentIds.has(idOf(key))) this.#removed.push(key)
    for (const key of present) if (!oldIds.has(idOf(key))) this.#added.push(key)
  }

  finish(): void {
    const { categoryMember, categoryTime } = this.#tables
    for (const key of this.#removedTimes) categoryTime.removeSync(key)
    for (const key of this.#addedTimes.sort(compareTimeKeys)) categoryTime.putSync(key, NOTHING)
    const counts = new Map<string, number[]>()
    for (const key of this.#removed) {
      if (categoryMember.removeSync(key)) count(counts, key, -1)
    }
    for (const key of this.#added.sort(compareKeys)) {
      categoryMember.putSync(key, NOTHING)
      count(counts, key, 1)
    }
    for (const category of [...counts.keys()].sort()) this.#writeCount(category, counts.get(category)!)
  }

  #writeCount(category: string, changes: readonly number[]): void {
    if (changes.every((change) => change === 0)) return
    const { categoryCount } = this.#tables
    const row = categoryCount.getBinaryFast(category)
    const before = row === undefined ? NO_MEMBERS : decodeCounts(row)
    const [subcategory, page, file] = MEMBER_KINDS.map((kind, n) =>
      Math.max(0, before[kind] + changes[n]!),
    ) as [number, number, number]
    if (subcategory + page + file === 0) categoryCount.removeSync(category)
    else categoryCount.putSync(category, encodeCounts({ subcategory, page, file }))
  }
}

const idOf = ([category, kind, sortKey]: MemberKey): string => `${category}\n${kind}${sortKey}`

function compareKeys(one: MemberKey, other: MemberKey): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1
  if (one[1] !== other[1]) return one[1] - other[1]
  if (one[2] !== other[2]) return one[2] < other[2] ? -1 : 1
  return one[3] - other[3]
}

/** Keys in `categoryTime` of a state that another state of the page does not have. */
function timesOnlyIn(
  pageId: number,
  state: PageCategories | undefined,
  other: PageCategories | undefined,
): MemberTimeKey[] {
  const times = new Map(other?.entries.map(({ category, time }) => [category, time]))
  return memberTimeKeys(pageId, state).filter(([category, time]) => times.get(category) !== time)
}

const compareTimeKeys = (one: MemberTimeKey, other: MemberTimeKey): number =>
  one[0] === other[0] ? one[1] - other[1] || one[2] - other[2] : one[0] < other[0] ? -1 : 1

function count(counts: Map<string, number[]>, [category, kind]: MemberKey, change: number): void {
  let changes = counts.get(category)
  if (changes === undefined) counts.set(category, (changes = MEMBER_KINDS.map(() => 0)))
  changes[kind]! += change
}
