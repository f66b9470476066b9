/** How a server takes its signals, from its first line on. */
import type { Logger } from 'pino'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

type StopSignal = (typeof STOP_SIGNALS)[number]

export interface Stoppable {
  readonly log: Logger
  /** Finishes open requests; true when all ended in order. */
  readonly stop: () => Promise<boolean>
  /** Ends at once everything that would outlive this process, or keep it from ending. */
  readonly quit: () => void
}

/** The signals of a server. A signal that comes too early is remembered, or ends the process while nothing is open. */
export class ServeSignals {
  #hasHungUp = false
  #onHangUp: (() => void) | undefined
  #onStop: (signal: StopSignal) => void = endBeforeStart

  /** Takes the signals from now on: Node.js would end the process for each of them. */
  constructor() {
    process.on('SIGHUP', () => {
      if (this.#onHangUp === undefined) this.#hasHungUp = true
      else this.#onHangUp()
    })
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#onStop(signal))
  }

  /** Does `act` at each SIGHUP from now on; also at once when one has come already. */
  onHangUp(act: () => void): void {
    this.#onHangUp = act
    if (this.#hasHungUp) act()
  }

  /** From now on the first signal stops the server in order, a second one at once; only the former exits with 0. */
  onStop({ log, stop, quit }: Stoppable): void {
    this.#onStop = (signal) => {
      this.#onStop = () => {
        quit()
        process.exit(1)
      }
      log.info({ signal }, 'stopping')
      stop().then(
        (inOrder) => process.exit(inOrder ? 0 : 1),
        (error: unknown) => {
          // The log is written behind, and what follows would not wait for it.
          process.stderr.write(`palimpsest: cannot stop cleanly: ${String(error)}\n`)
          quit()
          process.exit(1)
        },
      )
    }
  }
}

/** Ends the process by SIGHUP, as if it had not been taken: its terminal has gone, so it could log nothing more. */
export function endByHangUp(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/** No thread and no other process has been started yet. */
function endBeforeStart(signal: StopSignal): never {
  process.stderr.write(`palimpsest: stopped by ${signal} before the server was ready\n`)
  process.exit(0)
}
