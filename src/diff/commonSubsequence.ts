/** Finds a longest common subsequence. Of several equally long ones it finds that of wikidiff2's sweep. */

const MAX_CUTS = 7
const NO_PLACES = new Int32Array(0)

/** A sequence of item numbers, and the array for the result. */
export interface Side {
  /** The item numbers; equal items have equal numbers, from 0. */
  readonly items: readonly number[]
  /** Index of each item in the whole sequence, and thus in `changed`. */
  readonly places: readonly number[]
  /** 1 for every item of the whole sequence outside the common subsequence. */
  readonly changed: Uint8Array
}

/**
 * Marks all items of `from` and `to` outside their longest common subsequence. `lastPlace` has an element for each item
 * number, all -1 before and after. Cost at worst: number of equal pairs times the logarithm of the length.
 */
export function markOutsideCommon(from: Side, to: Side, lastPlace: Int32Array): void {
  new CommonSubsequence(from, to, lastPlace).mark(0, from.items.length, 0, to.items.length)
}

class CommonSubsequence {
  readonly #from: Side
  readonly #to: Side
  /**
   * Last position of each item in the longer range, -1 for none. `#previousPlace` links each position to the previous
   * one with an equal item.
   */
  readonly #lastPlace: Int32Array
  #previousPlace = NO_PLACES
  /**
   * ends[k]: the earliest known position in the longer range at which a common subsequence of length k ends. isEnd: 1
   * for the positions in `ends`.
   */
  #ends = NO_PLACES
  #isEnd = new Uint8Array(0)
  /** trail[k * MAX_CUTS + b]: position of the subsequence ending at ends[k] after the sweep of piece b. */
  #trail = NO_PLACES

  constructor(from: Side, to: Side, lastPlace: Int32Array) {
    this.#from = from
    this.#to = to
    this.#lastPlace = lastPlace
  }

  /** Marks the items outside the common subsequence in from[fromStart, fromEnd) and to[toStart, toEnd). */
  mark(fromStart: number, fromEnd: number, toStart: number, toEnd: number): void {
    const a = this.#from.items
    const b = this.#to.items
    while (fromStart < fromEnd && toStart < toEnd && a[fromStart] === b[toStart]) {
      fromStart++
      toStart++
    }
    while (fromStart < fromEnd && toStart < toEnd && a[fromEnd - 1] === b[toEnd - 1]) {
      fromEnd--
      toEnd--
    }
    const cuts =
      fromStart === fromEnd || toStart === toEnd ? undefined : this.#cut(fromStart, fromEnd, toStart, toEnd)
    if (cuts === undefined) {
      markRange(this.#from, fromStart, fromEnd)
      markRange(this.#to, toStart, toEnd)
      return
    }
    for (let n = 2; n < cuts.length; n += 2) this.mark(cuts[n - 2]!, cuts[n]!, cuts[n - 1]!, cuts[n + 1]!)
  }

  /** Allocates for the first search. Most sequences never search, since they are equal or differ only at their ends. */
  #reserve(): void {
    const [fromLength, toLength] = [this.#from.items.length, this.#to.items.length]
    const longer = Math.max(fromLength, toLength)
    const levels = Math.min(fromLength, toLength) + 1
    this.#previousPlace = new Int32Array(longer)
    this.#ends = new Int32Array(levels)
    this.#isEnd = new Uint8Array(longer)
    this.#trail = new Int32Array(levels * MAX_CUTS)
  }

  /**
   * Cuts both ranges where the common subsequence passes. Returns positions in `from` and `to` in turn, or undefined if
   * the subsequence is empty.
   */
  #cut(fromStart: number, fromEnd: number, toStart: number, toEnd: number): number[] | undefined {
    const fromIsShorter = fromEnd - fromStart <= toEnd - toStart
    const [start, end, longerStart, longerEnd] = fromIsShorter
      ? [fromStart, fromEnd, toStart, toEnd]
      : [toStart, toEnd, fromStart, fromEnd]
    const shorter = (fromIsShorter ? this.#from : this.#to).items
    const longer = (fromIsShorter ? this.#to : this.#from).items
    const pieces = Math.min(MAX_CUTS, end - start) + 1

    if (this.#ends.length === 0) this.#reserve()
    this.#chain(longer, longerStart, longerEnd)
    const levels = this.#sweep(shorter, start, end, longerStart, pieces)
    for (let place = longerStart; place < longerEnd; place++) this.#lastPlace[longer[place]!] = -1
    for (let level = 1; level <= levels; level++) this.#isEnd[this.#ends[level]!] = 0
    if (levels === 0) return undefined

    const cuts: number[] = [fromStart, toStart]
    for (let piece = 0; piece < pieces - 1; piece++) {
      const inShorter = pieceEnd(start, end, piece, pieces)
      const inLonger = this.#trail[levels * MAX_CUTS + piece]! + 1
      if (fromIsShorter) cuts.push(inShorter, inLonger)
      else cuts.push(inLonger, inShorter)
    }
    cuts.push(fromEnd, toEnd)
    return cuts
  }

  #chain(items: readonly number[], start: number, end: number): void {
    for (let place = start; place < end; place++) {
      const item = items[place]!
      this.#previousPlace[place] = this.#lastPlace[item]!
      this.#lastPlace[item] = place
    }
  }

  /**
   * Reads the shorter range from left to right in `pieces` pieces, and updates `ends` and `trail` as it reads. Returns
   * the length of the longest common subsequence.
   */
  #sweep(items: readonly number[], start: number, end: number, longerStart: number, pieces: number): number {
    const lastPlace = this.#lastPlace
    const previousPlace = this.#previousPlace
    const ends = this.#ends
    const isEnd = this.#isEnd
    const trail = this.#trail
    let levels = 0
    let at = start
    ends[0] = longerStart - 1
    for (let piece = 0; piece < pieces; piece++) {
      if (piece > 0) for (let k = 0; k <= levels; k++) trail[k * MAX_CUTS + piece - 1] = ends[k]!
      for (const stop = pieceEnd(start, end, piece, pieces); at < stop; at++) {
        let level = 0 // none yet for this item
        for (let place = lastPlace[items[at]!]!; place >= 0; place = previousPlace[place]!) {
          if (level > 0 && place > ends[level - 1]!) {
            isEnd[ends[level]!] = 0
            ends[level] = place
            isEnd[place] = 1
            continue
          }
          if (isEnd[place] === 1) continue
          if (place > ends[levels]!) {
            level = ++levels
          } else {
            // This level is below that of a later position of the same item.
            level = firstAbove(ends, level === 0 ? levels : level - 1, place)
            isEnd[ends[level]!] = 0
          }
          ends[level] = place
          isEnd[place] = 1
          const row = level * MAX_CUTS
          for (let cut = 0; cut < piece; cut++) trail[row + cut] = trail[row - MAX_CUTS + cut]!
        }
      }
    }
    return levels
  }
}

/** End of a piece of [start, end). Pieces have nearly equal length; `piece` counts from 0. */
function pieceEnd(start: number, end: number, piece: number, pieces: number): number {
  const length = end - start
  return start + Math.floor((length + pieces - 1 + length * piece) / pieces)
}

/** The smallest level from 1 to `top` whose end is behind `place`. The end of `top` always is. */
function firstAbove(ends: Int32Array, top: number, place: number): number {
  let low = 1
  let high = top
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ends[middle]! > place) high = middle
    else low = middle + 1
  }
  return low
}

function markRange({ places, changed }: Side, start: number, end: number): void {
  for (let n = start; n < end; n++) changed[places[n]!] = 1
}
