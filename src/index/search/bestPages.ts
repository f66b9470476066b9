/** Selects the best pages of a search. */

/** A page with its score. */
export interface Scored {
  readonly page: number
  readonly score: number
}

/** Keeps the best pages offered, in a heap with the worst one on top. For equal scores the lower id wins. */
export class BestPages {
  readonly #limit: number
  readonly #pages: number[] = []
  readonly #scores: number[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(page: number, score: number): void {
    const pages = this.#pages
    const scores = this.#scores
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
