/** A cluster under test: founded and joined by the real commands. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/ports.js'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'
import { Node, type NodePlace } from './node.js'
import type { Engine } from './postgres.js'
import { type Proxy, startProxy } from './proxy.js'
import { pageText } from './texts.js'

/** No HTML: its threads take processor time that the nodes need to start again. */
const FLAGS = ['--anonymous-edits', '--no-html', '--log-level', 'warn']

export interface ClusterPlan {
  /** Undefined: one node with its own log, which is no cluster. */
  readonly engine: Pick<Engine, 'address'> | undefined
  readonly nodes: number
  /** Nodes that join later. */
  readonly reserved?: number
  readonly processes: number
  /** Titles of pages to make before the cluster is founded. */
  readonly titles: readonly string[]
  /** Number of parts of each page. */
  readonly parts: number
  readonly flags?: readonly string[]
}

export class Cluster {
  readonly sandbox: Sandbox
  readonly folder: string
  readonly nodes: Node[] = []
  readonly #plan: ClusterPlan
  readonly #places: readonly NodePlace[]
  readonly #secret: string
  readonly #tokenFile: string

  private constructor(sandbox: Sandbox, folder: string, plan: ClusterPlan, places: readonly NodePlace[]) {
    this.sandbox = sandbox
    this.folder = folder
    this.#plan = plan
    this.#secret = randomBytes(30).toString('base64')
    this.#tokenFile = join(folder, 'token.txt')
    writeFileSync(this.#tokenFile, `${this.#secret}\n`, { mode: 0o600 })
    const shared = plan.engine === undefined ? [] : ['--log', plan.engine.address]
    const flags = [...shared, '--cluster-token-file', this.#tokenFile]
    this.#places = places.map((place) => ({ ...place, flags: [...flags, ...place.flags] }))
  }

  /** Makes the pages, founds the cluster with them, joins the other nodes, and starts all. */
  static async found(sandbox: Sandbox, plan: ClusterPlan): Promise<Cluster> {
    const folder = sandbox.folder('cluster')
    const places: NodePlace[] = []
    for (let n = 0; n < plan.nodes + (plan.reserved ?? 0); n++) {
      const place: NodePlace = {
        name: `node${n + 1}`,
        dataDir: join(folder, `node${n + 1}`),
        host: '127.0.0.1',
        port: await freePort(),
        output: join(folder, `node${n + 1}.log`),
        flags: [...FLAGS, '--processes', String(plan.processes), ...(plan.flags ?? [])],
      }
      writeFileSync(place.output, '')
      places.push(place)
    }
    const cluster = new Cluster(sandbox, folder, plan, places)
    await cluster.#makePages(places[0]!)
    const { engine } = plan
    if (engine !== undefined)
      await cluster.command('cluster', 'init', '--data-dir', places[0]!.dataDir, '--log', engine.address)
    await cluster.#start(0)
    for (let n = 1; n < plan.nodes; n++) await cluster.join()
    return cluster
  }

  /** Makes the next node from a copy of a running one, and starts it. */
  async join(): Promise<Node> {
    const from = this.nodes.find(({ isReady }) => isReady)!
    const { dataDir } = this.#places[this.nodes.length]!
    const flags = ['--from', from.origin, '--cluster-token-file', this.#tokenFile]
    await this.command('cluster', 'join', '--data-dir', dataDir, ...flags)
    return this.#start(this.nodes.length)
  }

  proxy(): Promise<Proxy> {
    return startProxy(this.sandbox, this.folder, this.#places, this.nodes)
  }

  /** Runs `palimpsest` to its end, and returns what it printed. Throws unless its status is 0. */
  async command(...args: string[]): Promise<string> {
    const { status, stdout } = await this.sandbox.run(PALIMPSEST, args)
    if (status !== 0) throw new Error(`palimpsest ${args.join(' ')} ended with ${status}: ${stdout}`)
    return stdout
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
  }

  async #start(n: number): Promise<Node> {
    const node = new Node(this.sandbox, this.#places[n]!, this.#secret)
    await node.start()
    this.nodes.push(node)
    return node
  }

  /** One at a time, as on a machine of its own, before there is a cluster. */
  async #makePages({ dataDir, output, host, port }: NodePlace): Promise<void> {
    mkdirSync(dataDir)
    const place = { name: 'the first server', dataDir, output, host, port, flags: FLAGS }
    const single = new Node(this.sandbox, place, this.#secret)
    await single.start()
    for (const title of this.#plan.titles) {
      const body = { source: pageText(this.#plan.parts), title, comment: '', token: '+\\' }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${single.origin}/v1/page`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (answer.status !== 201) throw new Error(`${title} was not made: ${await answer.text()}`)
    }
    await single.stop()
  }
}
