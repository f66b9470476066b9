/** The log of a server: JSON lines for programs, each with a message for the operator. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config/config.js'
import type { Figure } from '../metrics/figures.js'
import { sourceTrace } from '../runtime/stackTraces.js'
import { LogOutput } from './logOutput.js'

export interface ServerLog {
  readonly log: Logger
  readonly figures: (labels?: Readonly<Record<string, string>>) => Figure[]
}

/** Opens a log to standard error, or to `logTo`. Every line carries `processNumber` when it is given. */
export function openServerLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  processNumber?: number,
  logTo?: DestinationStream,
): ServerLog {
  const output = new LogOutput()
  const log = pino({ level: logLevel, serializers: { err: loggedError } }, logTo ?? output)
  const own = processNumber === undefined ? log : log.child({ process: processNumber })
  output.onRecovery = (dropped) =>
    own.warn({ dropped }, 'lines of this log are lost: standard error could not be written')
  return { log: own, figures: (labels) => output.figures(labels) }
}

/** An error as the log shows it, with the places of source files. */
function loggedError(error: Error): unknown {
  const logged: unknown = stdSerializers.err(error)
  if (logged instanceof Object && 'stack' in logged && typeof logged.stack === 'string') {
    return { ...logged, stack: sourceTrace(logged.stack) }
  }
  return logged
}

export const openLog = (config: Pick<Config, 'logLevel'>): Logger => openServerLog(config).log
