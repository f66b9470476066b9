/** Full-text search: finds the pages for a query, best first. */
import { type AreaMatches, AreaSearch, type Wanted } from './areaSearch.js'
import { phraseForms, standsIn } from './byteSearch.js'
import { BestPages } from './bestPages.js'
import { Candidates } from './candidates.js'
import { cutFolded } from '../titles/completions.js'
import { foldText, foldTitle } from '../text/fold.js'
import { IndexedRowView } from '../rows/indexedRow.js'
import { phrasePattern, type Query } from './query.js'
import { Scratch } from './scratch.js'
import type { IndexTables } from '../rows/tables.js'
import { type PostingBudget, NARROW, WIDE } from './termLists.js'

/** The facts about the wiki that the search needs. */
export interface PageDirectory {
  pageIdOf(namespace: number, dbkey: string): number | undefined
  /** Ids of all namespaces that may contain pages. */
  namespaces(): readonly number[]
}

/** A result of a query. */
export interface Hit {
  readonly pageId: number
  /** The redirect that matched in place of the page's own title. */
  readonly redirectId: number | undefined
}

/** Postings to read per query, which takes about 20 ms. Longer lists are sampled evenly over all pages. */
const MAX_POSTINGS = 4_000_000
/** Redirects to follow per query. */
const MAX_REDIRECTS = 100
/** Number of best pages whose texts are checked for the words as a sequence. */
const RERANKED = 50
/** Texts to search for quoted phrases, and the cost of each in postings. */
const MAX_PHRASE_TEXTS = 500
const POSTINGS_PER_TEXT = 10_000
const EXACT_TITLE_FACTOR = 2
const PHRASE_FACTOR = 2

interface ExactTitles {
  readonly pages: readonly number[]
  readonly redirects: ReadonlySet<number>
}

const NO_TITLES: ExactTitles = { pages: [], redirects: new Set() }

interface Found {
  readonly page: number
  readonly score: number
}

export class Searcher {
  readonly #tables: IndexTables
  readonly #directory: PageDirectory
  readonly #scratch = new Scratch()

  constructor(tables: IndexTables, directory: PageDirectory) {
    this.#tables = tables
    this.#directory = directory
  }

  /**
   * At most `limit` pages, best first. When too few have the complete last word, pages follow in which it is a prefix.
   * Undefined when the estimate of postings to read exceeds `maxPostings`, before any is read.
   */
  search(query: Query, limit: number): Hit[]
  search(query: Query, limit: number, maxPostings: number): Hit[] | undefined
  search(query: Query, limit: number, maxPostings = Number.POSITIVE_INFINITY): Hit[] | undefined {
    this.#scratch.reset()
    const areas = (query.namespaces ?? this.#directory.namespaces()).map((namespace): Area => {
      return { namespace, search: new AreaSearch(this.#tables, namespace, this.#scratch) }
    })
    const { terms, prefixes, unfinished } = query
    const hits = this.#run(query, areas, { terms, prefixes, bounds: WIDE }, limit, maxPostings)
    if (hits === undefined || unfinished === undefined || hits.length >= limit) return hits
    const wanted = {
      terms: terms.filter((term) => term !== unfinished),
      prefixes: [...prefixes, unfinished],
      bounds: NARROW,
    }
    const more = this.#run(query, areas, wanted, limit, maxPostings)
    if (more === undefined) return undefined
    const known = new Set(hits.map(({ pageId }) => pageId))
    return [...hits, ...more.filter(({ pageId }) => !known.has(pageId))].slice(0, limit)
  }

  #run(
    query: Query,
    areas: readonly Area[],
    wanted: Wanted,
    limit: number,
    maxPostings: number,
  ): Hit[] | undefined {
    if (maxPostings < Infinity && estimate(query, areas, wanted) > maxPostings) return undefined
    return new Search(this.#tables, this.#directory, query, this.#scratch).run(areas, wanted, limit)
  }
}

/** A namespace to search. */
interface Area {
  readonly namespace: number
  readonly search: AreaSearch
}

/** Estimated number of postings to read. Takes one lookup per term. */
function estimate({ phrases }: Query, areas: readonly Area[], wanted: Wanted): number {
  const postings = areas.reduce((sum, { search }) => sum + search.estimate(wanted), 0)
  return phrases.length === 0 ? postings : postings + Math.min(postings, MAX_PHRASE_TEXTS) * POSTINGS_PER_TEXT
}

/** One run of a query over some namespaces. */
class Search {
  readonly #tables: IndexTables
  readonly #directory: PageDirectory
  readonly #query: Query
  readonly #scratch: Scratch
  readonly #budget: PostingBudget = { left: MAX_POSTINGS }
  /** By target page: the best redirect that leads to it. */
  readonly #redirects = new Map<number, number>()

  constructor(tables: IndexTables, directory: PageDirectory, query: Query, scratch: Scratch) {
    this.#tables = tables
    this.#directory = directory
    this.#query = query
    this.#scratch = scratch
  }

  run(areas: readonly Area[], wanted: Wanted, limit: number): Hit[] {
    const { phrases, wholePhrase } = this.#query
    const looked = phrases.length > 0 ? MAX_PHRASE_TEXTS : wholePhrase === undefined ? 0 : RERANKED
    // Redirects may lead from two namespaces to the same page.
    const best = new BestPages(Math.max(limit * Math.min(2, areas.length), looked))
    for (const area of areas) this.#searchArea(area, wanted, Math.max(limit, looked), best)
    const ranked = distinct(best.ranked())
    const found = phrases.length > 0 ? this.#withPhrases(ranked, limit) : this.#rerank(ranked)
    return found.slice(0, limit).map(({ page }) => ({ pageId: page, redirectId: this.#redirects.get(page) }))
  }

  #searchArea({ namespace, search }: Area, wanted: Wanted, count: number, best: BestPages): void {
    const matches = search.match(wanted, this.#query.excluded, count, this.#budget)
    const isEmpty = wanted.terms.length === 0 && wanted.prefixes.length === 0
    // A title equal to the query has all of its words.
    const hasTitles = isEmpty || matches.byTitle.length > 0 || matches.redirects.length > 0
    const exact = hasTitles ? this.#exactTitles(namespace) : NO_TITLES
    for (const page of exact.pages) {
      const at = matches.pages.indexOf(page)
      if (at >= 0) matches.pages.scores[at]! *= EXACT_TITLE_FACTOR
      // A title without words has no terms, so only this lookup finds it.
      else if (isEmpty) best.offer(page, 0)
    }
    if (matches.redirects.length > 0) this.#followRedirects(matches, exact.redirects, best)
    const { pages, scores, length } = matches.pages
    for (let n = 0; n < length; n++) best.offer(pages[n]!, scores[n]!)
  }

  /** Pages and redirects of a namespace whose folded title equals the query. */
  #exactTitles(namespace: number): ExactTitles {
    const folded = cutFolded(foldTitle(this.#query.text.trimEnd()))
    const pages: number[] = []
    const redirects = new Set<number>()
    const range = { start: [namespace, folded, 0, 0], end: [namespace, folded, 2, 0] } as const
    for (const [, , redirect, pageId] of this.#tables.completion.getKeys(range)) {
      if (redirect === 0) pages.push(pageId)
      else redirects.add(pageId)
    }
    return { pages, redirects }
  }

  /** Replaces redirects with their targets, except where the target's own title matched. */
  #followRedirects(
    { pages, byTitle, redirects }: AreaMatches,
    exact: ReadonlySet<number>,
    best: BestPages,
  ): void {
    const found = new BestPages(MAX_REDIRECTS)
    for (let n = 0; n < redirects.length; n++) {
      const page = redirects.pages[n]!
      found.offer(page, redirects.scores[n]! * (exact.has(page) ? EXACT_TITLE_FACTOR : 1))
    }
    for (const { page: redirectId, score } of found.ranked()) {
      const target = this.#targetOf(redirectId)
      if (target === undefined || byTitle.indexOf(target) >= 0 || this.#redirects.has(target)) continue
      const at = pages.indexOf(target)
      if (at < 0 && this.#isExcluded(target)) continue
      this.#redirects.set(target, redirectId)
      if (at >= 0) pages.scores[at]! += score
      else best.offer(target, score)
    }
  }

  #targetOf(redirectId: number): number | undefined {
    const target = this.#view(redirectId)?.target
    if (target === undefined) return undefined
    const pageId = this.#directory.pageIdOf(target.namespace, target.dbkey)
    return pageId === redirectId ? undefined : pageId
  }

  #isExcluded(page: number): boolean {
    const { excluded } = this.#query
    const view = excluded.length > 0 ? this.#view(page) : undefined
    if (view === undefined) return false
    const one = new Candidates(1)
    one.push(page, 0)
    return (
      new AreaSearch(this.#tables, view.namespace, this.#scratch).exclude(one, excluded, this.#budget)
        .length === 0
    )
  }

  #view(page: number): IndexedRowView | undefined {
    const row = this.#tables.indexed.getBinaryFast(page)
    return row === undefined ? undefined : new IndexedRowView(row.subarray(0, row.length))
  }

  /** Doubles the score of pages that contain the words as a sequence, and sorts again. */
  #rerank(ranked: readonly Found[]): Found[] {
    const { wholePhrase } = this.#query
    if (wholePhrase === undefined || ranked.length < 2) return [...ranked]
    const forms = phraseForms(wholePhrase)
    return ranked
      .map(({ page, score }, n) => {
        const view = n < RERANKED ? this.#view(page) : undefined
        return {
          page,
          score: view !== undefined && standsIn(view.row, forms) ? score * PHRASE_FACTOR : score,
        }
      })
      .sort((a, b) => b.score - a.score || a.page - b.page)
  }

  /** The first pages whose title or text contains every quoted phrase. */
  #withPhrases(ranked: readonly Found[], limit: number): Found[] {
    const patterns = this.#query.phrases.map(phrasePattern)
    const found: Found[] = []
    for (const entry of ranked) {
      if (found.length >= limit) break
      const redirect = this.#redirects.get(entry.page)
      const redirectTitle = redirect === undefined ? '' : (this.#view(redirect)?.title ?? '')
      const folded = foldText(`${redirectTitle}\n${this.#view(entry.page)?.body ?? ''}`)
      if (patterns.every((pattern) => pattern.test(folded))) found.push(entry)
    }
    return found
  }
}

/** Removes duplicates: a redirect's target may be found in two namespaces, and its better rank counts. */
function distinct(ranked: readonly Found[]): Found[] {
  const seen = new Set<number>()
  return ranked.filter(({ page }) => !seen.has(page) && seen.add(page))
}
