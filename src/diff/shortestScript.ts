/**
 * A shortest edit script by Myers' algorithm in linear space. Several scripts can be equally short; the order in which
 * this search tries diagonals makes it choose the one that GNU diff chooses.
 *
 *           second  0   1   2   3            a diagonal is x - y; equal items are steps along one
 *     first 0       .---.   .   .            forward: the furthest x on each diagonal from the start
 *           1       .   .\  .   .            backward: the least x on each diagonal from the end
 *           2       .   .  \.---.            both halves of the way are searched again where they meet
 */

/** Where the two searches meet. */
interface Meeting {
  readonly x: number
  readonly y: number
}

/** The parts of both sides that a search compares. */
interface Box {
  readonly xStart: number
  readonly xEnd: number
  readonly yStart: number
  readonly yEnd: number
}

/** One of the two searches after some edits. It has reached every second diagonal from `low` to `high`. */
interface Front {
  readonly origin: number
  edits: number
  low: number
  high: number
  /** The x reached, by diagonal plus the offset `#zero`. */
  readonly reach: Int32Array
}

/** Beyond every x. */
const NOWHERE = 0x7fffffff

export class ShortestScript {
  readonly #first: readonly number[]
  readonly #second: readonly number[]
  readonly #firstChanged: Uint8Array
  readonly #secondChanged: Uint8Array
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  readonly #zero: number
  #stepsLeft: number

  private constructor(first: readonly number[], second: readonly number[], maxSteps: number) {
    this.#first = first
    this.#second = second
    this.#firstChanged = new Uint8Array(first.length)
    this.#secondChanged = new Uint8Array(second.length)
    this.#forward = new Int32Array(first.length + second.length + 3)
    this.#backward = new Int32Array(first.length + second.length + 3)
    this.#zero = second.length + 1
    this.#stepsLeft = maxSteps
  }

  /**
   * Marks the items of both sides that are not common with 1. Undefined if the search takes more than `maxSteps` steps
   * over diagonals and items.
   */
  static find(
    first: readonly number[],
    second: readonly number[],
    maxSteps: number,
  ): { readonly first: Uint8Array; readonly second: Uint8Array } | undefined {
    const script = new ShortestScript(first, second, maxSteps)
    script.#search(0, first.length, 0, second.length)
    if (script.#stepsLeft < 0) return undefined
    return { first: script.#firstChanged, second: script.#secondChanged }
  }

  #search(xStart: number, xEnd: number, yStart: number, yEnd: number): void {
    const first = this.#first
    const second = this.#second
    while (xStart < xEnd && yStart < yEnd && first[xStart] === second[yStart]) {
      xStart++
      yStart++
    }
    while (xStart < xEnd && yStart < yEnd && first[xEnd - 1] === second[yEnd - 1]) {
      xEnd--
      yEnd--
    }
    if (xStart === xEnd) this.#secondChanged.fill(1, yStart, yEnd)
    else if (yStart === yEnd) this.#firstChanged.fill(1, xStart, xEnd)
    else {
      const meeting = this.#meet({ xStart, xEnd, yStart, yEnd })
      if (meeting === undefined) return
      this.#search(xStart, meeting.x, yStart, meeting.y)
      this.#search(meeting.x, xEnd, meeting.y, yEnd)
    }
  }

  /** Gives both searches one edit more, in turn, until they meet. Undefined when no steps are left. */
  #meet(box: Box): Meeting | undefined {
    const forward = this.#frontAt(box.xStart, box.yStart, this.#forward)
    const backward = this.#frontAt(box.xEnd, box.yEnd, this.#backward)
    // Only fronts whose diagonals have the same parity can meet: after the forward turn, or after the backward one.
    const meetsForward = (forward.origin - backward.origin) % 2 !== 0
    while (this.#stepsLeft >= 0) {
      const ahead = this.#advance(box, forward, meetsForward ? backward : undefined)
      if (ahead !== undefined) return ahead
      const back = this.#retreat(box, backward, meetsForward ? undefined : forward)
      if (back !== undefined) return back
    }
    return undefined
  }

  #frontAt(x: number, y: number, reach: Int32Array): Front {
    const origin = x - y
    reach[this.#zero + origin] = x
    return { origin, edits: 0, low: origin, high: origin, reach }
  }

  /** Gives each way of the forward search one edit more, highest diagonal first. Returns where it meets `other`. */
  #advance(box: Box, front: Front, other: Front | undefined): Meeting | undefined {
    const { reach, low, high } = front
    this.#widen(box, front)
    for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
      const at = this.#zero + diagonal
      const inserted = diagonal < high ? reach[at + 1]! : -1
      const deleted = diagonal > low ? reach[at - 1]! + 1 : -1
      const x = this.#slideForward(Math.max(inserted, deleted), diagonal, box.xEnd, box.yEnd)
      reach[at] = x
      if (has(other, diagonal) && other.reach[at]! <= x) return { x, y: x - diagonal }
    }
    return undefined
  }

  /** The same for the backward search, whose reach is the least x. */
  #retreat(box: Box, front: Front, other: Front | undefined): Meeting | undefined {
    const { reach, low, high } = front
    this.#widen(box, front)
    for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
      const at = this.#zero + diagonal
      const inserted = diagonal > low ? reach[at - 1]! : NOWHERE
      const deleted = diagonal < high ? reach[at + 1]! - 1 : NOWHERE
      const x = this.#slideBackward(Math.min(inserted, deleted), diagonal, box.xStart, box.yStart)
      reach[at] = x
      if (has(other, diagonal) && x <= other.reach[at]!) return { x, y: x - diagonal }
    }
    return undefined
  }

  /** Allows a front one edit more: diagonals as far from its origin as it has edits, if they cross the box. */
  #widen({ xStart, xEnd, yStart, yEnd }: Box, front: Front): void {
    const edits = ++front.edits
    front.low = clipped(front.origin - edits, xStart - yEnd)
    front.high = -clipped(-front.origin - edits, yStart - xEnd)
    this.#stepsLeft -= front.high - front.low + 1
  }

  #slideForward(from: number, diagonal: number, xEnd: number, yEnd: number): number {
    let x = from
    let y = from - diagonal
    while (x < xEnd && y < yEnd && this.#first[x] === this.#second[y]) {
      x++
      y++
    }
    this.#stepsLeft -= x - from
    return x
  }

  #slideBackward(from: number, diagonal: number, xStart: number, yStart: number): number {
    let x = from
    let y = from - diagonal
    while (x > xStart && y > yStart && this.#first[x - 1] === this.#second[y - 1]) {
      x--
      y--
    }
    this.#stepsLeft -= from - x
    return x
  }
}

const has = (front: Front | undefined, diagonal: number): front is Front =>
  front !== undefined && diagonal >= front.low && diagonal <= front.high

/** The first of the diagonals `from`, `from + 2` and so on that is not below `least`. */
const clipped = (from: number, least: number): number => (from >= least ? from : least + ((least - from) % 2))
