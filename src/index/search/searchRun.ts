/** One run of a query over some namespaces. */
import { type AreaMatches, AreaSearch, type Wanted } from './areaSearch.js'
import { BestPages, type Scored } from './bestPages.js'
import { bestOf } from './matching.js'
import { Candidates } from './candidates.js'
import { cutFolded } from '../rows/completions.js'
import { foldText, foldTitle } from '../text/fold.js'
import type { IndexedRowView } from '../rows/indexedRow.js'
import { phrasePattern, type Query } from './query.js'
import type { RecentPages } from './recent/recentPages.js'
import type { RecentTargets } from './recent/recentTargets.js'
import { countReranked, rerank } from './rerank.js'
import type { CategoryFilter } from './categoryFilter.js'
import type { Scratch } from './scratch.js'
import type { IndexTables } from '../rows/tables.js'
import type { PostingBudget } from './termLists.js'
import { visitSegments } from '../text/segments.js'
import { hasSpellings, usualSpelling } from './letterSpellings.js'

/** A result of a query. */
export interface Hit {
  readonly pageId: number
  /** The redirect that matched in place of the page's own title. */
  readonly redirectId: number | undefined
}

/** A namespace to search. */
export interface Area {
  readonly namespace: number
  readonly search: AreaSearch
}

/** Sources and memory that all runs of a searcher share. */
export interface RunTools {
  readonly index: IndexTables
  readonly pages: RecentPages
  readonly targets: RecentTargets
  readonly scratch: Scratch
}

/** Postings to read per query, which takes about 20 ms. Longer lists are sampled evenly over all pages. */
const MAX_POSTINGS = 4_000_000
/** Redirects to follow per query, at least; otherwise as many as results. */
const MIN_REDIRECTS = 20
/** Number of titles and redirects with all words to compare with the query. */
const MAX_TITLES = 20
/** Texts to search for quoted phrases, and pages whose categories to read. */
export const MAX_PHRASE_TEXTS = 500
/** Factors for titles that contain the query in a row, at their beginning or elsewhere. */
const BEGINS_FACTOR = 1.5
const CONTAINS_FACTOR = 1.25

/**
 * Pages with a title equal to the query come first. Equal accents count most, and equal signs count more than being no
 * redirect's title.
 */
const Tier = { redirectEquals: 1, equals: 2, redirectExact: 3, exact: 4, typed: 5 } as const

interface ExactTitles {
  readonly pages: readonly number[]
  readonly redirects: ReadonlySet<number>
}

const NO_TITLES: ExactTitles = { pages: [], redirects: new Set() }

export class SearchRun {
  readonly #tables: IndexTables
  readonly #pages: RecentPages
  readonly #targets: RecentTargets
  readonly #query: Query
  readonly #scratch: Scratch
  readonly #limit: number
  /** Present if results must be members of categories, or must not. */
  readonly #filter: CategoryFilter | undefined
  readonly #budget: PostingBudget = { left: MAX_POSTINGS }
  /** By target page: the best redirect that leads to it. */
  readonly #redirects = new Map<number, number>()
  readonly #titles: TitleMatcher
  /** The pages before all others, with their scores. */
  readonly #tiers = new Map<number, { readonly tier: number; readonly score: number }>()

  constructor(
    { index, pages, targets, scratch }: RunTools,
    query: Query,
    limit: number,
    filter: CategoryFilter | undefined,
  ) {
    this.#filter = filter
    this.#tables = index
    this.#pages = pages
    this.#targets = targets
    this.#query = query
    this.#scratch = scratch
    this.#limit = limit
    this.#titles = new TitleMatcher(query.text)
  }

  run(areas: readonly Area[], wanted: Wanted): Hit[] {
    const limit = this.#limit
    const { phrases } = this.#query
    if (wanted.terms.length + wanted.prefixes.length === 0 && this.#filter !== undefined)
      return this.#listMembers(areas, this.#filter)
    const isFiltered = phrases.length > 0 || this.#filter !== undefined
    const looked = isFiltered ? MAX_PHRASE_TEXTS : countReranked(this.#query)
    // Redirects may lead from two namespaces to the same page.
    const best = new BestPages(Math.max(limit * Math.min(2, areas.length), looked))
    for (const area of areas) this.#searchArea(area, wanted, Math.max(limit, looked), best)
    const all = areas.length < 2 ? best.ranked() : distinct(best.ranked())
    const ranked = this.#filter === undefined ? all : all.filter(({ page }) => this.#filter?.admits(page))
    const found =
      phrases.length > 0
        ? this.#withPhrases(this.#tiersFirst(ranked), limit)
        : this.#tiersFirst(this.#rerank(ranked, wanted, areas))
    return found.slice(0, limit).map(({ page }) => ({ pageId: page, redirectId: this.#redirects.get(page) }))
  }

  /** Members of the category, in its order, for a query without words. */
  #listMembers(areas: readonly Area[], filter: CategoryFilter): Hit[] {
    const searched = new Map(areas.map((area) => [area.namespace, area.search]))
    const found: Hit[] = []
    for (const pageId of filter.members()) {
      if (found.length === this.#limit) break
      const view = this.#view(pageId)
      const isWanted = view !== undefined && !view.isRedirect && searched.has(view.namespace)
      if (isWanted && !this.#isExcluded(pageId) && filter.admits(pageId))
        found.push({ pageId, redirectId: undefined })
    }
    return found
  }

  #searchArea({ namespace, search }: Area, wanted: Wanted, count: number, best: BestPages): void {
    this.#tables.completion.expect(() => [[namespace, this.#folded, 0, 0]])
    const matches = search.match(wanted, this.#query.excluded, count, this.#budget)
    const isEmpty = wanted.terms.length === 0 && wanted.prefixes.length === 0
    // A title equal to the query has all of its words.
    const hasTitles = isEmpty || matches.byTitle.length > 0 || matches.redirects.length > 0
    const exact = hasTitles ? this.#exactTitles(namespace) : NO_TITLES
    // A title without words has no terms, so only this lookup finds it.
    if (isEmpty) for (const page of exact.pages) best.offer(page, 0)
    this.#raiseTitles(matches, exact.pages)
    if (matches.redirects.length > 0) this.#followRedirects(matches, exact.redirects, best)
    best.offerAll(matches.pages)
  }

  /** Raises the pages whose own titles equal the query, or contain it in a row. */
  #raiseTitles({ pages, byTitle }: AreaMatches, exact: readonly number[]): void {
    for (const page of exact) this.#lift(page, this.#tierOfExact(page, exact), pages)
    if (byTitle.length === 0) return
    const titles = bestOf(byTitle, MAX_TITLES, this.#scratch)
    this.#pages.expect(() => [...titles.pages.subarray(0, titles.length)])
    for (let n = 0; n < titles.length; n++) {
      const page = titles.pages[n]!
      const title = this.#tiers.has(page) ? undefined : this.#view(page)?.title
      const match = title === undefined ? TitleMatch.none : this.#titles.match(title)
      const at = match === TitleMatch.none ? -1 : pages.indexOf(page)
      if (at < 0) continue
      if (match === TitleMatch.equals) this.#lift(page, Tier.equals, pages)
      else pages.scores[at]! *= match === TitleMatch.begins ? BEGINS_FACTOR : CONTAINS_FACTOR
    }
  }

  /** Of a page whose title equals the query, apart from accents. These matter only where another one does, too. */
  #tierOfExact(page: number, exact: readonly number[]): number {
    if (exact.length < 2) return Tier.exact
    const typed = lowerCase(this.#query.text).trimEnd()
    return lowerCase(this.#view(page)?.title ?? '') === typed ? Tier.typed : Tier.exact
  }

  /** Puts one of the pages into a tier, unless it is in a better one. */
  #lift(page: number, tier: number, pages: Candidates): void {
    const at = pages.indexOf(page)
    if (at < 0 || (this.#tiers.get(page)?.tier ?? 0) >= tier) return
    this.#tiers.set(page, { tier, score: pages.scores[at]! })
  }

  /** The pages in tiers, the highest first, and then the others. Keeps the order within a tier. */
  #tiersFirst(ranked: readonly Scored[]): readonly Scored[] {
    if (this.#tiers.size === 0) return ranked
    const first = [...this.#tiers]
      .filter(([page]) => this.#filter?.admits(page) !== false)
      .map(([page, { tier, score }]) => ({ page, tier, score }))
    first.sort((a, b) => b.tier - a.tier || b.score - a.score || a.page - b.page)
    return [...first, ...ranked.filter(({ page }) => !this.#tiers.has(page))]
  }

  /** Pages and redirects of a namespace whose folded title equals the query. */
  #exactTitles(namespace: number): ExactTitles {
    const folded = this.#folded
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
    const followed = this.#bestRedirects(redirects, exact)
    this.#pages.expect(() => followed.map(([page]) => page))
    this.#targets.expect(() => followed.flatMap(([page]) => this.#view(page)?.target ?? []))
    for (const [redirectId, score] of followed) {
      const { title, target } = this.#redirect(redirectId)
      if (target === undefined) continue
      const at = pages.indexOf(target)
      if (at < 0 && this.#isExcluded(target)) continue
      const isNew = byTitle.indexOf(target) < 0 && !this.#redirects.has(target)
      if (isNew) this.#redirects.set(target, redirectId)
      const total = isNew && at >= 0 ? (pages.scores[at]! += score) : score
      const isEqual = this.#titles.match(title) === TitleMatch.equals
      const tier = exact.has(redirectId) ? Tier.redirectExact : isEqual ? Tier.redirectEquals : 0
      if (tier > (this.#tiers.get(target)?.tier ?? 0)) this.#tiers.set(target, { tier, score: total })
      else if (isNew && at < 0) best.offer(target, score)
    }
  }

  /** The redirects to follow, with their scores: exact ones first. */
  #bestRedirects(redirects: Candidates, exact: ReadonlySet<number>): readonly (readonly [number, number])[] {
    const found = new BestPages(Math.max(MIN_REDIRECTS, this.#limit))
    found.offerAll(redirects)
    const ranked = found.ranked().map(({ page, score }) => [page, score] as const)
    const first = [...exact].flatMap((page) => {
      const at = redirects.indexOf(page)
      return at < 0 ? [] : [[page, redirects.scores[at]!] as const]
    })
    return [...first, ...ranked.filter(([page]) => !exact.has(page))]
  }

  /** Own title and target of a redirect; no target if it leads nowhere, or to itself. */
  #redirect(redirectId: number): { readonly title: string; readonly target: number | undefined } {
    const view = this.#view(redirectId)
    const [title, named] = [view?.title ?? '', view?.target]
    const target = named && this.#targets.idOf(named.namespace, named.dbkey)
    return { title, target: target === redirectId ? undefined : target }
  }

  /** The query as a folded title. */
  get #folded(): string {
    return cutFolded(foldTitle(this.#query.text.trimEnd()))
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
    return this.#pages.view(page)
  }

  #rerank(ranked: readonly Scored[], { prefixes }: Wanted, areas: readonly Area[]): readonly Scored[] {
    const { unfinished } = this.#query
    const open = unfinished !== undefined && prefixes.includes(unfinished)
    // Pages of the tiers are taken out of the ranked ones.
    return rerank(ranked, this.#query, open, this.#limit + this.#tiers.size, {
      expect: (pages) => this.#pages.expect(pages),
      viewOf: (page) => this.#view(page),
      frequencyOf: (term) => areas.reduce((sum, { search }) => sum + search.frequencyOf(term), 0),
    })
  }

  /** The first pages whose title or text contains every quoted phrase. */
  #withPhrases(ranked: readonly Scored[], limit: number): Scored[] {
    const patterns = this.#query.phrases.map(phrasePattern)
    const found: Scored[] = []
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

const lowerCase = (text: string): string => text.normalize('NFC').toLowerCase()

/** Removes duplicates: a redirect's target may be found in two namespaces, and its better rank counts. */
function distinct(ranked: readonly Scored[]): Scored[] {
  const seen = new Set<number>()
  return ranked.filter(({ page }) => !seen.has(page) && seen.add(page))
}

// Compares titles with a query, word by word: signs, case and accents make no difference.

/** Relations of a title to a query; a greater one is better. */
const TitleMatch = { none: 0, contains: 1, begins: 2, equals: 3 } as const
type TitleMatch = (typeof TitleMatch)[keyof typeof TitleMatch]

class TitleMatcher {
  readonly #words: readonly string[]
  /** The query has words with several spellings. Titles need one spelling then. */
  readonly #isSpelt: boolean

  constructor(query: string) {
    this.#isSpelt = hasSpellings(query)
    this.#words = foldedWords(query, this.#isSpelt)
  }

  /** Looks for the words of the query, in a row, in a title. */
  match(title: string): TitleMatch {
    const wanted = this.#words
    if (wanted.length === 0) return TitleMatch.none
    const words = foldedWords(title, this.#isSpelt)
    for (let at = 0; at + wanted.length <= words.length; at++) {
      if (!wanted.every((word, n) => words[at + n] === word)) continue
      if (at > 0) return TitleMatch.contains
      return words.length === wanted.length ? TitleMatch.equals : TitleMatch.begins
    }
    return TitleMatch.none
  }
}

function foldedWords(text: string, isSpelt: boolean): string[] {
  const folded = foldText(text)
  const words: string[] = []
  visitSegments(folded, (start, end) => {
    const word = folded.slice(start, end)
    words.push(isSpelt ? usualSpelling(word) : word)
  })
  return words
}
