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
  readonly #directory: CategoryDirectory
  readonly #query: Pick<Query, 'categories' | 'excludedCategories'>
  readonly #smallest: { readonly category: string; readonly count: number } | undefined

  constructor(directory: CategoryDirectory, query: Pick<Query, 'categories' | 'excludedCategories'>) {
    this.#directory = directory
    this.#query = query
    this.#smallest = query.categories
      .map((category) => ({ category, count: directory.countMembers(category) }))
      .sort((a, b) => a.count - b.count)[0]
  }

  /** The members of the smallest category as postings; undefined if there are too many. */
  list(): TermList | undefined {
    const isRead = this.#smallest !== undefined && this.#smallest.count <= MAX_MEMBERS
    return isRead ? listOf(Uint32Array.from(this.members()).sort()) : undefined
  }

  /** The first members of the smallest category, in its order. */
  *members(): Generator<number, void> {
    if (this.#smallest === undefined) return
    let left = MAX_MEMBERS
    for (const id of this.#directory.members(this.#smallest.category)) {
      if (left-- === 0) return
      yield id
    }
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

function listOf(pages: Uint32Array): TermList {
  const postings = new Postings(pages.length)
  for (const page of pages) postings.push(page, 0)
  return { term: '', frequency: pages.length, first: postings, hasMore: false, kept: undefined }
}
