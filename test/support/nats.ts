/**
 * NATS servers of a test's own: one, or three that form a cluster, on free ports of 127.0.0.1 and in temporary folders. The
 * binary is `NATS_SERVER`, or the `nats-server` of the PATH or /usr/sbin.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isOlder, OLDEST } from '../../src/log/jetstream/versions.js'
import { afterFile, folderOfFile } from './cleanUp.js'
import { freePort } from './ports.js'

/** Time for a server to become healthy after its start. */
const HEALTHY_MS = 30_000
const POLL_MS = 50

function versionOf(binary: string | undefined): string | undefined {
  if (binary === undefined || binary === '') return undefined
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
}

const candidates = [process.env['NATS_SERVER'], 'nats-server', '/usr/sbin/nats-server']

/** A server that can carry a log; undefined: this machine has none. */
export const NATS_SERVER = candidates.find((binary) => {
  const version = versionOf(binary)
  return version !== undefined && !isOlder(version, OLDEST)
})

/** A server that is too old, for the test of its refusal. */
export const OLD_NATS_SERVER = [process.env['NATS_SERVER_OLD'], ...candidates].find((binary) => {
  const version = versionOf(binary)
  return version !== undefined && isOlder(version, OLDEST)
})

/** For the name of a suite that is skipped. */
export const NATS_MISSING = `needs nats-server ${OLDEST} or later: name one with NATS_SERVER`

export interface NatsOptions {
  readonly size?: 1 | 3
  /** Flushes each record to the disk, as a real log should. */
  readonly isFlushed?: boolean
  readonly hasJetStream?: boolean
  readonly maxPayload?: string
  /** More lines of the configuration. */
  readonly settings?: string
  readonly binary?: string
  /** Where the servers run: addresses, and what runs a command there. This machine if absent. */
  readonly machines?: readonly { readonly address: string; readonly under: readonly string[] }[]
}

interface Place {
  readonly client: number
  readonly route: number
  readonly monitor: number
}

export class NatsServers {
  readonly #folder = folderOfFile()
  readonly #options: NatsOptions
  readonly #places: readonly Place[]
  readonly #processes: (ChildProcess | undefined)[]

  private constructor(options: NatsOptions, places: readonly Place[]) {
    this.#options = options
    this.#places = places
    this.#processes = places.map(() => undefined)
    afterFile(() => this.kill())
  }

  /** Starts the servers, and waits until they take streams. */
  static async start(options: NatsOptions = {}): Promise<NatsServers> {
    try {
      return await NatsServers.#startOnce(options)
    } catch {
      // Another process has taken a port meanwhile.
      return NatsServers.#startOnce(options)
    }
  }

  static async #startOnce(options: NatsOptions): Promise<NatsServers> {
    const places: Place[] = []
    for (let n = 0; n < (options.size ?? 1); n++) {
      places.push({ client: await freePort(), route: await freePort(), monitor: await freePort() })
    }
    const servers = new NatsServers(options, places)
    await servers.restart()
    return servers
  }

  get size(): number {
    return this.#places.length
  }

  /** The address of a log: `query` is what comes after `?log=`. */
  url(query: string, credentials = ''): string {
    return `nats://${credentials}${this.hosts().join(',')}?log=${query}`
  }

  hosts(): string[] {
    return this.#places.map(({ client }, n) => `${this.#address(n)}:${client}`)
  }

  /** Addresses of the monitoring ports. */
  monitors(): string[] {
    return this.#places.map(({ monitor }, n) => `http://${this.#address(n)}:${monitor}`)
  }

  /** Where the servers keep their data. */
  folders(): string[] {
    return this.#places.map((_, n) => join(this.#folder, this.nameOf(n)))
  }

  nameOf(which: number): string {
    return `n${which}`
  }

  /** Ends servers with SIGKILL: all of them, or some. */
  async kill(which: readonly number[] = this.#all()): Promise<void> {
    await Promise.all(
      which.map(async (n) => {
        const child = this.#processes[n]
        this.#processes[n] = undefined
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      }),
    )
  }

  /** Stops all servers without ending them: connections stay open, and nobody answers. */
  pause(): void {
    for (const child of this.#processes) child?.kill('SIGSTOP')
  }

  resume(): void {
    for (const child of this.#processes) child?.kill('SIGCONT')
  }

  /** Starts servers that do not run, and waits until all of them work. */
  async restart(): Promise<void> {
    for (const n of this.#all()) this.#processes[n] ??= this.#spawn(n)
    for (const n of this.#all()) await this.#whenHealthy(n)
  }

  #address(n: number): string {
    return this.#options.machines?.[n]?.address ?? '127.0.0.1'
  }

  #all(): number[] {
    return this.#places.map((_, n) => n)
  }

  #spawn(n: number): ChildProcess {
    const folder = join(this.#folder, this.nameOf(n))
    mkdirSync(folder, { recursive: true })
    const configuration = join(this.#folder, `${this.nameOf(n)}.conf`)
    writeFileSync(configuration, this.#configurationOf(n, folder))
    const log = openSync(join(this.#folder, `${this.nameOf(n)}.log`), 'a')
    const under = this.#options.machines?.[n]?.under ?? []
    const [program, ...args] = [...under, this.#options.binary ?? NATS_SERVER!, '-c', configuration]
    const child = spawn(program, args, {
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    return child
  }

  #configurationOf(n: number, folder: string): string {
    const { client, route, monitor } = this.#places[n]!
    const { isFlushed = true, hasJetStream = true, maxPayload = '8MB', settings = '' } = this.#options
    const routes = this.#places
      .map((place, at) => `nats-route://${this.#address(at)}:${place.route}`)
      .join(', ')
    const flush = isFlushed ? 'sync_interval: always' : ''
    return [
      `server_name: ${this.nameOf(n)}`,
      `listen: "${this.#address(n)}:${client}"`,
      `http: "${this.#address(n)}:${monitor}"`,
      `max_payload: ${maxPayload}`,
      hasJetStream ? `jetstream { store_dir: "${folder}", max_file_store: 4GB\n ${flush} }` : '',
      this.size > 1
        ? `cluster { name: test, listen: "${this.#address(n)}:${route}", routes: [${routes}] }`
        : '',
      settings,
    ].join('\n')
  }

  async #whenHealthy(n: number): Promise<void> {
    const child = this.#processes[n]!
    const endMs = performance.now() + HEALTHY_MS
    while (child.exitCode === null && performance.now() < endMs) {
      const isHealthy = await fetch(`${this.monitors()[n]}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (isHealthy) return
      await delay(POLL_MS)
    }
    await this.kill()
    throw new Error(`nats-server is not healthy (${child.exitCode}): its log is in ${this.#folder}`)
  }
}
