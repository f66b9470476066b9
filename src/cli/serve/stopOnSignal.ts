/** How a server takes the signals that are to stop it. */
import type { Logger } from 'pino'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Stoppable {
  readonly log: Logger
  /** Finishes what is open; true when all ended in order. */
  readonly stop: () => Promise<boolean>
  /** Ends at once what would outlive this process. */
  readonly quit: () => void
}

/** The first signal stops the server in order, a second one at once; the exit status is 0 only for the former. */
export function stopOnSignal({ log, stop, quit }: Stoppable): void {
  let stopping = false
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (stopping) {
        quit()
        process.exit(1)
      }
      stopping = true
      log.info({ signal }, 'stopping')
      stop().then(
        (inOrder) => process.exit(inOrder ? 0 : 1),
        (error: unknown) => {
          log.fatal({ err: error }, 'could not stop in order')
          process.exit(1)
        },
      )
    })
  }
}
