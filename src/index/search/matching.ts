/** Matches the terms of a query: finds the pages that have all of them, and selects the best. */
import { type Postings, POSTINGS_PER_ROW } from '../rows/postingRow.js'
import { BestPages } from './bestPages.js'
import type { Candidates } from './candidates.js'
import type { Scratch } from './scratch.js'
import type { TermList } from './termList.js'
import type { PostingBudget, TermLists } from './termLists.js'

/**
 * A copy of a list in ascending order; equal members keep their order. Most queries have two or three words. To sort
 * so few, the runtime takes a kilobyte and most of a microsecond.
 */
export function ascending<Member>(list: readonly Member[], numberOf: (member: Member) => number): Member[] {
  const sorted = [...list]
  for (let n = 1; n < sorted.length; n++) {
    const member = sorted[n]!
    const number = numberOf(member)
    let at = n
    for (; at > 0 && numberOf(sorted[at - 1]!) > number; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = member
  }
  return sorted
}

/** Contribution of each slot of a term to a page's score. */
export type SlotWeights = ArrayLike<number>

/** A term with its weights. Matching starts with the rarest term. */
export interface WeightedList {
  readonly list: TermList
  readonly weights: SlotWeights
}

/** Cost of one lookup, in keys of rows passed over. */
const KEYS_PER_LOOKUP = 10

/** The pages that have all terms; at least one term is given. */
export function matchAll(
  lists: TermLists,
  terms: readonly WeightedList[],
  budget: PostingBudget,
): Candidates {
  const [rarest, ...others] = ascending(terms, frequencyOf)
  const candidates = candidatesOf(lists, lists.readAll(rarest!.list, budget), rarest!.weights)
  return narrow(lists, candidates, others, budget)
}

/** The candidates that have all terms, with the scores of these added. */
export function narrow(
  lists: TermLists,
  candidates: Candidates,
  terms: readonly WeightedList[],
  budget: PostingBudget,
): Candidates {
  let kept = candidates
  for (const { list, weights } of terms) {
    if (kept.length === 0) break
    kept = keepWith(kept, lists, list, weights, budget)
  }
  return kept
}

export const frequencyOf = ({ list }: WeightedList): number => list.frequency

/** All pages of these postings. */
function candidatesOf(
  lists: TermLists,
  { pages, slots, length }: Postings,
  weights: SlotWeights,
): Candidates {
  const candidates = lists.scratch.candidates(length)
  const { pages: into, scores } = candidates
  for (let n = 0; n < length; n++) {
    into[n] = pages[n]!
    scores[n] = weights[slots[n]!]!
  }
  candidates.length = length
  return candidates
}

/** The candidates that have this term too. */
function keepWith(
  candidates: Candidates,
  lists: TermLists,
  list: TermList,
  weights: SlotWeights,
  budget: PostingBudget,
): Candidates {
  const { pages, scores, length } = candidates
  const kept = lists.scratch.candidates(length)
  const table = lists.tableOf(list, budget)
  if (table !== undefined) {
    table.keep(candidates, weights, kept)
    return kept
  }
  let at = 0
  visit(candidates, lists, list, budget, ({ pages: rowPages, slots }, from, to) => {
    let n = from
    while (at < length && n < to) {
      const page = pages[at]!
      const rowPage = rowPages[n]!
      if (rowPage < page) n++
      else if (rowPage > page) at++
      else kept.push(page, scores[at++]! + weights[slots[n++]!]!)
    }
  })
  return kept
}

/** The candidates that do not have this term. */
export function dropWith(
  candidates: Candidates,
  lists: TermLists,
  list: TermList,
  budget: PostingBudget,
): Candidates {
  const { pages, scores, length } = candidates
  const kept = lists.scratch.candidates(length)
  let at = 0
  visit(candidates, lists, list, budget, ({ pages: rowPages }, from, to) => {
    for (let n = from; n < to; n++) {
      while (at < length && pages[at]! < rowPages[n]!) kept.push(pages[at]!, scores[at++]!)
      if (at < length && pages[at] === rowPages[n]) at++
    }
  })
  while (at < length) kept.push(pages[at]!, scores[at++]!)
  return kept
}

function visit(
  { pages, length }: Candidates,
  lists: TermLists,
  list: TermList,
  budget: PostingBudget,
  visitRow: (row: Postings, from: number, to: number) => void,
): void {
  if (length * KEYS_PER_LOOKUP * POSTINGS_PER_ROW < list.frequency) {
    lists.seekRows(list, pages, length, visitRow)
  } else lists.visitRows(list, pages, length, budget, visitRow)
}

/** A copy of the best `count` candidates. */
export function bestOf(candidates: Candidates, count: number, scratch: Scratch): Candidates {
  const best = new BestPages(count)
  best.offerAll(candidates)
  const kept = scratch.candidates(count)
  for (const { page, score } of best.ranked().sort((a, b) => a.page - b.page)) kept.push(page, score)
  return kept
}

/** The union of both. A page in both has the same score in each. */
export function unite(a: Candidates, b: Candidates, scratch: Scratch): Candidates {
  const united = scratch.candidates(a.length + b.length)
  let [n, m] = [0, 0]
  while (n < a.length || m < b.length) {
    const [pageA, pageB] = [n < a.length ? a.pages[n]! : Infinity, m < b.length ? b.pages[m]! : Infinity]
    if (pageA <= pageB) {
      united.push(pageA, a.scores[n++]!)
      if (pageA === pageB) m++
    } else united.push(pageB, b.scores[m++]!)
  }
  return united
}
