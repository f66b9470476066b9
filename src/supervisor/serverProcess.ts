/** A server process as its supervisor sees it. */
import { type ChildProcess, fork } from 'node:child_process'
import type { GivenFlags } from '../config/config.js'
import type { Figure } from '../metrics/figures.js'
import type { TakeTurn, Turn } from '../runtime/turns.js'
import { compiledFile } from '../runtime/packageFiles.js'
import type { FromServer, ToServer } from './messages.js'
import { Questions } from './questions.js'
import { EarlyEndError, StartError } from './startError.js'

const PROGRAM = compiledFile('supervisor/main.ts')

/** Time limit for the figures of a process. */
const ANSWER_MS = 1000

/**
 * With real-time priority, an event loop waited up to 100 ms for V8's helper threads to collect garbage: they have
 * normal priority and thus no core. Threads that collect their own garbage do not wait. V8 takes this flag only at the
 * start.
 */
const OWN_GARBAGE = '--single-threaded-gc'

/** What the processes of a supervisor share. */
export interface SharedServices {
  /** Returns the figures of all processes. */
  readonly collectAll: () => Promise<readonly (readonly Figure[])[]>
  /** Gives a turn at the followed wiki. */
  readonly takeTurn: TakeTurn
}

export interface ServerOptions {
  /** Flags of the command line. */
  readonly flags: GivenFlags
  /** Its event loop is to have real-time priority. */
  readonly realTime: boolean
  readonly shared: SharedServices
}

/** The end of a process. */
export interface Ending {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly ranMs: number
}

export class ServerProcess {
  readonly number: number
  /**
   * Resolves when the process serves. Rejects with a StartError when it cannot, and with an EarlyEndError when it dies.
   */
  readonly listening: Promise<void>
  readonly ended: Promise<Ending>
  readonly #child: ChildProcess
  readonly #questions = new Questions<readonly Figure[]>()
  readonly #turns = new Map<number, Turn>()
  readonly #shared: SharedServices
  #hasServed = false
  #hasEnded = false

  /** Starts a process with this one's environment, output streams and flags of Node. */
  constructor(number: number, { flags, realTime, shared }: ServerOptions) {
    this.number = number
    this.#shared = shared
    const startedMs = performance.now()
    this.#child = fork(PROGRAM, [String(number), String(process.pid)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...(realTime ? [OWN_GARBAGE] : [])],
    })
    this.ended = new Promise((resolve) => {
      const end = (status: number | null, signal: NodeJS.Signals | null): void =>
        resolve({ status, signal, ranMs: performance.now() - startedMs })
      this.#child.once('exit', end)
      // Only the first event counts. `error` without `exit` means that the process could not be started.
      this.#child.once('error', () => end(null, null))
    })
    this.listening = this.#whenListening()
    this.#child.on('message', (message: FromServer) => this.#take(message))
    void this.ended.then(() => {
      this.#hasEnded = true
      for (const turn of this.#turns.values()) turn.end()
    })
    this.#tell({ kind: 'start', flags, processNumber: number })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The process serves, or has served. */
  get hasServed(): boolean {
    return this.#hasServed
  }

  /** Asks the process to finish and end. */
  stop(): void {
    this.#tell({ kind: 'stop' })
  }

  /** The figures of the process; empty when it does not answer in time. */
  async collect(): Promise<readonly Figure[]> {
    const ask = (question: number): void => this.#tell({ kind: 'collect', question })
    return (await this.#questions.ask(ask, ANSWER_MS)) ?? []
  }

  /** Kills the process. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #whenListening(): Promise<void> {
    const message = await Promise.race([
      new Promise<FromServer>((resolve) => this.#child.once('message', resolve)),
      this.ended,
    ])
    if ('ranMs' in message) {
      const { signal, status } = message
      throw new EarlyEndError(`a server process ended at its start (${signal ?? `status ${status}`})`)
    }
    if (message.kind === 'failed') throw new StartError(message.message)
    this.#hasServed = true
  }

  #take(message: FromServer): void {
    switch (message.kind) {
      case 'figures':
        return this.#questions.answer(message.question, message.figures)
      case 'collectAll':
        return void this.#answerAll(message.question)
      case 'askTurn':
        return void this.#giveTurn(message.question)
      case 'endTurn':
        this.#turns.get(message.question)?.end(message.restMs)
        return void this.#turns.delete(message.question)
      case 'listening':
      case 'failed':
        return
    }
  }

  async #answerAll(question: number): Promise<void> {
    this.#tell({ kind: 'collected', question, processes: await this.#shared.collectAll() })
  }

  /** A turn of a process that has died meanwhile ends at once. */
  async #giveTurn(question: number): Promise<void> {
    const turn = await this.#shared.takeTurn()
    if (this.#hasEnded) return turn.end()
    this.#turns.set(question, turn)
    this.#tell({ kind: 'turn', question, restsMs: turn.restsMs })
  }

  /** The channel may already be closed when the process is about to end; `ended` reports that. */
  #tell(message: ToServer): void {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
