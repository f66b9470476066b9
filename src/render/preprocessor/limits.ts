/** Limits of one page's expansion. They count work and never measure time, so a text always gives the same result. */

export interface Limits {
  /** Depth of templates within templates. */
  readonly templateDepth: number
  /** Depth of expansions within expansions: arguments, defaults, branches and templates. */
  readonly expansionDepth: number
  /**
   * Most characters of function and template results together; arguments and extension tags each have the same limit.
   */
  readonly expandedLength: number
  /** Templates, functions and words of a page. */
  readonly calls: number
  /** Small steps: a node, a branch of `#switch`, a hundred characters. */
  readonly steps: number
  /** Lookups of other pages, such as `#ifexist`. */
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

/** Thrown when calls or steps are used up. Nothing more of the page can be expanded then. */
export class LimitReached extends Error {}

/** The remaining budget of an expansion. */
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

  /** Counts work on a text of some length. */
  countText(length: number): void {
    this.countSteps(1 + Math.floor(length / CHARACTERS_PER_STEP))
  }

  /** True if a result of this length still fits. */
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

  /** True if one more nested expansion may begin. Call `leave` at its end. */
  enter(): boolean {
    if (this.#depth >= this.limits.expansionDepth) return false
    this.#depth++
    return true
  }

  leave(): void {
    this.#depth--
  }
}
