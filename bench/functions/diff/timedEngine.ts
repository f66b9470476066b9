/** One engine in a process of its own that has all pairs and measures when it is told to. */
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { Sandbox } from '../../support/sandbox.js'

/** What all pairs took once, in microseconds. */
export interface Turn {
  /** For each pair the median of some calls, by the clock. */
  readonly pairMicros: readonly number[]
  /** Processor time of all pairs together, collecting garbage included: other processes hardly show in it. */
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

  /** Starts a program that speaks as `timeEngine.ts` does. */
  static async start(
    sandbox: Sandbox,
    name: string,
    command: string,
    args: readonly string[],
  ): Promise<TimedEngine> {
    const child = await sandbox.start(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    return new TimedEngine(name, child.stdin!, createInterface(child.stdout!))
  }

  /** Measures so many calls of each pair. Throws when the program ends instead. */
  async measure(calls: number): Promise<Turn> {
    const answer = once(this.#answers, 'line', { signal: this.#ended.signal })
    this.#input.write(`${calls}\n`)
    const [line] = (await answer) as [string]
    return JSON.parse(line) as Turn
  }
}
