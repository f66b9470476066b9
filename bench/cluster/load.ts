/** Clients that work at a cluster until told to stop. */
import { setTimeout as delay } from 'node:timers/promises'
import { randomNumbers } from '../support/random.js'
import { Client } from './client.js'
import type { Cluster } from './cluster.js'
import type { Ledger } from './ledger.js'
import type { ClusterOptions } from './options.js'
import type { Proxy } from './proxy.js'

const PROGRESS_MS = 5000

export const hotTitles = (count: number): string[] => Array.from({ length: count }, (_, n) => `Hot ${n}`)

export class Load {
  readonly #ledger: Ledger
  readonly #running: Promise<unknown>
  #isOver = false

  constructor(cluster: Cluster, proxy: Proxy, ledger: Ledger, options: ClusterOptions) {
    this.#ledger = ledger
    const titles = hotTitles(options.pages)
    const round = ledger.start()
    const clients = Array.from({ length: options.clients }, (_, number) => {
      const random = randomNumbers(options.seed * 1000 + number)
      const origins = (): string[] => cluster.nodes.map(({ origin }) => origin)
      const { thinkMs } = options
      return new Client({ number, round, titles, random, thinkMs, ledger, origin: proxy.origin, origins })
    })
    this.#running = Promise.all(clients.map((client) => client.run(() => this.#isOver)))
    void this.#report()
  }

  /** Waits until clients have sent that many edits, then stops them, and waits for their last answers. */
  async finish(operations: number): Promise<void> {
    while (this.#ledger.sent.length < operations) await delay(50)
    this.#isOver = true
    await this.#running
    this.#ledger.end()
  }

  async #report(): Promise<void> {
    while (!this.#isOver) {
      await delay(PROGRESS_MS, undefined, { ref: false })
      const { sent } = this.#ledger
      note(
        `${sent.length} sent, ${this.#ledger.count('saved')} saved, ${this.#ledger.count('unknown')} unknown`,
      )
    }
  }
}

const startMs = performance.now()

/** A line of progress. Tests show none. */
export function note(words: string): void {
  if (process.env['VITEST'] !== undefined) return
  process.stderr.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${words}\n`)
}
