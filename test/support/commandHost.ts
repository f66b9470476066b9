/** The front of commandHost.mjs: runs commands one after the other in a process that stays. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf, isRunning } from './processes.js'

const PROGRAM = join(import.meta.dirname, 'commandHost.mjs')
const POLL_MS = 1

export interface HostRequest {
  readonly parts: readonly string[]
  readonly input?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

export interface CommandResult {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export class CommandHost {
  readonly #start: string
  readonly #env: NodeJS.ProcessEnv
  /** Undefined before the first command, and after one whose process could run no other. */
  #process: HostProcess | undefined

  /** Runs the program `start`, with the variables of the environment that all commands have. */
  constructor(start: string, env: NodeJS.ProcessEnv) {
    this.#start = start
    this.#env = env
  }

  /** Runs a command to its end. Meanwhile nothing else runs in this thread. Throws if the process ends before. */
  run(request: HostRequest): CommandResult {
    this.#process ??= new HostProcess(this.#start, this.#env)
    let canStay = false
    try {
      const { isClean, ...result } = this.#process.run(request)
      canStay = isClean
      return result
    } finally {
      if (!canStay) this.close()
    }
  }

  /** Waits until the process has ended. Another command starts another one. */
  close(): void {
    this.#process?.close()
    this.#process = undefined
  }
}

interface Answer extends CommandResult {
  /** False: the command has left something open, and the process ends. */
  readonly isClean: boolean
}

/** It ends with this process. */
class HostProcess {
  readonly #child: ChildProcess
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-host-'))
  readonly #requests: number
  #number = 0

  constructor(start: string, env: NodeJS.ProcessEnv) {
    const pipe = join(this.#folder, 'requests')
    execFileSync('mkfifo', [pipe])
    // Open for both, it waits for no reader. A stream would send nothing while `run` waits.
    this.#requests = openSync(pipe, constants.O_RDWR)
    const line = ['--no-allocation-site-pretenuring', PROGRAM, start, this.#folder]
    this.#child = spawn(process.execPath, line, { env, stdio: ['ignore', 'inherit', 'inherit'] })
    this.#child.unref()
  }

  run({ parts, input = '', settings = {}, cwd }: HostRequest): Answer {
    const number = ++this.#number
    const path = join(this.#folder, String(number))
    // Through a file: a pipe that nobody reads takes no more than 64 KiB.
    writeFileSync(`${path}.request`, JSON.stringify({ parts, input, settings, cwd }))
    writeSync(this.#requests, `${number}\n`)
    for (;;) {
      // In this order: the process may end right after its answer.
      const isAlive = this.#isAlive()
      const answer = readIfThere(path)
      if (answer !== undefined) return JSON.parse(answer) as Answer
      if (!isAlive) throw new Error(`${endOf(this.#child.pid!)} in the process of: ${parts.join(' ')}`)
      pause()
    }
  }

  /** Ends the process, and removes its folder. */
  close(): void {
    closeSync(this.#requests)
    while (this.#isAlive()) pause()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #isAlive(): boolean {
    return isRunning(this.#child.pid!)
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
