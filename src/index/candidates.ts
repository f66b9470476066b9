/** Pages that may be found, with their scores, in the order of their ids; and the best of them. */
import type { Postings } from './postingRow.js'
import type { Budget, TermList, TermLists } from './termLists.js'

/** What each slot of a term adds to a page's score. */
export type SlotWeights = Float64Array

export class Candidates {
  readonly pages: Uint32Array
  readonly scores: Float32Array
  length = 0

  constructor(capacity: number) {
    this.pages = new Uint32Array(capacity)
    this.scores = new Float32Array(capacity)
  }

  static of({ pages, slots, length }: Postings, weights: SlotWeights): Candidates {
    const candidates = new Candidates(length)
    candidates.pages.set(pages.subarray(0, length))
    for (let n = 0; n < length; n++) candidates.scores[n] = weights[slots[n]!]!
    candidates.length = length
    return candidates
  }

  push(page: number, score: number): void {
    this.pages[this.length] = page
    this.scores[this.length++] = score
  }

  /** Index of a page, or -1. */
  indexOf(page: number): number {
    let low = 0
    let high = this.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.pages[middle]!
      if (found === page) return middle
      if (found < page) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** A term with its weights; terms are matched from the rarest on. */
export interface WeightedList {
  readonly list: TermList
  readonly weights: SlotWeights
}

/** One lookup costs about as much as passing over so many keys of rows. */
const KEYS_PER_LOOKUP = 30
const POSTINGS_PER_ROW = 700

/** The pages that have all terms, of which there is at least one. */
export function matchAll(lists: TermLists, terms: readonly WeightedList[], budget: Budget): Candidates {
  const [rarest, ...others] = terms.toSorted((a, b) => a.list.frequency - b.list.frequency)
  let candidates = Candidates.of(lists.readAll(rarest!.list, budget), rarest!.weights)
  for (const { list, weights } of others) {
    if (candidates.length === 0) break
    candidates = keepWith(candidates, lists, list, weights, budget)
  }
  return candidates
}

/** Those candidates that have one more term. */
function keepWith(
  candidates: Candidates,
  lists: TermLists,
  list: TermList,
  weights: SlotWeights,
  budget: Budget,
): Candidates {
  const { pages, scores, length } = candidates
  const kept = new Candidates(length)
  let at = 0
  visit(candidates, lists, list, budget, (row) => {
    const { pages: rowPages, slots } = row
    let n = 0
    while (at < length && n < row.length) {
      const page = pages[at]!
      const rowPage = rowPages[n]!
      if (rowPage < page) n++
      else if (rowPage > page) at++
      else kept.push(page, scores[at++]! + weights[slots[n++]!]!)
    }
  })
  return kept
}

/** Those candidates that do not have a term. */
export function dropWith(
  candidates: Candidates,
  lists: TermLists,
  list: TermList,
  budget: Budget,
): Candidates {
  const { pages, scores, length } = candidates
  const kept = new Candidates(length)
  let at = 0
  visit(candidates, lists, list, budget, (row) => {
    for (let n = 0; n < row.length; n++) {
      while (at < length && pages[at]! < row.pages[n]!) kept.push(pages[at]!, scores[at++]!)
      if (at < length && pages[at] === row.pages[n]) at++
    }
  })
  while (at < length) kept.push(pages[at]!, scores[at++]!)
  return kept
}

function visit(
  { pages, length }: Candidates,
  lists: TermLists,
  list: TermList,
  budget: Budget,
  visitRow: (row: Postings) => void,
): void {
  if (length * KEYS_PER_LOOKUP * POSTINGS_PER_ROW < list.frequency) {
    lists.seekRows(list, pages, length, visitRow)
  } else lists.visitRows(list, pages, length, budget, visitRow)
}

/** A page that was found. */
export interface Scored {
  readonly page: number
  readonly score: number
}

/** Keeps the best of what it is offered: a heap with the worst of them on top. Of equal scores the lower id wins. */
export class BestPages {
  readonly #limit: number
  readonly #pages: number[] = []
  readonly #scores: number[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(page: number, score: number): void {
    const [pages, scores] = [this.#pages, this.#scores]
    if (pages.length < this.#limit) {
      pages.push(page)
      scores.push(score)
      this.#rise(pages.length - 1)
    } else if (score > scores[0]! || (score === scores[0] && page < pages[0]!)) {
      pages[0] = page
      scores[0] = score
      this.#sink()
    }
  }

  /** Best first. */
  ranked(): Scored[] {
    const found = this.#pages.map((page, n) => ({ page, score: this.#scores[n]! }))
    return found.sort((a, b) => b.score - a.score || a.page - b.page)
  }

  #rise(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      let worst = at
      if (left < this.#pages.length && this.#isWorse(left, worst)) worst = left
      if (left + 1 < this.#pages.length && this.#isWorse(left + 1, worst)) worst = left + 1
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #isWorse(a: number, b: number): boolean {
    const [scoreA, scoreB] = [this.#scores[a]!, this.#scores[b]!]
    return scoreA < scoreB || (scoreA === scoreB && this.#pages[a]! > this.#pages[b]!)
  }

  #swap(a: number, b: number): void {
    const [page, score] = [this.#pages[a]!, this.#scores[a]!]
    this.#pages[a] = this.#pages[b]!
    this.#scores[a] = this.#scores[b]!
    this.#pages[b] = page
    this.#scores[b] = score
  }
}
