/** Full-text search: finds the pages for a query, best first. */
import { AreaSearch, type Wanted } from './areaSearch.js'
import { type CategoryDirectory, CategoryFilter } from './categoryFilter.js'
import { REDIRECT_AREA } from '../rows/areas.js'
import { type LetterSpellings, OR, someLooks } from './letterSpellings.js'
import type { Query } from './query.js'
import { type ChangeHistory, Moment } from './recent/moment.js'
import { RecentLists } from './recent/recentLists.js'
import { RecentPages } from './recent/recentPages.js'
import { RecentTargets, type PageDirectory } from './recent/recentTargets.js'
import { countReranked } from './rerank.js'
import { Scratch } from './scratch.js'
import { type Area, type Hit, MAX_PHRASE_TEXTS, SearchRun } from './searchRun.js'
import type { IndexTables } from '../rows/tables.js'
import { suggest, unknownTerms } from './spelling.js'
import { NARROW, WIDE } from './termCompletions.js'
import { TermLists } from './termLists.js'

export type { PageDirectory } from './recent/recentTargets.js'
export type { Hit } from './searchRun.js'

/** Cost of searching one text for quoted phrases, in postings. */
const POSTINGS_PER_TEXT = 10_000
/** Cost of looking for the words in one of the best texts. */
const POSTINGS_PER_RERANKED = 15

export class Searcher {
  readonly #tables: IndexTables
  readonly #directory: PageDirectory
  readonly #categories: CategoryDirectory
  readonly #scratch = new Scratch()
  readonly #moment: Moment
  readonly #recentLists: RecentLists
  /** Rows of pages as of this search. */
  readonly pages: RecentPages
  readonly targets: RecentTargets

  constructor(
    tables: IndexTables,
    directory: PageDirectory,
    categories: CategoryDirectory,
    history: ChangeHistory,
  ) {
    this.#tables = tables
    this.#directory = directory
    this.#categories = categories
    this.#moment = new Moment(history)
    this.#recentLists = new RecentLists(this.#moment)
    this.pages = new RecentPages(this.#moment, tables.indexed)
    this.targets = new RecentTargets(this.#moment, directory)
  }

  /** Call it before each search and each completion, since the snapshot may be another one. */
  renew(): void {
    this.#moment.renew()
  }

  /**
   * At most `limit` pages, best first. When too few have the complete last word, pages follow in which it is a prefix.
   * Undefined when the estimate of postings to read exceeds `maxPostings`, before any is read, and for categories.
   */
  search(query: Query, limit: number): Hit[]
  search(query: Query, limit: number, maxPostings: number): Hit[] | undefined
  search(query: Query, limit: number, maxPostings = Number.POSITIVE_INFINITY): Hit[] | undefined {
    const isFiltered = query.categories.length + query.excludedCategories.length > 0
    if (isFiltered && maxPostings < Infinity) return undefined
    const areas = this.#areas(query)
    const { terms, prefixes, unfinished } = query
    const filter = isFiltered ? new CategoryFilter(this.#categories, query) : undefined
    const among = terms.length + prefixes.length > 0 ? filter?.list() : undefined
    const hits = this.#run(query, areas, { terms, prefixes, bounds: WIDE, among }, limit, maxPostings, filter)
    if (hits === undefined || unfinished === undefined || hits.length >= limit) return hits
    const wanted = {
      terms: terms.filter((term) => term !== unfinished),
      prefixes: [...prefixes, unfinished],
      ...{ bounds: NARROW, among },
    }
    const more = this.#run(query, areas, wanted, limit, maxPostings, filter)
    if (more === undefined) return undefined
    const known = new Set(hits.map(({ pageId }) => pageId))
    return [...hits, ...more.filter(({ pageId }) => !known.has(pageId))].slice(0, limit)
  }

  /** The query with all spellings of its words that the wiki uses. */
  withSpellings(query: Query, letters: LetterSpellings): Query {
    const { terms, prefixes, excluded, unfinished } = query
    const words = [...terms, ...prefixes, ...excluded].filter((word) => letters.mayDiffer(word))
    if (words.length === 0) return query
    const lists = [...this.#lists(query), ...this.#redirectLists(query)]
    const looks = someLooks()
    const known = new Map(
      words.map((word) => {
        const found = lists.flatMap((list) => letters.among(word, (from) => list.nextTerm(from), looks))
        return [word, [...new Set([word, ...found])].join(OR)] as const
      }),
    )
    const spelt = (word: string): string => known.get(word) ?? word
    return {
      ...query,
      terms: terms.map(spelt),
      prefixes: prefixes.map(spelt),
      excluded: excluded.map(spelt),
      unfinished: unfinished === undefined ? undefined : spelt(unfinished),
    }
  }

  /**
   * The query in another spelling, for one that found nothing; undefined if its words are known, or there is none.
   * Takes some milliseconds.
   */
  suggest(query: Query): string | undefined {
    return suggest(query, this.#lists(query), (corrected) => this.search(corrected, 1).length > 0)
  }

  /** Tells if `suggest` has to look for another spelling. Takes one lookup per term. */
  maySuggest(query: Query): boolean {
    return unknownTerms(query, this.#lists(query)).length > 0
  }

  /** Whether the title of a redirect has all complete words of the query. Takes microseconds for each namespace. */
  mayRedirect(query: Query): boolean {
    const terms = query.terms.filter((term) => term !== query.unfinished)
    return this.#areas(query).some(({ search }) => search.mayRedirect(terms))
  }

  #areas({ namespaces }: Query): Area[] {
    this.#scratch.reset()
    return (namespaces ?? this.#directory.namespaces()).map((namespace) => {
      return { namespace, search: new AreaSearch(this.#tables, namespace, this.#scratch, this.#recentLists) }
    })
  }

  #lists({ namespaces }: Query): TermLists[] {
    const searched = namespaces ?? this.#directory.namespaces()
    return searched.map((namespace) => new TermLists(this.#tables.bodyPostings, namespace))
  }

  #redirectLists({ namespaces }: Query): TermLists[] {
    const searched = namespaces ?? this.#directory.namespaces()
    return searched.map((namespace) => new TermLists(this.#tables.titlePostings, namespace | REDIRECT_AREA))
  }

  #run(
    query: Query,
    areas: readonly Area[],
    wanted: Wanted,
    limit: number,
    maxPostings: number,
    filter: CategoryFilter | undefined,
  ): Hit[] | undefined {
    if (maxPostings < Infinity && estimate(query, areas, wanted) > maxPostings) return undefined
    const tools = {
      index: this.#tables,
      pages: this.pages,
      targets: this.targets,
      scratch: this.#scratch,
    }
    return new SearchRun(tools, query, limit, filter).run(areas, wanted)
  }
}

/** Estimated number of postings to read. Takes one lookup per term. */
function estimate(query: Query, areas: readonly Area[], wanted: Wanted): number {
  const postings = areas.reduce((sum, { search }) => sum + search.estimate(wanted), 0)
  return query.phrases.length === 0
    ? postings + Math.min(postings, countReranked(query)) * POSTINGS_PER_RERANKED
    : postings + Math.min(postings, MAX_PHRASE_TEXTS) * POSTINGS_PER_TEXT
}
