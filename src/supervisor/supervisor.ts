/** Runs several server processes on one port, over one store: starts them, replaces what dies, renews, stops. */
import type { Logger } from 'pino'
import type { Config, GivenFlags } from '../config/config.js'
import { counter, type Figure, gauge } from '../metrics/figures.js'
import { probePort } from './probePort.js'
import { ProcessSlot, type SlotOptions } from './processSlot.js'

export class Supervisor {
  /** The port that the processes share, also where the settings left the choice to the system. */
  readonly port: number
  readonly #slots: readonly ProcessSlot[]
  readonly #log: Logger
  #isRenewing = false
  #stopped: Promise<boolean> | undefined

  private constructor(port: number, slots: readonly ProcessSlot[], log: Logger) {
    this.port = port
    this.#slots = slots
    this.#log = log
  }

  /**
   * Readies `count` processes, which are given `flags`, and starts none; `settings` are what the flags and the
   * environment say to this process. Throws a StartError when the port is in use.
   */
  static async open(
    flags: GivenFlags,
    settings: Pick<Config, 'host' | 'port' | 'drainTimeoutMs'>,
    count: number,
    log: Logger,
  ): Promise<Supervisor> {
    const { host, drainTimeoutMs } = settings
    const port = await probePort(host, settings.port)
    const options: SlotOptions = {
      flags: { ...flags, port: String(port), processes: String(count) },
      drainTimeoutMs,
      log,
      collectAll: () => supervisor.collect(),
    }
    const slots = Array.from({ length: count }, (_unused, n) => new ProcessSlot(n + 1, options))
    const supervisor = new Supervisor(port, slots, log)
    return supervisor
  }

  /**
   * Starts the processes and waits until all of them serve; false when they were stopped before. Throws a StartError
   * when one says why it cannot start, or dies again and again: the others are ended then.
   */
  async start(): Promise<boolean> {
    try {
      await Promise.all(this.#slots.map((slot) => slot.startFirst()))
    } catch (error) {
      if (this.#stopped !== undefined) return false
      this.kill()
      throw error
    }
    return this.#stopped === undefined
  }

  /** The figures of the supervisor and of each process. */
  async collect(): Promise<(readonly Figure[])[]> {
    const restarts = this.#slots.map(({ number, restarts: value }) => ({
      labels: { process: number },
      value,
    }))
    const own = [
      gauge('palimpsest_processes', 'Server processes that there are to be.', this.#slots.length),
      counter(
        'palimpsest_process_restarts_total',
        'Processes that were started again after they died.',
        restarts,
      ),
    ]
    return [own, ...(await Promise.all(this.#slots.map((slot) => slot.collect())))]
  }

  /**
   * Renews the processes one after the other, so that there is always one that serves: for a new version of the
   * program. When a new process cannot start, the old ones go on.
   */
  async renew(): Promise<void> {
    if (this.#isRenewing || this.#stopped !== undefined) {
      this.#log.warn('the processes are being renewed or stopped already')
      return
    }
    this.#isRenewing = true
    this.#log.info('renewing the processes')
    try {
      for (const slot of this.#slots) await slot.renew()
      if (this.#stopped === undefined) this.#log.info('all processes are renewed')
    } catch (error) {
      if (this.#stopped !== undefined) return
      this.#log.error({ err: error }, 'a new process cannot start: the old ones go on')
    } finally {
      this.#isRenewing = false
    }
  }

  /** Lets all processes finish and end; true when all ended in order. Safe to call twice. */
  stop(): Promise<boolean> {
    this.#stopped ??= Promise.all(this.#slots.map((slot) => slot.stop())).then((ends) => ends.every(Boolean))
    return this.#stopped
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const slot of this.#slots) slot.kill()
  }
}
