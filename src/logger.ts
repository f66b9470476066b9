/** The log of a server: JSON lines for programs, one for what an operator may have to know. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from './config/config.js'

const STANDARD_ERROR = 2

/**
 * Opens a log to standard error, unless it is to go elsewhere; `processNumber` stands in every line where it is given.
 */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  processNumber?: number,
  logTo: DestinationStream = destination(STANDARD_ERROR),
): Logger {
  const log = pino({ level: logLevel }, logTo)
  return processNumber === undefined ? log : log.child({ process: processNumber })
}
