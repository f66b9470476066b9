/** The log of a server: JSON lines for programs, each with a message for the operator. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config/config.js'
import { type Figure, counter } from '../metrics/figures.js'
import { sourceTrace } from '../runtime/stackTraces.js'
import type { Writable } from 'node:stream'

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

// Standard error as the destination of a log. The server drops and counts lines that it cannot write. So a slow reader,
// or a full disk, neither holds it up nor ends it.

/** Characters of lines that may wait for a slow reader. */
const MOST_WAITING = 2 ** 20

export class LogOutput {
  /** Called when lines can be written again, with the number of those dropped since the last call. */
  onRecovery: (dropped: number) => void = () => undefined
  readonly #stream: Writable
  #dropped = 0
  #untold = 0
  /** A line may have been written in part, as on a full disk. */
  #isTorn = false

  /** Node writes to pipes and sockets without blocking, and keeps the rest in memory. Files take all at once. */
  constructor(stream: Writable = process.stderr) {
    this.#stream = stream
    // Without a listener, an error would end the process.
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  }

  write(line: string): void {
    if (this.#stream.writableLength + line.length > MOST_WAITING) {
      this.#drop()
      return
    }
    this.#stream.write(line, (error) => {
      if (error) {
        this.#isTorn = true
        this.#drop()
      } else if (this.#untold > 0 && this.#stream.writableLength === 0) this.#recover()
    })
  }

  figures(labels: Readonly<Record<string, string>> = {}): Figure[] {
    const help =
      'Lines of the log of the server that were dropped, since standard error could not be written.'
    return [counter('palimpsest_server_log_dropped_total', help, [{ labels, value: this.#dropped }])]
  }

  #drop(): void {
    this.#dropped++
    this.#untold++
  }

  #recover(): void {
    if (this.#isTorn) this.#stream.write('\n')
    this.#isTorn = false
    const dropped = this.#untold
    this.#untold = 0
    this.onRecovery(dropped)
  }
}

const ignore = (): void => undefined
