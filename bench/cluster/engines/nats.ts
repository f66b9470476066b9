/** Three servers of NATS JetStream, each record on all of them, as the engine of a cluster under test. */
import { NATS_MISSING, NATS_SERVER, type NatsOptions, NatsServers } from '../../../test/support/nats.js'
import type { Engine } from './engine.js'
import { replaceFolder } from './folders.js'

export const MISSING_NATS = NATS_SERVER === undefined ? NATS_MISSING : undefined

const LOG = 'cluster'

/** `machines`: where the servers run, unless on this one. */
export async function startNatsEngine(
  size: 1 | 3 = 3,
  machines?: NonNullable<NatsOptions['machines']>,
): Promise<Engine> {
  return new NatsUnderTest(await NatsServers.start({ size, ...(machines && { machines }) }))
}

class NatsUnderTest implements Engine {
  readonly description: string
  readonly address: string
  readonly #servers: NatsServers
  #kills = 0

  constructor(servers: NatsServers) {
    this.#servers = servers
    this.description = `NATS JetStream, R${servers.size}, sync_interval always`
    this.address = servers.url(LOG)
  }

  /** The leader of the log every second time, else any server. */
  async killSome(random: () => number): Promise<string> {
    const leader = this.#kills++ % 2 === 0 ? await this.#leader() : undefined
    const victim = leader ?? Math.floor(random() * this.#servers.size)
    await this.#servers.kill([victim])
    return `nats-server ${this.#servers.nameOf(victim)}${leader === undefined ? '' : ', the leader'}`
  }

  killAll(): Promise<void> {
    return this.#servers.kill()
  }

  start(): Promise<void> {
    return this.#servers.restart()
  }

  async keepCopy(): Promise<void> {
    await this.killAll()
    for (const folder of this.#servers.folders()) replaceFolder(`${folder}.copy`, folder)
    await this.start()
  }

  async putCopyBack(): Promise<void> {
    await this.killAll()
    for (const folder of this.#servers.folders()) replaceFolder(folder, `${folder}.copy`)
    await this.start()
  }

  /** Undefined before an election has ended. */
  async #leader(): Promise<number | undefined> {
    for (const monitor of this.#servers.monitors()) {
      const name = await leaderAt(monitor)
      const at = this.#servers.monitors().findIndex((_, n) => this.#servers.nameOf(n) === name)
      if (at >= 0) return at
    }
    return undefined
  }
}

interface StreamStates {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly { readonly cluster?: { readonly leader?: string } }[]
  }[]
}

/** Name of the server that leads the only stream, as one server knows it. */
async function leaderAt(monitor: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${monitor}/jsz?accounts=true&streams=true`)
    const { account_details: accounts = [] } = (await answer.json()) as StreamStates
    return accounts.flatMap(({ stream_detail: streams = [] }) => streams)[0]?.cluster?.leader
  } catch {
    // That server does not run.
    return undefined
  }
}
