/** Turns that the supervisor gives, as a server process takes them. */
import type { Turn } from '../runtime/turns.js'
import type { FromServer } from './messages.js'

export class RemoteTurns {
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
