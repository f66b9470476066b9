/** The log of a server: JSON lines for programs, each with a message for the operator. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from '../config/config.js'

const STANDARD_ERROR = 2

/** Opens a log to standard error, or to `logTo`. Every line carries `processNumber` when it is given. */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  processNumber?: number,
  logTo: DestinationStream = destination(STANDARD_ERROR),
): Logger {
  const log = pino({ level: logLevel }, logTo)
  return processNumber === undefined ? log : log.child({ process: processNumber })
}
