/** A place for one server process: keeps one running in it, whatever happens to it. */
import type { Logger } from 'pino'
import { BackOff } from '../backOff.js'
import type { GivenFlags } from '../config.js'
import type { Figure } from '../metrics/figures.js'
import { type CollectAll, type Ending, ServerProcess } from './serverProcess.js'

/** What a process may take to end beyond the time that it has for open requests. */
const CLOSING_MS = 5000

export interface SlotOptions {
  /** Of the command line, for each process. */
  readonly flags: GivenFlags
  /** Time that a process which is to end has for open requests. */
  readonly drainTimeoutMs: number
  readonly log: Logger
  readonly collectAll: CollectAll
}

export class ProcessSlot {
  readonly number: number
  readonly #flags: GivenFlags
  readonly #drainTimeoutMs: number
  readonly #log: Logger
  readonly #collectAll: CollectAll
  readonly #backOff = new BackOff()
  /** The process that serves. */
  #current: ServerProcess | undefined
  /** The process that is about to take its place. */
  #starting: ServerProcess | undefined
  #restart: NodeJS.Timeout | undefined
  #isStopping = false
  /** How often a process was started that was not the first. */
  restarts = 0

  constructor(number: number, { flags, drainTimeoutMs, log, collectAll }: SlotOptions) {
    this.number = number
    this.#collectAll = collectAll
    this.#flags = flags
    this.#drainTimeoutMs = drainTimeoutMs
    this.#log = log.child({ process: number })
  }

  /** Figures of the process that serves; none while there is none. */
  async collect(): Promise<readonly Figure[]> {
    return (await this.#current?.collect()) ?? []
  }

  /** Starts the process and waits until it serves. Throws a StartError. */
  async start(): Promise<void> {
    const process = new ServerProcess(this.number, this.#flags, this.#collectAll)
    this.#starting = process
    try {
      await process.listening
    } finally {
      this.#starting = undefined
    }
    this.#current = process
    this.#log.info({ serverPid: process.pid }, 'a server process serves')
    void process.ended.then((ending) => this.#lose(process, ending))
  }

  /**
   * Puts a new process in the place of the one that serves, which is asked to end once the new one serves too. Throws
   * a StartError when the new one cannot: then the old one goes on.
   */
  async renew(): Promise<void> {
    if (this.#isStopping || this.#starting !== undefined) return
    clearTimeout(this.#restart)
    const old = this.#current
    try {
      await this.start()
    } catch (error) {
      // The old one may have ended meanwhile, and nobody has seen to it.
      if (this.#current === undefined) this.#startLater(0)
      throw error
    }
    if (old !== undefined) await this.#finish(old)
  }

  /** Lets the process finish and end, and starts no other; true when it ended in order. */
  async stop(): Promise<boolean> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const processes = [this.#current, this.#starting].filter((process) => process !== undefined)
    const endings = await Promise.all(processes.map((process) => this.#finish(process)))
    return endings.every(({ status }) => status === 0)
  }

  /** Ends the process at once, and starts no other. */
  kill(): void {
    this.#isStopping = true
    clearTimeout(this.#restart)
    this.#current?.kill()
    this.#starting?.kill()
  }

  async #finish(process: ServerProcess): Promise<Ending> {
    process.stop()
    const timer = setTimeout(() => {
      this.#log.error({ serverPid: process.pid }, 'a server process did not end in time and is killed')
      process.kill()
    }, this.#drainTimeoutMs + CLOSING_MS)
    const ending = await process.ended
    clearTimeout(timer)
    const { status, signal } = ending
    if (status !== 0) {
      this.#log.error({ serverPid: process.pid, status, signal }, 'a server process did not end in order')
    }
    return ending
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
