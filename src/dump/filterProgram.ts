import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { DumpError } from './dumpError.js'

const MAX_COMPLAINT_LENGTH = 500

/** A running program that turns its standard input into its standard output. */
export interface FilterProgram {
  /**
   * Feeds `input` and yields the output. Returns undefined if the program exits with status 0, otherwise its complaint.
   * Throws the errors of `input`. Kills the program when the caller stops early.
   */
  run(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, string | undefined>
  /** Kills a program that was not run. */
  stop(): void
}

/** Undefined when PATH has no such program. The signal kills it, whether somebody reads its output or not. */
export async function startProgram(
  command: string,
  args: string[],
  signal?: AbortSignal,
): Promise<FilterProgram | undefined> {
  const child = spawn(command, args, { signal })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new DumpError(`cannot start ${command}: ${String(cause)}`, {}, { cause })
  }
  // The signal's kill is reported as an error, too.
  child.on('error', () => undefined)
  return { run: (input) => run(child, input), stop: () => void child.kill() }
}

async function* run(
  child: ChildProcessWithoutNullStreams,
  input: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, string | undefined> {
  const complaint = collectComplaint(child)
  // Not by `once`, which also ends with the error that a signal gives.
  const ended = new Promise<[code: number | null, signal: NodeJS.Signals | null]>((resolve) =>
    child.once('close', (code, signal) => resolve([code, signal])),
  )
  const stop = new AbortController()
  const feeding = feed(child, input, stop.signal)
  try {
    for await (const bytes of child.stdout) yield bytes as Buffer
    const [code, signal] = await ended
    if (code === 0) await feeding.done
    if (feeding.error !== undefined) throw feeding.error
    return code === 0 ? undefined : complaint() || `ended with ${signal ?? `status ${code}`}`
  } finally {
    stop.abort()
    child.kill()
  }
}

/** Collects the first lines of standard error. */
function collectComplaint(child: ChildProcessWithoutNullStreams): () => string {
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < MAX_COMPLAINT_LENGTH) complaint += text
  })
  return () => complaint.slice(0, MAX_COMPLAINT_LENGTH).trim().replace(/\s+/g, ' ')
}

interface Feeding {
  /** Error thrown by the input. */
  error: Error | undefined
  /** Never rejects. */
  done: Promise<void>
}

/**
 * Writes the input until its end or the signal. A broken pipe is not an error here: a program may stop reading because
 * it failed, or because it ignores bytes after the compressed data. Its exit status tells which. The rest of the input
 * is read nonetheless, since it is counted and hashed.
 */
function feed(
  { stdin }: ChildProcessWithoutNullStreams,
  input: AsyncIterable<Buffer>,
  stop: AbortSignal,
): Feeding {
  const feeding: Feeding = { error: undefined, done: Promise.resolve() }
  stdin.on('error', () => stdin.destroy())
  const writeAll = async () => {
    for await (const bytes of input) {
      if (stop.aborted) return
      if (stdin.writable && !stdin.write(bytes)) await drained(stdin)
    }
  }
  feeding.done = writeAll()
    .catch((error: unknown) => {
      feeding.error = error instanceof Error ? error : new Error(String(error))
    })
    .finally(() => stdin.end())
  return feeding
}

/** Settles when the pipe has room again, or is closed. */
function drained(stdin: ChildProcessWithoutNullStreams['stdin']): Promise<void> {
  if (stdin.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      stdin.off('drain', settle).off('close', settle)
      resolve()
    }
    stdin.on('drain', settle).on('close', settle)
  })
}
