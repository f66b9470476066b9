/** A console on the wiki's modules: lines of Lua, whose variables stay for the next ones. */
import { createInterface, type Interface } from 'node:readline'
import type { EvaluatedLine } from '../../workers/expand/expandTasks.js'
import type { Expansions } from '../../workers/expand/expansions.js'
import { printableLines } from '../../domain/printable.js'

const PROMPT = '> '
/** Before a line that belongs to those above it. */
const MORE_PROMPT = '>> '
const HISTORY_LINES = 1000
const GREETING =
  "Lines of Lua, with the wiki's modules. =x shows a value, mw.logObject(x) a table. Ctrl-C ends a line, Ctrl-D the console.\n"
/** From the cursor on, and up to it. */
const CLEAR_LINE = ['k', 'u']

export class LuaConsole {
  readonly #expansions: Expansions
  readonly #title: string
  readonly #isTerminal = process.stdin.isTTY && process.stdout.isTTY
  readonly #lines: Interface
  /** Lines that need another one. */
  #begun: string[] = []
  #isBusy = false
  #isInterrupted = false
  #failures = 0

  constructor(expansions: Expansions, title: string) {
    this.#expansions = expansions
    this.#title = title
    this.#lines = createInterface({
      input: process.stdin,
      output: this.#isTerminal ? process.stdout : undefined,
      terminal: this.#isTerminal,
      prompt: PROMPT,
      historySize: HISTORY_LINES,
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
  }

  /** Reads lines to their end; returns how many failed. */
  async run(): Promise<number> {
    if (this.#isTerminal) process.stdout.write(GREETING)
    this.#prompt()
    for await (const line of this.#lines) {
      this.#isBusy = true
      this.#isInterrupted = false
      await this.#take(line)
      this.#isBusy = false
      this.#prompt()
    }
    if (this.#begun.length > 0) this.#fail('the last line is not complete')
    if (this.#isTerminal) process.stdout.write('\n')
    return this.#failures
  }

  async #take(line: string): Promise<void> {
    const source = [...this.#begun, line].join('\n')
    const result = await this.#evaluate(source)
    if (result?.isIncomplete === true) {
      this.#begun.push(line)
      return
    }
    this.#begun = []
    if (result !== undefined) this.#show(result)
  }

  /** Undefined when nothing came of the line; the reason is told. */
  async #evaluate(line: string): Promise<EvaluatedLine | undefined> {
    const job = { task: 'evaluate', title: this.#title, line, nowMs: Date.now() } as const
    const answer = await this.#expansions.run(job)
    if (answer.result === 'evaluated') return answer.line
    if (answer.result === 'expanded') throw new Error('a line was expanded')
    this.#fail(answer.reason)
    if (answer.result === 'ended') this.#tellOfLoss()
    return undefined
  }

  #show({ log, shown, error, traceback, isStateLost }: EvaluatedLine): void {
    for (const line of log) process.stdout.write(`${printableLines(line)}\n`)
    if (shown !== undefined) process.stdout.write(`${printableLines(shown)}\n`)
    if (error !== undefined)
      this.#fail(
        [this.#isInterrupted ? 'interrupted' : error, ...traceback.map((line) => `  ${line}`)].join('\n'),
      )
    if (isStateLost) this.#tellOfLoss()
  }

  /** Errors belong to the conversation; a script finds them on standard error. */
  #fail(message: string): void {
    this.#failures++
    const stream = this.#isTerminal ? process.stdout : process.stderr
    stream.write(`${printableLines(message)}\n`)
  }

  #tellOfLoss(): void {
    const stream = this.#isTerminal ? process.stdout : process.stderr
    stream.write('The variables of earlier lines are lost.\n')
  }

  /** Ends what runs: first Lua, then, where Lua does not come back, its thread. Between lines, clears the line. */
  #interrupt(): void {
    if (this.#isBusy) {
      if (this.#isInterrupted) this.#expansions.abort()
      else this.#expansions.interrupt()
      this.#isInterrupted = true
      return
    }
    this.#begun = []
    for (const name of CLEAR_LINE) this.#lines.write(null, { ctrl: true, name })
    process.stdout.write('\n')
    this.#prompt()
  }

  #prompt(): void {
    if (!this.#isTerminal) return
    this.#lines.setPrompt(this.#begun.length > 0 ? MORE_PROMPT : PROMPT)
    this.#lines.prompt()
  }
}
