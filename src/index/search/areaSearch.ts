/** Search in one namespace: its matching pages with their scores. */
import {
  ascending,
  bestOf,
  dropWith,
  frequencyOf,
  matchAll,
  narrow,
  type SlotWeights,
  unite,
  type WeightedList,
} from './matching.js'
import { Candidates } from './candidates.js'
import { idf, IMPACTS } from '../rows/impact.js'
import { REDIRECT_AREA } from '../rows/areas.js'
import { type Postings, POSTINGS_PER_ROW } from '../rows/postingRow.js'
import type { Query } from './query.js'
import type { RecentLists } from './recent/recentLists.js'
import type { Scratch } from './scratch.js'
import type { IndexTables } from '../rows/tables.js'
import { type CompletionBounds, WIDE } from './termCompletions.js'
import type { TermList } from './termList.js'
import { mergePostings, type PostingBudget, TermLists, UNLIMITED } from './termLists.js'

/** The terms and prefixes that every page must have. */
export interface Wanted extends Pick<Query, 'terms' | 'prefixes'> {
  /** Limits for the expansion of prefixes. */
  readonly bounds: CompletionBounds
  /** The only pages that may be found; undefined for any. */
  readonly among?: TermList | undefined
}

export interface AreaMatches {
  /** Pages whose text matches. Those whose title matches too have the scores of both added. */
  readonly pages: Candidates
  /** Pages whose own title has all terms. */
  readonly byTitle: Candidates
  /** Redirects whose title has all terms. */
  readonly redirects: Candidates
}

/**
 * Reading more postings takes a good part of a millisecond. Such a query starts from the strong postings of its common
 * words, or from the best pages of its rarest word.
 */
const EXACT_POSTINGS = 100_000
/** Number of pages to look up in the long lists of the other words, when reading all would take too long. */
const PROBED_PAGES = 500
/** Number of further pages to look up that were found by their titles. */
const PROBED_TITLES = 100
/** Redirects to look at for `mayRedirect`, which then takes some microseconds. */
const LOOKED_REDIRECTS = 100
const NONE = new Candidates(0)
const NO_WEIGHTS: SlotWeights = IMPACTS.map(() => 0)

export class AreaSearch {
  readonly #body: TermLists
  readonly #strong: TermLists
  readonly #titles: TermLists
  readonly #redirects: TermLists
  readonly #scratch: Scratch

  constructor(tables: IndexTables, namespace: number, scratch: Scratch, recent?: RecentLists) {
    this.#scratch = scratch
    const lists = (table: 'bodyPostings' | 'strongPostings' | 'titlePostings', area: number): TermLists =>
      new TermLists(tables[table], area, scratch, recent?.of(table, area))
    this.#body = lists('bodyPostings', namespace)
    this.#strong = lists('strongPostings', namespace)
    this.#titles = lists('titlePostings', namespace)
    this.#redirects = lists('titlePostings', namespace | REDIRECT_AREA)
  }

  /** Number of pages whose text has a term. */
  frequencyOf(term: string): number {
    return this.#body.find(term)?.frequency ?? 0
  }

  /** Estimated number of postings to read for an answer. */
  estimate({ terms, prefixes, bounds }: Wanted): number {
    const frequencies: number[] = []
    for (const term of terms) {
      const frequency = this.frequencyOf(term)
      if (frequency === 0) return 0
      frequencies.push(frequency)
    }
    for (const prefix of prefixes) {
      const completions = this.#body.findCompletions(prefix, bounds)
      frequencies.push(completions.reduce((sum, { frequency }) => sum + frequency, 0))
    }
    return costOf(frequencies)
  }

  /** Matching pages. When there are too many to read all, at least `count` of the best. */
  match(wanted: Wanted, excluded: readonly string[], count: number, budget: PostingBudget): AreaMatches {
    for (const lists of [this.#body, this.#titles, this.#redirects]) lists.expect(wanted)
    const weighted = weigh(this.#body, wanted, budget)
    if (weighted === undefined) {
      // Texts include their titles. A term that no text has can only be in titles of redirects.
      return { pages: NONE, byTitle: NONE, redirects: matchWanted(this.#redirects, wanted, budget) }
    }
    const ordered = { ...wanted, terms: rarestFirst(this.#body, wanted.terms) }
    const byTitle = matchWanted(this.#titles, ordered, budget)
    const redirects = matchWanted(this.#redirects, ordered, budget)
    const { among } = wanted
    const texts =
      among === undefined
        ? this.#matchTexts(weighted, byTitle, count, budget)
        : matchAll(this.#body, [...weighted, { list: among, weights: NO_WEIGHTS }], budget)
    const pages = addScores(texts, byTitle)
    return { pages: this.exclude(pages, excluded, budget), byTitle, redirects }
  }

  /** Whether the title of a redirect has the terms. Also true if finding out would take long. */
  mayRedirect(terms: readonly string[]): boolean {
    if (terms.length === 0) return true
    const weighted = weigh(this.#redirects, { terms, prefixes: [], bounds: WIDE }, UNLIMITED)
    if (weighted === undefined) return false
    const rarest = Math.min(...weighted.map(({ list }) => list.frequency))
    return rarest > LOOKED_REDIRECTS || matchAll(this.#redirects, weighted, UNLIMITED).length > 0
  }

  /** The candidates whose text has none of these terms. */
  exclude(candidates: Candidates, excluded: readonly string[], budget: PostingBudget): Candidates {
    let kept = candidates
    for (const term of excluded) {
      const list = kept.length === 0 ? undefined : this.#body.find(term)
      if (list !== undefined) kept = dropWith(kept, this.#body, list, budget)
    }
    return kept
  }

  #matchTexts(
    terms: readonly WeightedList[],
    byTitle: Candidates,
    count: number,
    budget: PostingBudget,
  ): Candidates {
    if (terms.length === 0) return NONE
    if (costOf(terms.map(({ list }) => list.frequency)) > EXACT_POSTINGS) {
      const found = this.#matchBest(terms, byTitle, budget)
      if (found.length >= count) return found
    }
    return matchAll(this.#body, terms, budget)
  }

  /** Some of the best pages that have all terms, without reading the longest lists. */
  #matchBest(terms: readonly WeightedList[], byTitle: Candidates, budget: PostingBudget): Candidates {
    const strong = terms.map(({ list: { term, hasMore }, weights }) => {
      const list = hasMore ? this.#strong.find(term) : undefined
      return list && { list, weights }
    })
    const found = strong.every((list) => list !== undefined)
      ? matchAll(this.#strong, strong, budget)
      : this.#probe(terms, budget)
    // Always include the best pages whose titles have the words: sampling must not lose them.
    const titled = bestOf(byTitle, PROBED_TITLES, this.#scratch)
    titled.scores.fill(0, 0, titled.length)
    return unite(found, narrow(this.#body, titled, terms, budget), this.#scratch)
  }

  /** Looks up the best pages of the rarest term in the lists of the others. */
  #probe(terms: readonly WeightedList[], budget: PostingBudget): Candidates {
    const [rarest, ...others] = ascending(terms, frequencyOf)
    const best = bestOf(matchAll(this.#body, [rarest!], budget), PROBED_PAGES, this.#scratch)
    return narrow(this.#body, best, others, budget)
  }
}

/** Postings that a query reads. Of a long list, these are only the rows near pages of the rarest term. */
function costOf(frequencies: readonly number[]): number {
  if (frequencies.length === 0) return 0
  const rarest = Math.min(...frequencies)
  return frequencies.reduce((sum, frequency) => sum + Math.min(frequency, rarest * POSTINGS_PER_ROW), 0)
}

/** Titles most likely lack terms that few texts have, so check those first. */
function rarestFirst(lists: TermLists, terms: readonly string[]): readonly string[] {
  return terms.length < 2 ? terms : ascending(terms, (term) => lists.find(term)?.frequency ?? 0)
}

function matchWanted(lists: TermLists, wanted: Wanted, budget: PostingBudget): Candidates {
  const weighted = weigh(lists, wanted, budget)
  return weighted === undefined || weighted.length === 0 ? NONE : matchAll(lists, weighted, budget)
}

/** The lists of all terms and prefixes; undefined when one is empty. */
function weigh(
  lists: TermLists,
  { terms, prefixes, bounds }: Wanted,
  budget: PostingBudget,
): WeightedList[] | undefined {
  const found: TermList[] = []
  for (const term of terms) {
    const list = lists.find(term)
    if (list === undefined) return undefined
    found.push(list)
  }
  const rarest = prefixes.length === 0 ? undefined : rarestWhole(found)
  for (const prefix of prefixes) {
    const list = uniteCompletions(lists, prefix, bounds, budget, rarest?.first)
    if (list === undefined) return undefined
    found.push(list)
  }
  if (found.length === 0) return []
  const documents = lists.countPages()
  return found.map((list) => ({ list, weights: weightsOf(list, documents) }))
}

/** The rarest of those lists that have all their postings in the first row. */
function rarestWhole(lists: readonly TermList[]): TermList | undefined {
  let rarest: TermList | undefined
  for (const list of lists) {
    if (!list.hasMore && (rarest === undefined || list.frequency < rarest.frequency)) rarest = list
  }
  return rarest
}

function weightsOf({ frequency }: TermList, documents: number): SlotWeights {
  const rarity = idf(frequency, documents)
  return IMPACTS.map((impact) => impact * rarity)
}

/**
 * Merges all terms that begin with a prefix into one list. A page gets its best slot of any of them. With `among`, the
 * list has only pages of these postings, since no other page matches the query.
 */
function uniteCompletions(
  lists: TermLists,
  prefix: string,
  bounds: CompletionBounds,
  budget: PostingBudget,
  among: Postings | undefined,
): TermList | undefined {
  const completions = lists.findCompletions(prefix, bounds).flatMap(({ term }) => lists.find(term) ?? [])
  if (completions.length <= 1) return completions[0]
  // Shortest first, so that the longest list is copied only once.
  const parts = completions
    .map((list) => (among === undefined ? lists.readAll(list, budget) : lists.readAmong(list, among, budget)))
    .sort((a, b) => a.length - b.length)
  const united = parts.reduce((sum, part) => mergePostings(sum, part, lists.scratch))
  const known = completions.reduce((sum, list) => sum + list.frequency, 0)
  const frequency = among === undefined ? united.length : Math.min(known, lists.countPages())
  return { term: prefix, frequency, first: united, hasMore: false, kept: undefined }
}

/** Adds scores to the pages that are in both lists. */
function addScores(pages: Candidates, added: Candidates): Candidates {
  let n = 0
  for (let at = 0; at < added.length; at++) {
    while (n < pages.length && pages.pages[n]! < added.pages[at]!) n++
    if (n < pages.length && pages.pages[n] === added.pages[at]) pages.scores[n]! += added.scores[at]!
  }
  return pages
}
