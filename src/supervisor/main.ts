/**
 * The program of a server process: does what its supervisor tells it, and ends in order when that is gone. The terminal
 * sends its signals to all processes of a group, so those that the supervisor answers for are not minded here.
 */
import { App, ListenError } from '../app.js'
import { StoreError } from '../storage/errors.js'
import type { FromServer, ToServer } from './messages.js'

let app: Promise<App> | undefined

process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.on('message', (message: ToServer) => {
  if (message.kind === 'stop') return stop()
  app = App.open(message.config, { processNumber: message.processNumber })
  app.then(
    () => tell({ kind: 'listening' }),
    (error: unknown) => {
      // Any other is a fault of the program: it ends the process with its trace.
      if (!(error instanceof ListenError || error instanceof StoreError)) throw error
      tell({ kind: 'failed', message: error.message }, () => process.exit(1))
    },
  )
})

/** An error on the way ends the process with its trace and status 1. */
function stop(): void {
  void Promise.resolve(app?.then((running) => running.close())).then(() => process.exit(0))
}

function tell(message: FromServer, done: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, done)
  else done()
}
