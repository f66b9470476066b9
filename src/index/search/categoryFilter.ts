/**
 * `incategory:"Tall trees"` in a query: results are members of the category. Its members join the search as one more
 * list of postings, so a search reads no more than without it. Of a category with more members, the best results are
 * looked up one by one.
 */
import { Postings } from '../rows/postingRow.js'
import type { Query } from './query.js'
import type { TermList } from './termList.js'

/** What the index knows of categories, which are named by dbkeys. */
export interface CategoryDirectory {
  countMembers(category: string): number
  /** Ids of members in the order of the category. The walk may end early. */
  members(category: string): Iterable<number>
  has(category: string, pageId: number): boolean
}

/** Members to read of the smallest category, which takes some 20 ms. */
const MAX_MEMBERS = 20_000

export class CategoryFilter {
  /** Members of the smallest category in its order; the first ones of a larger category. */
  readonly members: readonly number[]
  /** All these members as postings; undefined if there are more. */
  readonly list: TermList | undefined
  readonly #directory: CategoryDirectory
  readonly #query: Pick<Query, 'categories' | 'excludedCategories'>

  constructor(directory: CategoryDirectory, query: Pick<Query, 'categories' | 'excludedCategories'>) {
    this.#directory = directory
    this.#query = query
    const [smallest] = query.categories
      .map((category) => ({ category, count: directory.countMembers(category) }))
      .sort((a, b) => a.count - b.count)
    this.members = smallest === undefined ? [] : first(directory.members(smallest.category), MAX_MEMBERS)
    const isWhole = smallest !== undefined && smallest.count <= MAX_MEMBERS
    this.list = isWhole ? listOf(this.members) : undefined
  }

  /** Reads the categories of the page. */
  admits(pageId: number): boolean {
    const { categories, excludedCategories } = this.#query
    return (
      categories.every((category) => this.#directory.has(category, pageId)) &&
      !excludedCategories.some((category) => this.#directory.has(category, pageId))
    )
  }
}

function first(ids: Iterable<number>, count: number): number[] {
  const found: number[] = []
  for (const id of ids) {
    if (found.length === count) break
    found.push(id)
  }
  return found
}

function listOf(members: readonly number[]): TermList {
  const postings = new Postings(members.length)
  for (const page of Uint32Array.from(members).sort()) postings.push(page, 0)
  return { term: '', frequency: members.length, first: postings, hasMore: false, kept: undefined }
}
