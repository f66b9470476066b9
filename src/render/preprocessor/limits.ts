/** Bounds of one page's expansion. All are counted, none is timed, so that a text always ends in the same way. */

export interface Limits {
  /** Templates within templates. */
  readonly templateDepth: number
  /** Expansions within expansions: arguments, defaults, branches and templates. */
  readonly expansionDepth: number
  /** Characters that templates and functions may give back altogether, and arguments, and extension tags. */
  readonly expandedLength: number
  /** Templates, functions and words of a page. */
  readonly calls: number
  /** Small steps: a node, a branch of `#switch`, a hundred characters. */
  readonly steps: number
  /** Lookups such as `#ifexist` of different pages. */
  readonly lookups: number
}

export const DEFAULT_LIMITS: Limits = {
  templateDepth: 40,
  expansionDepth: 100,
  expandedLength: 2_097_152,
  calls: 100_000,
  steps: 3_000_000,
  lookups: 500,
}

const CHARACTERS_PER_STEP = 100

/** Thrown when calls or steps are used up: nothing of the page can be expanded any more. */
export class LimitReached extends Error {}

/** What is left. */
export class Budget {
  readonly limits: Limits
  #calls = 0
  #steps = 0
  #expanded = 0
  #arguments = 0
  #tags = 0
  #lookups = 0
  #depth = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  countCall(): void {
    if (++this.#calls > this.limits.calls) throw new LimitReached(`more than ${this.limits.calls} calls`)
  }

  countSteps(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.limits.steps) throw new LimitReached(`more than ${this.limits.steps} steps`)
  }

  /** Work on a text of some length. */
  countText(length: number): void {
    this.countSteps(1 + Math.floor(length / CHARACTERS_PER_STEP))
  }

  /** Whether a result of this length may still be put in. */
  takeExpanded(length: number): boolean {
    if (this.#expanded + length > this.limits.expandedLength) return false
    this.#expanded += length
    return true
  }

  takeArgument(length: number): boolean {
    if (this.#arguments + length > this.limits.expandedLength) return false
    this.#arguments += length
    return true
  }

  takeTag(length: number): boolean {
    if (this.#tags + length > this.limits.expandedLength) return false
    this.#tags += length
    return true
  }

  takeLookup(): boolean {
    if (this.#lookups >= this.limits.lookups) return false
    this.#lookups++
    return true
  }

  /** Whether one more expansion may be begun inside those that run; each one that was begun is ended by `leave`. */
  enter(): boolean {
    if (this.#depth >= this.limits.expansionDepth) return false
    this.#depth++
    return true
  }

  leave(): void {
    this.#depth--
  }
}
