/** Runs a compiled pattern by backtracking, and counts every step. */
import type { CodeTest, Node, Pattern } from './pattern.js'
import type { Subject } from './subject.js'

const STEPS_PER_CHECK = 100_000
const NOT_CLOSED = -1
const POSITION = -2
const NEWLINE = 0x0a

/** Positions count code points from 0. */
export class Matcher {
  readonly starts: Int32Array
  /** End of each capture; `POSITION` for a position capture. */
  readonly ends: Int32Array
  readonly #pattern: Pattern
  readonly #subject: Subject
  readonly #onSteps: () => void
  #steps = 0
  /** Where no match may end. */
  #refused = -1

  /** Calls `onSteps` at a fixed interval of steps; it may throw. */
  constructor(pattern: Pattern, subject: Subject, onSteps: () => void) {
    this.#pattern = pattern
    this.#subject = subject
    this.#onSteps = onSteps
    this.starts = new Int32Array(pattern.captures)
    this.ends = new Int32Array(pattern.captures)
  }

  /** First position at or after `from` with a match; `end` then holds its end. */
  end = -1
  find(from: number): number {
    const last = this.#pattern.isAnchored ? from : this.#subject.length
    for (let at = from; at <= last; at++) {
      this.end = this.#match(0, at)
      if (this.end >= 0) return at
    }
    return -1
  }

  /** True if a match begins at `at` that is not empty; `end` then holds its end. */
  findLonger(at: number): boolean {
    this.#refused = at
    this.end = this.#match(0, at)
    this.#refused = -1
    return this.end >= 0
  }

  isPosition(capture: number): boolean {
    return this.ends[capture] === POSITION
  }

  #match(from: number, start: number): number {
    const { nodes } = this.#pattern
    const { codes, length } = this.#subject
    let at = start
    for (let index = from; index < nodes.length; index++) {
      const node = nodes[index] as Node
      this.#count()
      switch (node.kind) {
        case 'single': {
          if (node.repeat === 'once') {
            if (at >= length || !node.test(codes[at] ?? 0)) return -1
            at++
            break
          }
          return this.#repeat(node, index + 1, at)
        }
        case 'open':
          return this.#open(node, index + 1, at)
        case 'close':
          return this.#close(node.capture, index + 1, at)
        case 'balance':
          at = this.#balanceEnd(node.open, node.close, at)
          break
        case 'frontier':
          at = this.#isFrontier(node.test, at) ? at : -1
          break
        case 'back':
          at = this.#backEnd(node.capture, at)
          break
        case 'end':
          at = this.#isEnd(at) ? at : -1
      }
      if (at < 0) return -1
    }
    return at === this.#refused ? -1 : at
  }

  /** Before a last newline, too. */
  #isEnd(at: number): boolean {
    const { codes, length } = this.#subject
    return at === length || (at === length - 1 && codes[at] === NEWLINE)
  }

  #open(node: Node & { kind: 'open' }, rest: number, at: number): number {
    this.starts[node.capture] = at
    const before = this.ends[node.capture] ?? 0
    this.ends[node.capture] = node.isPosition ? POSITION : NOT_CLOSED
    const end = this.#match(rest, at)
    if (end < 0) this.ends[node.capture] = before
    return end
  }

  #close(capture: number, rest: number, at: number): number {
    this.ends[capture] = at
    const end = this.#match(rest, at)
    if (end < 0) this.ends[capture] = NOT_CLOSED
    return end
  }

  /** NUL stands beyond both ends. */
  #isFrontier(test: CodeTest, at: number): boolean {
    const { codes, length } = this.#subject
    const before = at === 0 ? 0 : (codes[at - 1] ?? 0)
    if (test(before)) return false
    return (at < length && test(codes[at] ?? 0)) || (this.#isEnd(at) && test(0))
  }

  #repeat(node: Node & { kind: 'single' }, rest: number, start: number): number {
    const { codes, length } = this.#subject
    const { test, repeat, least } = node
    if (repeat === 'optional') {
      if (start < length && test(codes[start] ?? 0)) {
        const end = this.#match(rest, start + 1)
        if (end >= 0) return end
      }
      return this.#match(rest, start)
    }
    if (repeat === 'lazy') {
      for (let at = start; ; at++) {
        const end = this.#match(rest, at)
        if (end >= 0) return end
        if (at >= length || !test(codes[at] ?? 0)) return -1
      }
    }
    let at = start
    while (at < length && test(codes[at] ?? 0)) at++
    this.#steps += at - start
    for (; at >= start + least; at--) {
      const end = this.#match(rest, at)
      if (end >= 0) return end
    }
    return -1
  }

  #balanceEnd(open: number, close: number, start: number): number {
    const { codes, length } = this.#subject
    if (start >= length || codes[start] !== open) return -1
    let depth = 1
    for (let at = start + 1; at < length; at++) {
      this.#count()
      if (codes[at] === close) {
        if (--depth === 0) return at + 1
      } else if (codes[at] === open) depth++
    }
    return -1
  }

  #backEnd(capture: number, start: number): number {
    const { codes, length } = this.#subject
    const from = this.starts[capture] ?? 0
    const size = Math.max(0, (this.ends[capture] ?? 0) - from)
    if (start + size > length) return -1
    for (let index = 0; index < size; index++) if (codes[from + index] !== codes[start + index]) return -1
    return start + size
  }

  #count(): void {
    if (++this.#steps < STEPS_PER_CHECK) return
    this.#steps = 0
    this.#onSteps()
  }
}
