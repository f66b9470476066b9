/** The front of commandHost.mjs: a process of each test file that runs its commands one after the other. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './processes.js'

const PROGRAM = join(import.meta.dirname, 'commandHost.mjs')
const POLL_MS = 1

export interface HostRequest {
  readonly parts: readonly string[]
  readonly input: string
  readonly settings: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

export interface HostAnswer {
  readonly status: number
  readonly out: string
  readonly err: string
  /** False: the command has left something open, and the host ends. */
  readonly isClean: boolean
}

export class CommandHost {
  readonly #child: ChildProcess
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-host-'))
  readonly #requests: number
  #number = 0

  /** Starts a host for the program `start`, with the variables of the environment that all commands have. */
  constructor(start: string, env: NodeJS.ProcessEnv) {
    const pipe = join(this.#folder, 'requests')
    execFileSync('mkfifo', [pipe])
    // Open for both, it waits for no reader. A stream would send nothing while `run` waits.
    this.#requests = openSync(pipe, constants.O_RDWR)
    const line = ['--no-allocation-site-pretenuring', PROGRAM, start, this.#folder]
    this.#child = spawn(process.execPath, line, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  }

  /** Runs a command to its end. Meanwhile nothing else runs in this thread. */
  run(request: HostRequest): HostAnswer {
    const number = ++this.#number
    writeSync(this.#requests, `${JSON.stringify({ number, ...request })}\n`)
    const path = join(this.#folder, String(number))
    for (;;) {
      const answer = readIfThere(path)
      if (answer !== undefined) return JSON.parse(answer) as HostAnswer
      if (!isRunning(this.#child.pid!))
        throw new Error(`the host of commands ended in: ${request.parts.join(' ')}`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
    }
  }

  close(): void {
    this.#child.kill('SIGKILL')
    closeSync(this.#requests)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
