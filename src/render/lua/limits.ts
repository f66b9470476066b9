/** Bounds of the modules of one page, all of its calls together. */
export interface LuaLimits {
  /** Processor time. */
  readonly timeMs: number
  /** Of Lua's objects. */
  readonly memoryBytes: number
  /** Languages whose data is loaded. */
  readonly languages: number
}

/** What stands in place of each call when the time is over. */
export const TIME_OVER = 'The time allocated for running scripts has expired.'

export const DEFAULT_LUA_LIMITS: LuaLimits = { timeMs: 10_000, memoryBytes: 52_428_800, languages: 30 }

/** Time as the caller measures it. */
export interface LuaClock {
  /** Milliseconds of the clock on the wall, from any beginning. */
  wallMs(): number
  /** Milliseconds of processor time of this thread; undefined where nobody knows. */
  processorMs(): number | undefined
}

/**
 * The time that a page's modules take. Reading processor time takes longer than a call of a module, so it is asked
 * for only when the wall clock says that the time is over.
 */
export class LuaTime {
  readonly #clock: LuaClock
  readonly #limitMs: number
  readonly #processorAtStart: number | undefined
  #allowedMs: number
  #usedMs = 0
  #since = 0

  constructor(clock: LuaClock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#allowedMs = limitMs
    this.#processorAtStart = clock.processorMs()
  }

  start(): void {
    this.#since = this.#clock.wallMs()
  }

  stop(): void {
    this.#usedMs = this.usedMs
  }

  /** While a module runs. */
  get usedMs(): number {
    return this.#usedMs + this.#clock.wallMs() - this.#since
  }

  isOver(): boolean {
    if (this.usedMs < this.#allowedMs) return false
    const now = this.#clock.processorMs()
    if (now === undefined || this.#processorAtStart === undefined) return true
    const restMs = this.#limitMs - (now - this.#processorAtStart)
    if (restMs <= 0) return true
    this.#allowedMs = this.usedMs + restMs
    return false
  }
}
