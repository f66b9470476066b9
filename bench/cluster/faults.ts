/** Faults at random moments: processes, nodes and the engine killed, one node stopped for a while, one that joins. */
import { setTimeout as delay } from 'node:timers/promises'
import { randomNumbers } from '../support/random.js'
import type { Sandbox } from '../support/sandbox.js'
import { checkCluster } from './checks.js'
import { Cluster } from './cluster.js'
import { Ledger } from './ledger.js'
import { hotTitles, Load, note } from './load.js'
import type { Node } from './node.js'
import type { ClusterOptions } from './options.js'
import type { Engine } from './postgres.js'
import { type Report, reportOf } from './report.js'

/** Longest pause before a fault, and before what was killed starts again. */
const BETWEEN_MS = 5000
const DOWN_MS = 2000

type Kind = 'server' | 'node' | 'engine' | 'freeze' | 'join'

class Faults {
  readonly counts = { servers: 0, nodes: 0, engine: 0 }
  readonly #cluster: Cluster
  readonly #engine: Engine
  readonly #options: ClusterOptions
  readonly #random: () => number
  /** Work that goes on while further faults happen. */
  readonly #pending: Promise<void>[] = []

  constructor(cluster: Cluster, engine: Engine, options: ClusterOptions, random: () => number) {
    this.#cluster = cluster
    this.#engine = engine
    this.#options = options
    this.#random = random
  }

  /** Does them all, and waits until everything runs again. */
  async run(): Promise<void> {
    for (const kind of this.#plan()) {
      await delay(BETWEEN_MS * this.#random())
      await this.#do(kind)
    }
    await Promise.all(this.#pending)
  }

  /** Kills in random order. The stop comes after a quarter of them, the fourth node after half. */
  #plan(): Kind[] {
    const { kills, engineKills, pauseSeconds } = this.#options
    const plan: { at: number; kind: Kind }[] = []
    for (let n = 0; n < kills; n++)
      plan.push({ at: this.#random(), kind: this.#random() < 0.5 ? 'server' : 'node' })
    for (let n = 0; n < engineKills; n++) plan.push({ at: this.#random(), kind: 'engine' })
    if (pauseSeconds > 0) plan.push({ at: 0.25, kind: 'freeze' })
    plan.push({ at: 0.5, kind: 'join' })
    return plan.toSorted((a, b) => a.at - b.at).map(({ kind }) => kind)
  }

  async #do(kind: Kind): Promise<void> {
    switch (kind) {
      case 'server':
        return this.#killServer()
      case 'node':
        return this.#killNode()
      case 'engine':
        return this.#killEngine()
      case 'freeze':
        return this.#freeze()
      case 'join':
        return this.#join()
    }
  }

  async #killServer(): Promise<void> {
    const node = await this.#draw()
    if (!node.killServer(this.#random)) return this.#killServer()
    this.counts.servers++
    note(`killed a server process of ${node.name}`)
  }

  async #killNode(): Promise<void> {
    const node = await this.#draw()
    await node.kill()
    this.counts.nodes++
    note(`killed ${node.name}`)
    this.#later(async () => {
      await delay(DOWN_MS * this.#random())
      await node.start()
      note(`${node.name} runs again`)
    })
  }

  async #killEngine(): Promise<void> {
    await this.#engine.kill()
    this.counts.engine++
    note('killed the engine')
    await delay(DOWN_MS * this.#random())
    await this.#engine.start()
    note('the engine runs again')
  }

  async #freeze(): Promise<void> {
    const node = await this.#draw()
    node.freeze()
    note(`stopped ${node.name}`)
    this.#later(async () => {
      await delay(this.#options.pauseSeconds * 1000)
      node.thaw()
      note(`continued ${node.name}`)
    })
  }

  async #join(): Promise<void> {
    await this.#draw()
    note('a fourth node joins')
    this.#later(async () => {
      const node = await this.#cluster.join()
      note(`${node.name} has joined`)
    })
  }

  #later(work: () => Promise<void>): void {
    const running = work()
    this.#pending.push(running)
    // Its error comes to `run` at the end.
    running.catch(() => undefined)
  }

  /** A node that runs. */
  async #draw(): Promise<Node> {
    for (;;) {
      const ready = this.#cluster.nodes.filter(({ isReady }) => isReady)
      if (ready.length > 0) return ready[Math.floor(this.#random() * ready.length)]!
      await delay(100)
    }
  }
}

/** Clients edit while everything breaks at random moments. Then all stores are compared. */
export async function runFaults(sandbox: Sandbox, engine: Engine, options: ClusterOptions): Promise<Report> {
  const cluster = await Cluster.found(sandbox, {
    engine,
    nodes: 3,
    reserved: 1,
    processes: 2,
    titles: hotTitles(options.pages),
    parts: options.clients,
  })
  const proxy = await cluster.proxy()
  note(`three nodes of two processes on ${engine.description}; proxy: ${proxy.description}`)
  const ledger = new Ledger()
  const faults = new Faults(cluster, engine, options, randomNumbers(options.seed))
  const load = new Load(cluster, proxy, ledger, options)
  await faults.run()
  await load.finish(options.operations)
  note('all faults have happened; comparing')
  const checked = await checkCluster(cluster, ledger)
  const { servers, nodes, engine: engineKills } = faults.counts
  return reportOf(ledger, checked, [
    ['kills of server processes', String(servers)],
    ['kills of nodes', String(nodes)],
    ['kills of the engine', String(engineKills)],
    ['proxy', proxy.description],
  ])
}
