/** A node under test: the real `palimpsest serve` over a store of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf, isRunning } from '../../test/support/processes.js'
import { Peer, type PeerStatus } from '../../src/cluster/peer.js'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'

const GREETING = /at http:\/\//
/** A node that has not started after this time has failed. The machine may be busy. */
const START_MS = 120_000
const POLL_MS = 20

export interface NodePlace {
  readonly name: string
  readonly dataDir: string
  readonly host: string
  readonly port: number
  /** For what the node prints. */
  readonly output: string
  readonly flags: readonly string[]
}

export class Node {
  readonly place: NodePlace
  readonly origin: string
  readonly #sandbox: Sandbox
  readonly #peer: Peer
  #child: ChildProcess | undefined
  #isReady = false

  constructor(sandbox: Sandbox, place: NodePlace, secret: string) {
    this.#sandbox = sandbox
    this.place = place
    this.origin = `http://${place.host}:${place.port}`
    this.#peer = new Peer(new URL(this.origin), secret)
  }

  get name(): string {
    return this.place.name
  }

  /** Throws unless it runs. */
  get pid(): number {
    const pid = this.#child?.pid
    if (pid === undefined) throw new Error(`${this.name} does not run`)
    return pid
  }

  /** It has greeted, and nobody has killed it since. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Starts it, and waits for its greeting. Throws if it ends before. */
  async start(): Promise<void> {
    const { dataDir, host, port, flags, output } = this.place
    const file = openSync(output, 'a')
    const args = ['serve', '--data-dir', dataDir, '--host', host, '--port', String(port), ...flags]
    const before = readFileSync(output, 'utf8').length
    const child = await this.#sandbox.start(PALIMPSEST, args, { stdio: ['ignore', file, file] })
    closeSync(file)
    this.#child = child
    const endMs = performance.now() + START_MS
    while (!GREETING.test(readFileSync(output, 'utf8').slice(before))) {
      if (this.#child !== child) return
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > endMs)
        throw new Error(`${this.name} did not start: see ${output}`)
      await delay(POLL_MS)
    }
    if (this.#child === child) this.#isReady = true
  }

  /** Ends all its processes with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#isReady = false
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const servers = childrenOf(child.pid)
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await ended
    while (servers.some(isRunning)) await delay(POLL_MS)
  }

  /** Ends one of its server processes with SIGKILL; its supervisor starts another. False: none runs now. */
  killServer(random: () => number): boolean {
    const servers = this.#child?.pid === undefined ? [] : childrenOf(this.#child.pid)
    const victim = servers[Math.floor(random() * servers.length)]
    if (victim === undefined) return false
    process.kill(victim, 'SIGKILL')
    return true
  }

  /** Stops all processes without ending them. */
  freeze(): void {
    this.#isReady = false
    process.kill(-this.#child!.pid!, 'SIGSTOP')
  }

  thaw(): void {
    this.#isReady = true
    process.kill(-this.#child!.pid!, 'SIGCONT')
  }

  /** Ends it in good order. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#isReady = false
    if (child?.pid !== undefined) await this.#sandbox.stop(child.pid)
  }

  status(): Promise<PeerStatus> {
    return this.#peer.status()
  }

  /** Waits until it follows the log up to a position. Throws with its state when it does not. */
  async whenAt(position: number, withinMs: number): Promise<void> {
    const endMs = performance.now() + withinMs
    for (;;) {
      const status = await this.status().catch((error: unknown) => ({ error: String(error) }))
      if ('position' in status && status.state === 'same' && status.position >= position) return
      if (performance.now() > endMs)
        throw new Error(`${this.name} is not at ${position} in time: ${JSON.stringify(status)}`)
      await delay(100)
    }
  }
}
