/** The search in one namespace: which of its pages match, with their scores. */
import { Candidates, dropWith, matchAll, type SlotWeights, type WeightedList } from './candidates.js'
import { idf, IMPACTS } from './impact.js'
import { REDIRECT_AREA } from './indexWriter.js'
import { Postings } from './postingRow.js'
import type { Query } from './query.js'
import type { IndexTables } from './tables.js'
import { type Budget, type TermList, TermLists } from './termLists.js'

/** What a query asks of every page: whole terms, and beginnings of terms. */
export type Wanted = Pick<Query, 'terms' | 'prefixes'>

export interface AreaMatches {
  /** Pages by their text, with the better score where their title has all terms too. */
  readonly pages: Candidates
  /** Pages whose own title has all terms. */
  readonly byTitle: Candidates
  /** Redirects whose title has all terms. */
  readonly redirects: Candidates
}

/** A row of the rarest term is read for each of its postings at most: what others cost is bounded by that. */
const POSTINGS_PER_ROW = 700
const NONE = new Candidates(0)

export class AreaSearch {
  readonly #body: TermLists
  readonly #titles: TermLists
  readonly #redirects: TermLists

  constructor(tables: IndexTables, namespace: number) {
    this.#body = new TermLists(tables.bodyPostings, namespace)
    this.#titles = new TermLists(tables.titlePostings, namespace)
    this.#redirects = new TermLists(tables.titlePostings, namespace | REDIRECT_AREA)
  }

  /** Postings that have to be read to answer, at most. */
  estimate({ terms, prefixes }: Wanted): number {
    const frequencies: number[] = []
    for (const term of terms) {
      const frequency = this.#body.frequencyOf(term)
      if (frequency === 0) return 0
      frequencies.push(frequency)
    }
    for (const prefix of prefixes) {
      const completions = this.#body.findCompletions(prefix)
      frequencies.push(completions.reduce((sum, { frequency }) => sum + frequency, 0))
    }
    if (frequencies.length === 0) return 0
    const rarest = Math.min(...frequencies)
    return frequencies.reduce((sum, frequency) => sum + Math.min(frequency, rarest * POSTINGS_PER_ROW), 0)
  }

  match(wanted: Wanted, excluded: readonly string[], budget: Budget): AreaMatches {
    const byTitle = matchWanted(this.#titles, wanted, budget)
    const redirects = matchWanted(this.#redirects, wanted, budget)
    const pages = addScores(matchWanted(this.#body, wanted, budget), byTitle)
    return { pages: this.exclude(pages, excluded, budget), byTitle, redirects }
  }

  /** The candidates whose text has none of the terms. */
  exclude(candidates: Candidates, excluded: readonly string[], budget: Budget): Candidates {
    let kept = candidates
    for (const term of excluded) {
      const list = kept.length === 0 ? undefined : this.#body.find(term)
      if (list !== undefined) kept = dropWith(kept, this.#body, list, budget)
    }
    return kept
  }
}

function matchWanted(lists: TermLists, { terms, prefixes }: Wanted, budget: Budget): Candidates {
  // Most titles lack one of several words: that is known before any postings are read.
  if (terms.length > 1 && terms.some((term) => lists.frequencyOf(term) === 0)) return NONE
  const documents = lists.countPages()
  const weighted: WeightedList[] = []
  for (const term of terms) {
    const list = lists.find(term)
    if (list === undefined) return NONE
    weighted.push({ list, weights: weightsOf(list, documents) })
  }
  for (const prefix of prefixes) {
    const list = uniteCompletions(lists, prefix, budget)
    if (list === undefined) return NONE
    weighted.push({ list, weights: weightsOf(list, documents) })
  }
  return weighted.length === 0 ? NONE : matchAll(lists, weighted, budget)
}

function weightsOf({ frequency }: TermList, documents: number): SlotWeights {
  const rarity = idf(frequency, documents)
  return IMPACTS.map((impact) => impact * rarity)
}

/** The terms that begin with a prefix, as if they were one; a page has the best slot of any of them. */
function uniteCompletions(lists: TermLists, prefix: string, budget: Budget): TermList | undefined {
  const completions = lists.findCompletions(prefix).flatMap(({ term }) => lists.find(term) ?? [])
  if (completions.length <= 1) return completions[0]
  const all = completions.map((list) => lists.readAll(list, budget))
  const packed = new Float64Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const { pages, slots, length } of all) {
    for (let n = 0; n < length; n++) packed[at++] = pages[n]! * IMPACTS.length + slots[n]!
  }
  packed.sort()
  const united = new Postings(packed.length)
  for (const value of packed) {
    const page = Math.floor(value / IMPACTS.length)
    if (united.length === 0 || united.pages[united.length - 1] !== page)
      united.push(page, value % IMPACTS.length)
  }
  return { term: prefix, frequency: united.length, first: united, hasMore: false }
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
