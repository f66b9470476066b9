/**
 * The program of a server process: does what its supervisor tells it, and ends in order when that is gone. The terminal
 * sends its signals to all processes of a group, so those that the supervisor answers for are not minded here.
 */
import { App, ListenError } from '../app.js'
import { type GivenFlags, readSettings, SettingError } from '../config.js'
import type { Figure } from '../metrics/figures.js'
import { StoreError } from '../storage/errors.js'
import type { FromServer, ToServer } from './messages.js'
import { Questions } from './questions.js'

/** Errors whose message says all that the operator needs; any other ends the process with its trace. */
const OPERATOR_FAULTS = [ListenError, SettingError, StoreError]
/** Longer than the supervisor waits for each process. */
const ANSWER_MS = 2000

const questions = new Questions<readonly (readonly Figure[])[]>()
let app: Promise<App> | undefined

process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.on('message', (message: ToServer) => {
  switch (message.kind) {
    case 'start':
      return start(message.flags, message.processNumber)
    case 'stop':
      return stop()
    case 'collect':
      return void tellFigures(message.question)
    case 'collected':
      return questions.answer(message.question, message.processes)
  }
})

function start(flags: GivenFlags, processNumber: number): void {
  app = open(flags, processNumber)
  app.then(
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

async function open(flags: GivenFlags, processNumber: number): Promise<App> {
  return App.open(readSettings(flags), { processNumber, askAllProcesses })
}

/** Without an answer in time, at least the figures of this process. */
async function askAllProcesses(): Promise<readonly (readonly Figure[])[]> {
  const ask = (question: number): void => tell({ kind: 'collectAll', question })
  return (await questions.ask(ask, ANSWER_MS)) ?? [await ownFigures()]
}

async function tellFigures(question: number): Promise<void> {
  tell({ kind: 'figures', question, figures: await ownFigures() })
}

async function ownFigures(): Promise<readonly Figure[]> {
  return (await app)?.context.metrics.collect() ?? []
}

/** An error on the way ends the process with its trace and status 1. */
function stop(): void {
  void Promise.resolve(app?.then((running) => running.close())).then(() => process.exit(0))
}

function tell(message: FromServer, done: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, done)
  else done()
}
