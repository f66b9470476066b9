/** Signal handling of a server, from its first line of code. */
import type { Logger } from 'pino'
import { whenWritten } from '../../runtime/standardError.js'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

type StopSignal = (typeof STOP_SIGNALS)[number]

export interface Stoppable {
  readonly log: Logger
  /** Finishes open requests; true when everything ended in order. */
  readonly stop: () => Promise<boolean>
  /** Ends at once everything that would outlive this process or block its end. */
  readonly quit: () => void
}

/**
 * Signals of a server. An early SIGHUP is remembered; an early stop signal ends the process, since nothing is open yet.
 */
export class ServeSignals {
  #hasHungUp = false
  #onHangUp: (() => void) | undefined
  #onStop: (signal: StopSignal) => void = endBeforeStart

  /** Takes over the signals, each of which would otherwise end the process. */
  constructor() {
    process.on('SIGHUP', () => {
      if (this.#onHangUp === undefined) this.#hasHungUp = true
      else this.#onHangUp()
    })
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#onStop(signal))
  }

  /** Calls `act` at each SIGHUP from now on, and at once when one has already arrived. */
  onHangUp(act: () => void): void {
    this.#onHangUp = act
    if (this.#hasHungUp) act()
  }

  /** From now on, the first signal stops the server in order, and a second one at once with status 1. */
  onStop({ log, stop, quit }: Stoppable): void {
    this.#onStop = (signal) => {
      this.#onStop = () => {
        quit()
        process.exit(1)
      }
      log.info({ signal }, 'stopping')
      stop().then(
        async (inOrder) => {
          await whenWritten()
          process.exit(inOrder ? 0 : 1)
        },
        async (error: unknown) => {
          process.stderr.write(`palimpsest: cannot stop cleanly: ${String(error)}\n`)
          await whenWritten()
          quit()
          process.exit(1)
        },
      )
    }
  }
}

/** Ends the process by SIGHUP, with Node's default action. The terminal has gone, so logging is useless. */
export function endByHangUp(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/** No thread or other process has started yet. */
function endBeforeStart(signal: StopSignal): never {
  process.stderr.write(`palimpsest: stopped by ${signal} before the server was ready\n`)
  process.exit(0)
}
