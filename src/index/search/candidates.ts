/** Candidate pages with their scores, in the order of their ids. */

export class Candidates {
  readonly pages: Uint32Array
  readonly scores: Float32Array
  length = 0

  constructor(capacity: number) {
    this.pages = new Uint32Array(capacity)
    this.scores = new Float32Array(capacity)
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
