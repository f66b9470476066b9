/** Full-text search: from a query to the pages that answer it, best first. */
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

/** What the search asks of the wiki. */
export interface PageDirectory {
  pageIdOf(namespace: number, dbkey: string): number | undefined
  /** Numbers of all namespaces that may hold pages. */
  namespaces(): readonly number[]
}

/** A page that answers a query. */
export interface Hit {
  readonly pageId: number
  /** The redirect that was found in the page's place, when the page's own title was not. */
  readonly redirectId: number | undefined
}

/** Postings that are read for one query: of longer lists only so many, evenly over all pages. Takes some 20 ms. */
const MAX_POSTINGS = 4_000_000
/** Redirects that are followed for one query. */
const MAX_REDIRECTS = 100
/** Best pages whose texts are looked at for the words in a row. */
const RERANKED = 50
/** Texts that are searched for phrases in quotation marks, and what each counts as in postings. */
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
   * At most `limit` pages, best first. Where too few have the last word as a whole, pages follow that have a word which
   * begins with it. Undefined when more than `maxPostings` may have to be read: that is known before they are.
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

/** A namespace that is searched. */
interface Area {
  readonly namespace: number
  readonly search: AreaSearch
}

/** Postings to be read, about. Costs a lookup for each term. */
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
  /** By page: the redirect that leads to it, the best first. */
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
    // Two namespaces may give the same page, as the target of redirects.
    const best = new BestPages(Math.max(limit * Math.min(2, areas.length), looked))
    for (const area of areas) this.#searchArea(area, wanted, Math.max(limit, looked), best)
    const ranked = distinct(best.ranked())
    const found = phrases.length > 0 ? this.#withPhrases(ranked, limit) : this.#rerank(ranked)
    return found.slice(0, limit).map(({ page }) => ({ pageId: page, redirectId: this.#redirects.get(page) }))
  }

  #searchArea({ namespace, search }: Area, wanted: Wanted, count: number, best: BestPages): void {
    const matches = search.match(wanted, this.#query.excluded, count, this.#budget)
    const isEmpty = wanted.terms.length === 0 && wanted.prefixes.length === 0
    // A title that is the query has all of its words.
    const hasTitles = isEmpty || matches.byTitle.length > 0 || matches.redirects.length > 0
    const exact = hasTitles ? this.#exactTitles(namespace) : NO_TITLES
    for (const page of exact.pages) {
      const at = matches.pages.indexOf(page)
      if (at >= 0) matches.pages.scores[at]! *= EXACT_TITLE_FACTOR
      // A title of nothing but signs has no terms: it is found as a whole.
      else if (isEmpty) best.offer(page, 0)
    }
    if (matches.redirects.length > 0) this.#followRedirects(matches, exact.redirects, best)
    const { pages, scores, length } = matches.pages
    for (let n = 0; n < length; n++) best.offer(pages[n]!, scores[n]!)
  }

  /** Pages and redirects of a namespace whose folded title is the query. */
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

  /** Lets redirects that were found stand for their targets, unless the target's own title was found. */
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

  /** Raises pages that have the words in a row. */
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

  /** The first pages whose title or text has every phrase in quotation marks. */
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

/** A redirect's target may have been found in two namespaces: the better place counts. */
function distinct(ranked: readonly Found[]): Found[] {
  const seen = new Set<number>()
  return ranked.filter(({ page }) => !seen.has(page) && seen.add(page))
}
