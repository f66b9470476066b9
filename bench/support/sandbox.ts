/** The processes and temporary folders of one bench. All are gone when it ends, however it ends. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { RESULTS } from './repository.js'

const STOP_TIMEOUT_MS = 5000
const START_TIMEOUT_MS = 30_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface Finished {
  /** Exit status; undefined if a signal ended the program. */
  readonly status: number | undefined
  readonly stdout: string
}

/** Every process leads its own process group, so that its children are ended, and measured, with it. */
export class Sandbox {
  readonly #running = new Set<ChildProcess>()
  readonly #folders: string[] = []

  constructor() {
    let closing: Promise<void> | undefined
    for (const signal of SIGNALS) {
      // A terminal and the runner may both send the same signal. The second one must not interrupt closing.
      process.on(signal, () => {
        closing ??= this.close().finally(() => process.exit(128 + constants.signals[signal]))
      })
    }
    process.once('exit', () => {
      for (const child of this.#running) signalGroup(child, 'SIGKILL')
      this.#removeFolders()
    })
  }

  /** A new folder on the repository's disk, removed at the end. */
  folder(prefix: string): string {
    mkdirSync(RESULTS, { recursive: true })
    const folder = mkdtempSync(join(RESULTS, `tmp-${prefix}-`))
    this.#folders.push(folder)
    return folder
  }

  /** Removes a folder of `folder` early. */
  remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true })
  }

  /** Starts a program that shares the bench's standard error. Throws if it cannot be started. */
  async start(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<ChildProcess> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options, detached: true })
    await once(child, 'spawn')
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return child
  }

  /** Runs a program to its end and collects its output. */
  async run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
    const child = await this.start(command, args, options)
    let stdout = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    const [status] = (await once(child, 'close')) as [number | null]
    return { status: status ?? undefined, stdout }
  }

  /** Starts a server and waits until its output matches `pattern`. Throws if it ends before that. */
  async serve(
    command: string,
    args: readonly string[],
    pattern: RegExp,
  ): Promise<{ pid: number; greeting: RegExpExecArray }> {
    const child = await this.start(command, args)
    const greeting = await firstMatch(child, pattern)
    if (greeting === undefined) throw new Error(`${command} ${args.join(' ')} did not start`)
    return { pid: child.pid!, greeting }
  }

  /** Ends a server of `serve` early. */
  async stop(pid: number): Promise<void> {
    const server = [...this.#running].find((child) => child.pid === pid)
    if (server !== undefined) await stop(server)
  }

  /** Ends all processes and removes all folders. May be called twice. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map(stop))
    this.#removeFolders()
  }

  #removeFolders(): void {
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  }
}

/** Undefined if the program ends, or prints no match in time. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray | undefined> {
  const stream = child.stdout!
  let printed = ''
  return new Promise((resolve) => {
    const settle = (match: RegExpExecArray | undefined): void => {
      clearTimeout(timer)
      child.off('exit', onEnd)
      // Read and discard later output, so that the program never blocks.
      stream.off('data', onText).resume()
      resolve(match)
    }
    const onText = (text: string): void => {
      printed += text
      const match = pattern.exec(printed)
      if (match !== null) settle(match)
    }
    const onEnd = (): void => settle(undefined)
    const timer = setTimeout(onEnd, START_TIMEOUT_MS)
    child.once('exit', onEnd)
    stream.setEncoding('utf8').on('data', onText)
  })
}

/** Asks a process group to end, and kills it after a while. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  signalGroup(child, 'SIGTERM')
  // A process that stands still takes the signal when it goes on.
  signalGroup(child, 'SIGCONT')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
