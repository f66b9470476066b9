/** Writes the categories of pages: their own rows, the lists of members, and the counts. */
import type { CategoryTables } from '../tables/tables.js'
import {
  decodeCounts,
  encodeCounts,
  encodePageCategories,
  MEMBER_KINDS,
  type MemberKey,
  memberKeys,
  NO_MEMBERS,
  type PageCategories,
} from '../rows/categoryRows.js'

const NOTHING = Buffer.alloc(0)

/**
 * Collects the changes of many pages within a transaction, and writes them in the order of their keys. So each count is
 * written once. Replace a page once at most, and call `finish` at the end.
 */
export class CategoryWriter {
  readonly #tables: CategoryTables
  readonly #removed: MemberKey[] = []
  readonly #added: MemberKey[] = []

  constructor(tables: CategoryTables) {
    this.#tables = tables
  }

  /** `before` is the page's row as it is; undefined means none. */
  replace(pageId: number, before: PageCategories | undefined, after: PageCategories | undefined): void {
    const { pageCategories } = this.#tables
    if (after !== undefined) pageCategories.putSync(pageId, encodePageCategories(after))
    else if (before !== undefined) pageCategories.removeSync(pageId)
    const [old, present] = [memberKeys(pageId, before), memberKeys(pageId, after)]
    if (old.length === 0) return void this.#added.push(...present)
    const [oldIds, presentIds] = [new Set(old.map(idOf)), new Set(present.map(idOf))]
    for (const key of old) if (!presentIds.has(idOf(key))) this.#removed.push(key)
    for (const key of present) if (!oldIds.has(idOf(key))) this.#added.push(key)
  }

  finish(): void {
    const { categoryMember } = this.#tables
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

function count(counts: Map<string, number[]>, [category, kind]: MemberKey, change: number): void {
  let changes = counts.get(category)
  if (changes === undefined) counts.set(category, (changes = MEMBER_KINDS.map(() => 0)))
  changes[kind]! += change
}
