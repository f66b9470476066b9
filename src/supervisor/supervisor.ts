/** Runs several server processes on one port and one store: starts, restarts, renews and stops them. */
import type { Logger } from 'pino'
import type { ServerLog } from '../app/logger.js'
import type { Config, GivenFlags } from '../config/config.js'
import { counter, type Figure, gauge } from '../metrics/figures.js'
import { Turns } from '../runtime/turns.js'
import { ProcessSlot, type SlotOptions } from './processSlot.js'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartError } from './startError.js'

export class Supervisor {
  /** The shared port. When the settings leave the choice to the system (port 0), this is the port it chose. */
  readonly port: number
  readonly #slots: readonly ProcessSlot[]
  readonly #log: Logger
  readonly #logFigures: ServerLog['figures']
  #isRenewing = false
  #stopped: Promise<boolean> | undefined

  private constructor(port: number, slots: readonly ProcessSlot[], { log, figures }: ServerLog) {
    this.port = port
    this.#slots = slots
    this.#log = log
    this.#logFigures = figures
  }

  /**
   * Prepares `count` processes, to be started with `flags`. `settings` are this process's settings. Throws a StartError
   * when the port is in use.
   */
  static async open(
    flags: GivenFlags,
    settings: Pick<Config, 'host' | 'port' | 'drainTimeoutMs' | 'realTime'>,
    count: number,
    serverLog: ServerLog,
  ): Promise<Supervisor> {
    const { host, drainTimeoutMs, realTime } = settings
    const port = await probePort(host, settings.port)
    const turns = new Turns()
    const options: SlotOptions = {
      server: {
        flags: { ...flags, port: String(port), processes: String(count) },
        realTime,
        shared: { collectAll: () => supervisor.collect(), takeTurn: () => turns.take() },
      },
      drainTimeoutMs,
      log: serverLog.log,
    }
    const slots = Array.from({ length: count }, (_unused, n) => new ProcessSlot(n + 1, options))
    const supervisor = new Supervisor(port, slots, serverLog)
    return supervisor
  }

  /**
   * Starts the processes and waits until all of them serve; false when they were stopped before. Throws a StartError
   * when one reports why it cannot start, or dies repeatedly, and kills the others.
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
      ...this.#logFigures({ process: 'supervisor' }),
    ]
    return [own, ...(await Promise.all(this.#slots.map((slot) => slot.collect())))]
  }

  /**
   * Rolling restart, for a new version of the program: renews one process after the other, so that at least one always
   * serves. When a new process cannot start, the old ones continue.
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

  /** Asks all processes to finish and end; true when all ended in order. Safe to call twice. */
  stop(): Promise<boolean> {
    this.#stopped ??= Promise.all(this.#slots.map((slot) => slot.stop())).then((ends) => ends.every(Boolean))
    return this.#stopped
  }

  /** Kills all processes. */
  kill(): void {
    for (const slot of this.#slots) slot.kill()
  }
}

// Checks that a port is free before several processes share it.

/**
 * Listens alone on a port for a moment and returns its number: the given one, or a free one for 0. Processes that share
 * a port would not notice another server on it. Throws a StartError when the port is taken.
 */
async function probePort(host: string, port: number): Promise<number> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    const reason = 'the port is in use, or the address is not one of this machine'
    throw new StartError(`cannot listen on ${host}:${port}: ${reason}`, { cause: error })
  } finally {
    server.close()
  }
}
