/** Two instances over one store, each a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { gardenFolder } from '../conformance/garden.js'
import { ADDRESS, run } from '../support/command.js'
import { freePort } from '../support/ports.js'

export class Instance {
  readonly port: number
  readonly #dataDir: string
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined

  constructor(dataDir: string, port: number, flags: readonly string[]) {
    this.#dataDir = dataDir
    this.port = port
    this.#flags = flags
  }

  async start(): Promise<void> {
    const flags = ['--port', String(this.port), '--anonymous-edits', '--trusted-proxies', '127.0.0.1']
    const server = run('serve', '--data-dir', this.#dataDir, ...flags, ...this.#flags)
    await server.printed(ADDRESS)
    this.#child = server.child
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Lets it finish what it has, and end. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    await ended
  }
}

export async function startPair(
  ...flags: string[]
): Promise<{ dataDir: string; instances: [Instance, Instance] }> {
  const dataDir = await gardenFolder()
  const instances: [Instance, Instance] = [
    new Instance(dataDir, await freePort(), flags),
    new Instance(dataDir, await freePort(), flags),
  ]
  for (const instance of instances) await instance.start()
  return { dataDir, instances }
}
