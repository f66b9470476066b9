/** The access log: one line per request. Threads of the system write it, not the event loop. */
import { closeSync, fstat, openSync, stat } from 'node:fs'
import { destination, type Logger } from 'pino'
import { type Config, SettingError } from '../../config/config.js'
import { counter, type Figure } from '../../metrics/figures.js'
import { AccessLines, type Arrival, type LineFormat, type LinePart, type Served } from './accessLine.js'

/** A dash in `accessLogFile` means standard output. */
const DASH = '-'
/** A pipe takes this many bytes atomically, so lines of several processes do not mix. */
const PIPE_BYTES = 4096
const FILE_BYTES = 256 * 1024
/** Above the longest line, of which each character is an escape. */
const LONGEST_LINE = 32 * 1024
/** Bytes of lines that may wait for a slow disk or reader; further lines are dropped. */
const WAITING_BYTES = 8 * 2 ** 20
/** Interval of writes. A write by a thread costs as much as several lines. */
const GATHER_MS = 100
/** Only the owner and the group may read it: addresses are personal data. */
const FILE_MODE = 0o640
const REOPEN_MS = 1000
/** When a server stops: the time to write the last lines. */
const CLOSE_MS = 1000

/** The package's types only accept strings. */
type ByteDestination = Omit<ReturnType<typeof destination>, 'write'> & { write(bytes: Buffer): boolean }
type Settings = Pick<Config, 'accessLog' | 'accessLogFile'>

/** The configured log; undefined when it is off. Throws a SettingError when its file cannot be opened. */
export function openAccessLog({ accessLog, accessLogFile }: Settings, log: Logger): AccessLog | undefined {
  if (accessLog === 'off') return undefined
  if (accessLogFile !== DASH) tryFile(accessLogFile)
  return new AccessLog(accessLog, accessLogFile, log)
}

/** Opens the file once, to fail early: the library opens it later, and could only log the failure. */
function tryFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', FILE_MODE))
  } catch (error) {
    throw new SettingError(`accessLogFile: ${(error as Error).message}`, { cause: error })
  }
}

export class AccessLog {
  readonly #log: Logger
  readonly #lines: AccessLines
  readonly #out: ByteDestination
  readonly #watch: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  /** Lines since the last write. As bytes: encoding one long string takes three times as long. */
  readonly #chunk: Buffer
  #length = 0
  #dropped = 0
  #isFailing = false

  /** `file` may be a dash, for standard output. */
  constructor(format: LineFormat, file: string, log: Logger) {
    this.#lines = new AccessLines(format)
    this.#log = log
    const isFile = file !== DASH
    this.#chunk = Buffer.allocUnsafe(isFile ? FILE_BYTES : PIPE_BYTES)
    const out = destination({
      // Node's stream makes a pipe non-blocking. A thread within a write would hold up the end of the process.
      dest: isFile ? file : process.stdout.fd,
      sync: false,
      mode: FILE_MODE,
      contentMode: 'buffer',
      maxWrite: this.#chunk.length,
      maxLength: WAITING_BYTES,
    })
    this.#out = out as unknown as ByteDestination
    this.#out.on('drop', (lines: Buffer) => (this.#dropped += countLines(lines)))
    this.#out.on('error', (error: Error) => this.#fail(error))
    this.#out.on('write', () => (this.#isFailing = false))
    if (isFile) this.#watch = setInterval(() => this.#reopenIfMoved(file), REOPEN_MS).unref()
  }

  /** The part of a line that shows an answer; `add` takes it. */
  served(served: Served): LinePart {
    return this.#lines.served(served)
  }

  add(visit: Arrival, served: LinePart): void {
    let end = this.#lines.write(this.#chunk, this.#length, visit, served)
    if (end < 0) {
      this.#write()
      end = this.#lines.write(this.#chunk, 0, visit, served)
      if (end < 0) return this.#writeAlone(visit, served)
    }
    this.#timer ??= setTimeout(() => this.#write(), GATHER_MS)
    this.#length = end
  }

  /** Writes a line that is longer than a chunk. */
  #writeAlone(visit: Arrival, served: LinePart): void {
    const bytes = Buffer.alloc(LONGEST_LINE)
    this.#out.write(bytes.subarray(0, this.#lines.write(bytes, 0, visit, served)))
  }

  figures(): Figure[] {
    const help = 'Lines of the access log that were dropped, since too many waited to be written.'
    return [counter('palimpsest_access_log_dropped_total', help, this.#dropped)]
  }

  /** Writes the remaining lines, for at most a second. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    this.#write()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_MS)
      this.#out.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      this.#out.end()
    })
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#length === 0) return
    this.#out.write(Buffer.from(this.#chunk.subarray(0, this.#length)))
    this.#length = 0
  }

  /** Reopens the path after log rotation moved the file away, without a signal. */
  #reopenIfMoved(path: string): void {
    stat(path, (missing, named) => {
      if (missing !== null) return this.#out.reopen()
      fstat((this.#out as unknown as { readonly fd: number }).fd, (closed, open) => {
        if (closed === null && (open.ino !== named.ino || open.dev !== named.dev)) this.#out.reopen()
      })
    })
  }

  #fail(error: Error): void {
    if (!this.#isFailing) this.#log.error({ err: error }, 'the access log cannot be written')
    this.#isFailing = true
  }
}

const LINE_FEED = 10

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
