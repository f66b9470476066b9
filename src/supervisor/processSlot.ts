/** A slot for one server process. It restarts the process when it dies. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BackOff } from '../runtime/pause.js'
import type { Figure } from '../metrics/figures.js'
import { type Ending, type ServerOptions, ServerProcess } from './serverProcess.js'
import { EarlyEndError } from './startError.js'

/** Time to end, in addition to the time for open requests. */
const CLOSING_MS = 5000
/** Time to end for a process that does not serve yet and has nothing to finish. */
const STARTING_MS = 1000
/** Number of processes that may die before the first one serves. */
const MAX_FIRST_STARTS = 5

export interface SlotOptions {
  /** For each process of the slot. */
  readonly server: ServerOptions
  /** Time for open requests when a process ends. */
  readonly drainTimeoutMs: number
  readonly log: Logger
}

export class ProcessSlot {
  readonly number: number
  readonly #server: ServerOptions
  readonly #drainTimeoutMs: number
  readonly #log: Logger
  readonly #backOff = new BackOff()
  /** The process that serves. */
  #current: ServerProcess | undefined
  /** The process that will replace the current one. */
  #starting: ServerProcess | undefined
  /** All running processes, also those about to end. */
  readonly #running = new Set<ServerProcess>()
  /** Processes asked to end; true when they ended in order. */
  readonly #finishing = new Map<ServerProcess, Promise<boolean>>()
  #restart: NodeJS.Timeout | undefined
  #isStopping = false
  /** Number of starts after the first one. */
  restarts = 0

  constructor(number: number, { server, drainTimeoutMs, log }: SlotOptions) {
    this.number = number
    this.#server = server
    this.#drainTimeoutMs = drainTimeoutMs
    this.#log = log.child({ process: number })
  }

  /** Figures of the current process; empty when no process serves. */
  async collect(): Promise<readonly Figure[]> {
    return (await this.#current?.collect()) ?? []
  }

  /**
   * Starts a process and waits until it serves. When it dies before that, starts another one after a pause. Throws a
   * StartError when a process reports why it cannot start, since every other one would fail too, and after too many
   * deaths.
   */
  async startFirst(): Promise<void> {
    for (let starts = 1; ; starts++) {
      try {
        return await this.start()
      } catch (error) {
        if (!(error instanceof EarlyEndError) || this.#isStopping || starts >= MAX_FIRST_STARTS) throw error
        this.#log.error(`${error.message}: it is started again`)
        this.restarts++
        await wait(this.#backOff.delayAfter(0))
        if (this.#isStopping) throw error
      }
    }
  }

  /** Starts a process and waits until it serves. Throws a StartError. */
  async start(): Promise<void> {
    const process = new ServerProcess(this.number, this.#server)
    this.#starting = process
    this.#running.add(process)
    void process.ended.then(() => this.#running.delete(process))
    try {
      await process.listening
    } finally {
      this.#starting = undefined
    }
    this.#current = process
    if (!this.#isStopping) this.#log.info({ serverPid: process.pid }, 'a server process serves')
    void process.ended.then((ending) => this.#lose(process, ending))
  }

  /**
   * Replaces the current process. It asks the old one to end as soon as the new one serves. Throws a StartError when
   * the new one cannot start; the old one then continues.
   */
  async renew(): Promise<void> {
    if (this.#isStopping || this.#starting !== undefined) return
    clearTimeout(this.#restart)
    const old = this.#current
    try {
      await this.start()
    } catch (error) {
      // The old process may have died meanwhile, while `#lose` left the restart to this start.
      if (this.#current === undefined) this.#startLater(0)
      throw error
    }
    if (old !== undefined) await this.#finish(old)
  }

  /** Asks all processes to finish and end, and starts no other; true when they ended in order. */
  async stop(): Promise<boolean> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const inOrder = await Promise.all([...this.#running].map((process) => this.#finish(process)))
    return inOrder.every(Boolean)
  }

  /** Kills all processes, and starts no other. */
  kill(): void {
    this.#isStopping = true
    clearTimeout(this.#restart)
    for (const process of this.#running) process.kill()
  }

  /** Asks a process to end, and kills it after its time; true when it ended in order. Safe to call twice. */
  #finish(process: ServerProcess): Promise<boolean> {
    const finishing = this.#finishing.get(process) ?? this.#end(process)
    this.#finishing.set(process, finishing)
    return finishing.finally(() => this.#finishing.delete(process))
  }

  async #end(process: ServerProcess): Promise<boolean> {
    process.stop()
    if (!process.hasServed && (await this.#endStart(process))) return true
    const timer = setTimeout(() => {
      this.#log.error({ serverPid: process.pid }, 'a server process did not end in time and is killed')
      process.kill()
    }, this.#drainTimeoutMs + CLOSING_MS)
    const { status, signal } = await process.ended
    clearTimeout(timer)
    if (status !== 0) {
      this.#log.error({ serverPid: process.pid, status, signal }, 'a server process did not end in order')
    }
    return status === 0
  }

  /** Ends a starting process in any way. False when it began to serve in the meantime. */
  async #endStart(process: ServerProcess): Promise<boolean> {
    const timer = setTimeout(() => process.kill(), STARTING_MS)
    const ended = process.ended.then(() => true)
    const serves = process.listening.then(
      () => false,
      () => ended,
    )
    const hasEnded = await Promise.race([ended, serves])
    clearTimeout(timer)
    return hasEnded
  }

  #lose(process: ServerProcess, { status, signal, ranMs }: Ending): void {
    if (this.#isStopping || process !== this.#current) return
    this.#current = undefined
    this.#log.error({ serverPid: process.pid, status, signal }, 'a server process has ended by itself')
    if (this.#starting === undefined) this.#startLater(ranMs)
  }

  #startLater(ranMs: number): void {
    if (this.#isStopping) return
    this.#restart = setTimeout(() => {
      this.restarts++
      this.start().catch((error: unknown) => {
        this.#log.error({ err: error }, 'a server process cannot be started')
        this.#startLater(0)
      })
    }, this.#backOff.delayAfter(ranMs))
  }
}
