/** One engine in its own process. It holds all pairs, and measures on request. */
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { Sandbox } from '../../support/sandbox.js'

/** Times for all pairs, in microseconds. */
export interface Turn {
  /** For each pair the median elapsed time of some calls. */
  readonly pairMicros: readonly number[]
  /** Processor time of all pairs together, with garbage collection. Other processes hardly affect it. */
  readonly cpuMicros: number
}

export class TimedEngine {
  readonly name: string
  readonly #input: Writable
  readonly #answers: Interface
  readonly #ended = new AbortController()

  private constructor(name: string, input: Writable, answers: Interface) {
    this.name = name
    this.#input = input
    this.#answers = answers
    answers.once('close', () => this.#ended.abort(new Error(`${name} ended`)))
  }

  /** Starts a program with the protocol of `timeEngine.ts`. */
  static async start(
    sandbox: Sandbox,
    name: string,
    command: string,
    args: readonly string[],
  ): Promise<TimedEngine> {
    const child = await sandbox.start(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    return new TimedEngine(name, child.stdin!, createInterface(child.stdout!))
  }

  /** Measures this number of calls of each pair. Throws if the program ends. */
  async measure(calls: number): Promise<Turn> {
    const answer = once(this.#answers, 'line', { signal: this.#ended.signal })
    this.#input.write(`${calls}\n`)
    const [line] = (await answer) as [string]
    return JSON.parse(line) as Turn
  }
}
