/** The program of a server process. It follows the messages of its supervisor. */
import { App, ListenError } from '../app/app.js'
import { type GivenFlags, readSettings, SettingError } from '../config/config.js'
import type { Figure } from '../metrics/figures.js'
import { whenWritten } from '../runtime/standardError.js'
import { StoreError } from '../storage/tables/errors.js'
import type { FromServer, ToServer } from './messages.js'
import { ORPHAN_DRAIN_MS } from './orphanTimes.js'
import { Questions } from './questions.js'
import type { Turn } from '../runtime/turns.js'

/** Errors whose message is complete for the operator. Any other ends the process with a stack trace. */
const OPERATOR_FAULTS = [ListenError, SettingError, StoreError]
/** Longer than the supervisor's time limit for each process. */
const ANSWER_MS = 2000

export class ServerProgram {
  readonly #questions = new Questions<readonly (readonly Figure[])[]>()
  readonly #turns = new RemoteTurns(tell)
  #app: Promise<App> | undefined

  take(message: ToServer): void {
    switch (message.kind) {
      case 'start':
        return this.#start(message.flags, message.processNumber)
      case 'stop':
        return this.#end()
      case 'collect':
        return void this.#tellFigures(message.question)
      case 'collected':
        return this.#questions.answer(message.question, message.processes)
      case 'turn':
        return this.#turns.begin(message.question, message.restsMs)
    }
  }

  /** Without a supervisor: gives open requests a short time, and ends. */
  abandon(): void {
    this.#end(ORPHAN_DRAIN_MS)
  }

  #start(flags: GivenFlags, processNumber: number): void {
    this.#app = this.#open(flags, processNumber)
    this.#app.then(
      (running) => {
        running.warm()
        tell({ kind: 'listening' })
      },
      (error: unknown) => {
        if (!(error instanceof Error && OPERATOR_FAULTS.some((kind) => error instanceof kind))) throw error
        tell({ kind: 'failed', message: error.message }, () => process.exit(1))
      },
    )
  }

  async #open(flags: GivenFlags, processNumber: number): Promise<App> {
    const askAllProcesses = (): Promise<readonly (readonly Figure[])[]> => this.#askAll()
    return App.open(readSettings(flags), {
      processNumber,
      askAllProcesses,
      takeTurn: () => this.#turns.take(),
    })
  }

  /** When no answer arrives in time, returns at least the figures of this process. */
  async #askAll(): Promise<readonly (readonly Figure[])[]> {
    const ask = (question: number): void => tell({ kind: 'collectAll', question })
    return (await this.#questions.ask(ask, ANSWER_MS)) ?? [await this.#ownFigures()]
  }

  async #tellFigures(question: number): Promise<void> {
    tell({ kind: 'figures', question, figures: await this.#ownFigures() })
  }

  async #ownFigures(): Promise<readonly Figure[]> {
    return (await this.#app)?.context.metrics.collect() ?? []
  }

  /**
   * Finishes open requests and ends. After an error, a thread may be stuck in native code, and only a signal ends it.
   */
  #end(drainTimeoutMs?: number): void {
    const closed = Promise.resolve(this.#app?.then((running) => running.close(drainTimeoutMs)))
    closed.then(
      async () => {
        await whenWritten()
        process.exit(0)
      },
      async (error: unknown) => {
        process.stderr.write(`palimpsest: could not stop in order: ${String(error)}\n`)
        await whenWritten()
        process.kill(process.pid, 'SIGKILL')
      },
    )
  }
}

function tell(message: FromServer, done: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, done)
  else done()
}

// Turns that the supervisor gives, as a server process takes them.

class RemoteTurns {
  readonly #tell: (message: FromServer) => void
  readonly #asked = new Map<number, (turn: Turn) => void>()
  #last = 0

  constructor(tell: (message: FromServer) => void) {
    this.#tell = tell
  }

  take(): Promise<Turn> {
    const question = ++this.#last
    return new Promise((resolve) => {
      this.#asked.set(question, resolve)
      this.#tell({ kind: 'askTurn', question })
    })
  }

  /** Takes over a turn from the supervisor. */
  begin(question: number, restsMs: number): void {
    const resolve = this.#asked.get(question)
    this.#asked.delete(question)
    resolve?.({ restsMs, end: (restMs = 0) => this.#tell({ kind: 'endTurn', question, restMs }) })
  }
}
