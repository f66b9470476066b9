/** An engine in memory, with the faults of real ones at hand. The contract of engines holds for it, too. */
import { once } from 'node:events'
import { EventEmitter } from 'node:events'
import {
  EngineError,
  type LogBounds,
  type LogEngine,
  LogCutError,
  LogExistsError,
  type LogOrigin,
  type LogRecord,
  LogTakenError,
  type PlacedRecord,
  type RecordBatch,
} from '../../src/log/logEngine.js'
import { limitTime } from '../../src/runtime/timeLimit.js'

const HEARTBEAT_MS = 500

/** What several connections share. */
export class MemoryServer {
  origin: LogOrigin | undefined
  records: (PlacedRecord & { readonly id: string })[] = []
  first = 1
  /** Refuses everything while it is down. */
  isDown = false
  /** Stores records, and loses the answers to so many appends. */
  lostAnswers = 0
  /** Its end, though it may have lost the record there. */
  #end = 0
  readonly bell = new EventEmitter().setMaxListeners(0)

  /** Cuts all connections. */
  stop(): void {
    this.isDown = true
    this.bell.emit('cut')
  }

  start(): void {
    this.isDown = false
  }

  /** The server comes back without its newest records. */
  rollBack(last: number): void {
    this.#end = 0
    this.records = this.records.filter(({ sequence }) => sequence <= last)
    this.bell.emit('cut')
  }

  /** Removes records before a position, as retention does. */
  cut(first: number): void {
    this.records = this.records.filter(({ sequence }) => sequence >= first)
    this.first = first
  }

  /** Loses records, and keeps its bounds. */
  lose(from: number, to: number): void {
    this.#end = this.last
    this.records = this.records.filter(({ sequence }) => sequence < from || sequence > to)
  }

  get last(): number {
    return Math.max(this.#end, this.records.at(-1)?.sequence ?? this.first - 1)
  }
}

export class MemoryEngine implements LogEngine {
  readonly description = 'memory'
  readonly #server: MemoryServer
  readonly #closing = new AbortController()

  constructor(server: MemoryServer) {
    this.#server = server
  }

  async create(origin: LogOrigin): Promise<void> {
    await this.#reach()
    if (this.#server.origin !== undefined) throw new LogExistsError('there is a log')
    this.#server.origin = origin
    this.#server.records = []
    this.#server.first = origin.sequence + 1
  }

  async origin(): Promise<LogOrigin | undefined> {
    await this.#reach()
    return this.#server.origin
  }

  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    await this.#reach()
    const server = this.#server
    const positions = records.map(({ id, bytes }) => {
      const before = server.records.find((each) => each.id === id)
      if (before !== undefined) return before.sequence
      const sequence = server.last + 1
      server.records.push({ id, sequence, bytes: Buffer.from(bytes) })
      return sequence
    })
    server.bell.emit('record')
    if (server.lostAnswers > 0) {
      server.lostAnswers--
      throw new EngineError('no answer in time')
    }
    return positions
  }

  async *read(after: number, signal: AbortSignal): AsyncGenerator<RecordBatch> {
    const ends = AbortSignal.any([signal, this.#closing.signal])
    const cut = once(this.#server.bell, 'cut').then(() => 'cut')
    for (let at = after; !ends.aborted;) {
      await this.#reach()
      // Records may come while the caller works on those before.
      const rest = limitTime(HEARTBEAT_MS, ends)
      const bell = once(this.#server.bell, 'record', { signal: rest.signal })
        .catch(() => undefined)
        .finally(rest.end)
      if (at + 1 < this.#server.first) throw new LogCutError('records are cut off')
      const next = this.#server.records.filter(({ sequence }) => sequence > at).slice(0, 50)
      const records = next.filter(({ sequence }, n) => sequence === at + 1 + n)
      if (records.length === 0 && at < this.#server.last) throw new LogCutError('a record is missing')
      at = records.at(-1)?.sequence ?? at
      yield { records, last: this.#server.last }
      if (records.length > 0) continue
      if ((await Promise.race([bell, cut])) === 'cut') throw new EngineError('the connection is lost')
    }
  }

  async record(sequence: number): Promise<Buffer | undefined> {
    await this.#reach()
    return this.#server.records.find((each) => each.sequence === sequence)?.bytes
  }

  async bounds(): Promise<LogBounds> {
    await this.#reach()
    return { first: this.#server.first, last: this.#server.last }
  }

  async restore(records: readonly (LogRecord & { readonly sequence: number })[]): Promise<void> {
    await this.#reach()
    const { records: all } = this.#server
    for (const { sequence, id, bytes } of records) {
      if (sequence > this.#server.last + 1 || all.some((each) => each.sequence === sequence))
        throw new LogTakenError(`position ${sequence} is taken`)
      all.push({ id, sequence, bytes: Buffer.from(bytes) })
      all.sort((a, b) => a.sequence - b.sequence)
    }
    this.#server.bell.emit('record')
  }

  prune(): Promise<number> {
    return Promise.resolve(0)
  }

  async drop(): Promise<void> {
    await this.#reach()
    this.#server.origin = undefined
    this.#server.records = []
  }

  warnings(): Promise<readonly string[]> {
    return Promise.resolve([])
  }

  close(): Promise<void> {
    this.#closing.abort()
    return Promise.resolve()
  }

  async #reach(): Promise<void> {
    await Promise.resolve()
    if (this.#server.isDown || this.#closing.signal.aborted) throw new EngineError('the server is down')
  }
}
