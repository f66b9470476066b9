/** Limits for the modules of one page, all calls together. */
export interface LuaLimits {
  /** Processor time. */
  readonly timeMs: number
  /** Memory of Lua's objects. */
  readonly memoryBytes: number
  /** Number of languages whose data may be loaded. */
  readonly languages: number
}

/** Message that replaces each call once the time is used up. */
export const TIME_OVER = 'The time allocated for running scripts has expired.'

export const DEFAULT_LUA_LIMITS: LuaLimits = { timeMs: 10_000, memoryBytes: 52_428_800, languages: 30 }

/** Clocks that measure the time of modules. */
export interface LuaClock {
  /** Milliseconds of wall-clock time, from any start. */
  wallMs(): number
  /** Milliseconds of processor time of this thread; undefined if unknown. */
  processorMs(): number | undefined
  /** True once somebody wants the modules to end before their time. */
  isInterrupted?(): boolean
}

/**
 * The time that a page's modules use. Reading processor time takes longer than a module call, so it is read only once
 * the limit is reached by wall-clock time.
 */
export class LuaTime {
  readonly #clock: LuaClock
  readonly #limitMs: number
  #processorAtStart: number | undefined
  #allowedMs: number
  #usedMs = 0
  #since = 0

  constructor(clock: LuaClock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#allowedMs = limitMs
    this.#processorAtStart = clock.processorMs()
  }

  /** Gives the whole time once more. */
  restart(): void {
    this.#allowedMs = this.#limitMs
    this.#usedMs = 0
    this.#processorAtStart = this.#clock.processorMs()
  }

  start(): void {
    this.#since = this.#clock.wallMs()
  }

  stop(): void {
    this.#usedMs = this.usedMs
  }

  /** Valid while a module runs. */
  get usedMs(): number {
    return this.#usedMs + this.#clock.wallMs() - this.#since
  }

  isOver(): boolean {
    if (this.#clock.isInterrupted?.() === true) return true
    if (this.usedMs < this.#allowedMs) return false
    const now = this.#clock.processorMs()
    if (now === undefined || this.#processorAtStart === undefined) return true
    const restMs = this.#limitMs - (now - this.#processorAtStart)
    if (restMs <= 0) return true
    this.#allowedMs = this.usedMs + restMs
    return false
  }
}
