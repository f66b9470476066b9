/**
 * Tells which changes of the index concern a ready answer. An answer survives the others, so its pages are right, but
 * their order may be that of a while ago: the weights of words follow the number of pages, and a page that is not shown
 * may have its words closer together now. The caller bounds how many changes an answer survives.
 */
import type { SearchChange } from '../rows/searchChange.js'
import { spellingsIn } from './letterSpellings.js'
import type { Query } from './query.js'

export class AnswerWatch {
  readonly #query: Query
  readonly #pages: readonly number[]
  readonly #mayRedirect: () => boolean

  /** `mayRedirect` tells if a redirect's title may have the words of the query. */
  constructor(query: Query, pages: readonly number[], mayRedirect: () => boolean) {
    this.#query = query
    this.#pages = pages
    this.#mayRedirect = mayRedirect
  }

  /**
   * Whether words and pages tell which changes concern the answer. Phrases depend on the order of words, and categories
   * may come from templates. An answer without pages may suggest another spelling, which depends on any word.
   */
  get isPossible(): boolean {
    const { terms, prefixes, phrases, categories, excludedCategories } = this.#query
    if (categories.length + excludedCategories.length > 0) return false
    return phrases.length === 0 && terms.length + prefixes.length > 0 && this.#pages.length > 0
  }

  isConcernedBy(change: SearchChange): boolean {
    const { terms, prefixes, excluded, unfinished } = this.#query
    return (
      terms.some((term) => spellingsIn(term).some((each) => change.hasTerm(each))) ||
      excluded.some((term) => change.hasTerm(term)) ||
      prefixes.some((prefix) => hasBeginning(change, prefix)) ||
      (unfinished !== undefined && hasBeginning(change, unfinished)) ||
      this.#pages.some((page) => change.hasPage(page)) ||
      (change.titlesChange && this.#mayRedirect())
    )
  }
}

const hasBeginning = (change: SearchChange, prefix: string): boolean =>
  spellingsIn(prefix).some((each) => change.hasBeginning(each))
