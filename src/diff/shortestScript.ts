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

/** One of the two searches: its reach by diagonal, plus the offset `#zero`, and the diagonals that it has reached. */
interface Front {
  readonly reach: Int32Array
  low: number
  high: number
}

const NOT_REACHED_FORWARD = -1
const NOT_REACHED_BACKWARD = 0x7fffffff

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

  /** Grows both searches by one edit in turn until they meet. Undefined when no steps are left. */
  #meet(box: Box): Meeting | undefined {
    const start = box.xStart - box.yStart
    const end = box.xEnd - box.yEnd
    const forward: Front = { reach: this.#forward, low: start, high: start }
    const backward: Front = { reach: this.#backward, low: end, high: end }
    forward.reach[this.#zero + start] = box.xStart
    backward.reach[this.#zero + end] = box.xEnd
    const isOdd = ((start - end) & 1) === 1
    while (this.#stepsLeft >= 0) {
      const ahead = this.#growForward(box, forward, isOdd ? backward : undefined)
      if (ahead !== undefined) return this.#meetingOn(ahead, forward)
      const back = this.#growBackward(box, backward, isOdd ? undefined : forward)
      if (back !== undefined) return this.#meetingOn(back, backward)
    }
    return undefined
  }

  #meetingOn(diagonal: number, { reach }: Front): Meeting {
    const x = reach[this.#zero + diagonal]!
    return { x, y: x - diagonal }
  }

  /** Adds one edit to each way of the forward search. Returns the first diagonal where it meets `other`. */
  #growForward(
    { xStart, xEnd, yStart, yEnd }: Box,
    front: Front,
    other: Front | undefined,
  ): number | undefined {
    const { reach } = front
    const zero = this.#zero
    // Diagonals grow by one at each end, as far as the box has them.
    if (front.low > xStart - yEnd) reach[zero + --front.low - 1] = NOT_REACHED_FORWARD
    else front.low++
    if (front.high < xEnd - yStart) reach[zero + ++front.high + 1] = NOT_REACHED_FORWARD
    else front.high--
    this.#stepsLeft -= front.high - front.low + 1
    for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
      const below = reach[zero + diagonal - 1]!
      const above = reach[zero + diagonal + 1]!
      const x = this.#slideForward(below < above ? above : below + 1, diagonal, xEnd, yEnd)
      reach[zero + diagonal] = x
      const isInOther = other !== undefined && diagonal >= other.low && diagonal <= other.high
      if (isInOther && other.reach[zero + diagonal]! <= x) return diagonal
    }
    return undefined
  }

  /** The same for the backward search. */
  #growBackward(
    { xStart, xEnd, yStart, yEnd }: Box,
    front: Front,
    other: Front | undefined,
  ): number | undefined {
    const { reach } = front
    const zero = this.#zero
    if (front.low > xStart - yEnd) reach[zero + --front.low - 1] = NOT_REACHED_BACKWARD
    else front.low++
    if (front.high < xEnd - yStart) reach[zero + ++front.high + 1] = NOT_REACHED_BACKWARD
    else front.high--
    this.#stepsLeft -= front.high - front.low + 1
    for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
      const below = reach[zero + diagonal - 1]!
      const above = reach[zero + diagonal + 1]!
      const x = this.#slideBackward(below < above ? below : above - 1, diagonal, xStart, yStart)
      reach[zero + diagonal] = x
      const isInOther = other !== undefined && diagonal >= other.low && diagonal <= other.high
      if (isInOther && x <= other.reach[zero + diagonal]!) return diagonal
    }
    return undefined
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
