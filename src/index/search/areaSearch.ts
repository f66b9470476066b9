/** The search in one namespace: which of its pages match, with their scores. */
import { Candidates } from './candidates.js'
import {
  bestOf,
  dropWith,
  matchAll,
  narrow,
  POSTINGS_PER_ROW,
  type SlotWeights,
  unite,
  type WeightedList,
} from './matching.js'
import { idf, IMPACTS, SLOTS } from '../rows/impact.js'
import { REDIRECT_AREA } from '../write/indexWriter.js'
import type { Postings } from '../rows/postingRow.js'
import type { Query } from './query.js'
import type { Scratch } from './scratch.js'
import type { IndexTables } from '../rows/tables.js'
import { type PostingBudget, type CompletionBounds, type TermList, TermLists } from './termLists.js'

/** What a query asks of every page: whole terms, and beginnings of terms. */
export interface Wanted extends Pick<Query, 'terms' | 'prefixes'> {
  /** How far the terms that begin with a prefix are looked through. */
  readonly bounds: CompletionBounds
}

export interface AreaMatches {
  /** Pages by their text, with the better score where their title has all terms too. */
  readonly pages: Candidates
  /** Pages whose own title has all terms. */
  readonly byTitle: Candidates
  /** Redirects whose title has all terms. */
  readonly redirects: Candidates
}

/**
 * Reading more postings than these takes a good part of a millisecond. A query that would have to begins with the
 * strong postings of its common words, or with the best pages of its rarest one.
 */
const EXACT_POSTINGS = 100_000
/** Pages that are looked up in the long lists of the other words, when only some can be. */
const PROBED_PAGES = 500
/** Pages found by their titles that are looked up besides. */
const PROBED_TITLES = 100
const NONE = new Candidates(0)

export class AreaSearch {
  readonly #body: TermLists
  readonly #strong: TermLists
  readonly #titles: TermLists
  readonly #redirects: TermLists
  readonly #scratch: Scratch

  constructor(tables: IndexTables, namespace: number, scratch: Scratch) {
    this.#scratch = scratch
    this.#body = new TermLists(tables.bodyPostings, namespace, scratch)
    this.#strong = new TermLists(tables.strongPostings, namespace, scratch)
    this.#titles = new TermLists(tables.titlePostings, namespace, scratch)
    this.#redirects = new TermLists(tables.titlePostings, namespace | REDIRECT_AREA, scratch)
  }

  /** Postings that have to be read to answer, about. */
  estimate({ terms, prefixes, bounds }: Wanted): number {
    const frequencies: number[] = []
    for (const term of terms) {
      const frequency = this.#body.find(term)?.frequency ?? 0
      if (frequency === 0) return 0
      frequencies.push(frequency)
    }
    for (const prefix of prefixes) {
      const completions = this.#body.findCompletions(prefix, bounds)
      frequencies.push(completions.reduce((sum, { frequency }) => sum + frequency, 0))
    }
    return costOf(frequencies)
  }

  /** Pages that match; at least `count` of the best, when there are so many, where not all can be looked at. */
  match(wanted: Wanted, excluded: readonly string[], count: number, budget: PostingBudget): AreaMatches {
    const weighted = weigh(this.#body, wanted, budget)
    if (weighted === undefined) {
      // Texts hold their titles: what no text has, only the titles of redirects may have.
      return { pages: NONE, byTitle: NONE, redirects: matchWanted(this.#redirects, wanted, budget) }
    }
    const ordered = { ...wanted, terms: rarestFirst(this.#body, wanted.terms) }
    const byTitle = matchWanted(this.#titles, ordered, budget)
    const redirects = matchWanted(this.#redirects, ordered, budget)
    const pages = addScores(this.#matchTexts(weighted, byTitle, count, budget), byTitle)
    return { pages: this.exclude(pages, excluded, budget), byTitle, redirects }
  }

  /** The candidates whose text has none of the terms. */
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
    // Of pages whose titles have the words, chance must not decide which are found.
    const titled = bestOf(byTitle, PROBED_TITLES, this.#scratch)
    titled.scores.fill(0, 0, titled.length)
    return unite(found, narrow(this.#body, titled, terms, budget), this.#scratch)
  }

  /** Looks the best pages of the rarest term up in the lists of the others. */
  #probe(terms: readonly WeightedList[], budget: PostingBudget): Candidates {
    const [rarest, ...others] = terms.toSorted((a, b) => a.list.frequency - b.list.frequency)
    const best = bestOf(matchAll(this.#body, [rarest!], budget), PROBED_PAGES, this.#scratch)
    return narrow(this.#body, best, others, budget)
  }
}

/** Postings that a query for terms of such frequencies reads: of long lists only rows near those of the rarest term. */
function costOf(frequencies: readonly number[]): number {
  if (frequencies.length === 0) return 0
  const rarest = Math.min(...frequencies)
  return frequencies.reduce((sum, frequency) => sum + Math.min(frequency, rarest * POSTINGS_PER_ROW), 0)
}

/** Terms that few texts have are the first that a title lacks. */
function rarestFirst(lists: TermLists, terms: readonly string[]): readonly string[] {
  if (terms.length < 2) return terms
  const frequency = (term: string): number => lists.find(term)?.frequency ?? 0
  return terms.toSorted((a, b) => frequency(a) - frequency(b))
}

function matchWanted(lists: TermLists, wanted: Wanted, budget: PostingBudget): Candidates {
  const weighted = weigh(lists, wanted, budget)
  return weighted === undefined || weighted.length === 0 ? NONE : matchAll(lists, weighted, budget)
}

/** The lists of all that is wanted; undefined when one is empty. */
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
  for (const prefix of prefixes) {
    const list = uniteCompletions(lists, prefix, bounds, budget)
    if (list === undefined) return undefined
    found.push(list)
  }
  if (found.length === 0) return []
  const documents = lists.countPages()
  return found.map((list) => ({ list, weights: weightsOf(list, documents) }))
}

function weightsOf({ frequency }: TermList, documents: number): SlotWeights {
  const rarity = idf(frequency, documents)
  const weights: number[] = []
  for (let slot = 0; slot < SLOTS; slot++) weights.push(IMPACTS[slot]! * rarity)
  return weights
}

/** The terms that begin with a prefix, as if they were one; a page has the best slot of any of them. */
function uniteCompletions(
  lists: TermLists,
  prefix: string,
  bounds: CompletionBounds,
  budget: PostingBudget,
): TermList | undefined {
  const completions = lists.findCompletions(prefix, bounds).flatMap(({ term }) => lists.find(term) ?? [])
  if (completions.length <= 1) return completions[0]
  // The shortest first: so the longest are moved once.
  const parts = completions.map((list) => lists.readAll(list, budget)).sort((a, b) => a.length - b.length)
  const united = parts.reduce((sum, part) => mergePostings(sum, part, lists.scratch))
  return { term: prefix, frequency: united.length, first: united, hasMore: false }
}

/** Both lists as one, with the better slot of pages that are in both. */
function mergePostings(a: Postings, b: Postings, scratch: Scratch): Postings {
  const merged = scratch.postings(a.length + b.length)
  let [n, m] = [0, 0]
  while (n < a.length && m < b.length) {
    const [pageA, pageB] = [a.pages[n]!, b.pages[m]!]
    if (pageA < pageB) merged.push(pageA, a.slots[n++]!)
    else if (pageB < pageA) merged.push(pageB, b.slots[m++]!)
    else merged.push(pageA, Math.min(a.slots[n++]!, b.slots[m++]!))
  }
  merged.append(a, n)
  merged.append(b, m)
  return merged
}

/** Adds the scores of one list to those of the pages that another has too. */
function addScores(pages: Candidates, added: Candidates): Candidates {
  let n = 0
  for (let at = 0; at < added.length; at++) {
    while (n < pages.length && pages.pages[n]! < added.pages[at]!) n++
    if (n < pages.length && pages.pages[n] === added.pages[at]) pages.scores[n]! += added.scores[at]!
  }
  return pages
}
