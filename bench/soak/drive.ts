/** Sends the mixture over a few connections, at most at a given pace, and counts the answers. */
import { setTimeout as delay } from 'node:timers/promises'
import { randomNumbers } from '../support/random.js'
import { abandon, Connection } from './connection.js'
import { drawKind, type Exchange } from './mix.js'
import type { SoakWiki } from './wiki.js'

const PACE_MS = 5
/** Only this many faults are reported one by one. */
const MAX_FAULTS = 20

export interface DriveOptions {
  readonly port: number
  readonly wiki: SoakWiki
  readonly requests: number
  /** Time of the end, on the clock of `performance.now()`, if requests are left by then. */
  readonly deadlineMs: number
  /** Most requests a second; undefined: no limit. */
  readonly rate: number | undefined
  readonly connections: number
}

export class Drive {
  readonly #options: DriveOptions
  readonly #startMs = performance.now()
  sent = 0
  /** Numbers of answers, by kind and status. */
  readonly counts = new Map<string, Map<string, number>>()
  faultCount = 0
  readonly faults: string[] = []

  constructor(options: DriveOptions) {
    this.#options = options
  }

  /** Resolves when everything is sent and answered. */
  async run(): Promise<void> {
    const loops = Array.from({ length: this.#options.connections }, (_unused, n) => this.#loop(n + 1))
    await Promise.all(loops)
  }

  async #loop(number: number): Promise<void> {
    const { port, wiki, requests, deadlineMs } = this.#options
    const random = randomNumbers(number * 7919)
    const connection = new Connection(port)
    while (this.sent < requests && performance.now() < deadlineMs) {
      if (this.#isAhead()) {
        await delay(PACE_MS)
        continue
      }
      this.sent++
      const { name, make } = drawKind(random)
      await this.#exchange(connection, name, make(wiki, random))
    }
    connection.close()
  }

  #isAhead(): boolean {
    const { rate } = this.#options
    return rate !== undefined && this.sent > ((performance.now() - this.#startMs) / 1000) * rate
  }

  async #exchange(connection: Connection, kind: string, exchange: Exchange): Promise<void> {
    try {
      if (exchange.isAbandoned === true) {
        await abandon(this.#options.port, exchange.request)
        this.#count(kind, 'none')
        return
      }
      const answer = await connection.send(exchange.request, exchange.isHead)
      this.#count(kind, String(answer.status))
      const { statuses, errorKey } = exchange
      const isExpected =
        statuses.includes(answer.status) ||
        (errorKey !== undefined && answer.text().includes(`"errorKey":"${errorKey}"`))
      if (!isExpected) this.#fault(kind, exchange, `status ${answer.status}`)
      else if (answer.status === 200) {
        const wrong = exchange.judge?.(answer)
        if (wrong !== undefined) this.#fault(kind, exchange, wrong)
      }
    } catch (error) {
      this.#count(kind, 'broken')
      this.#fault(kind, exchange, String(error))
    } finally {
      exchange.release?.()
    }
  }

  #count(kind: string, status: string): void {
    let statuses = this.counts.get(kind)
    if (statuses === undefined) this.counts.set(kind, (statuses = new Map<string, number>()))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  #fault(kind: string, { request }: Exchange, what: string): void {
    this.faultCount++
    if (this.faults.length === MAX_FAULTS) return
    const fault = `${kind}: ${what}: ${request.slice(0, 200)}`
    this.faults.push(fault)
    console.log(`fault after ${this.sent} requests: ${JSON.stringify(fault)}`)
  }
}
