/** A shared log in a stream of NATS JetStream. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PubAck, StreamInfo } from '@nats-io/jetstream'
import {
  EngineError,
  type LogBounds,
  type LogEngine,
  LogExistsError,
  type LogOrigin,
  type LogRecord,
  LogTakenError,
  type RecordBatch,
  UnusableEngineError,
} from '../logEngine.js'
import { type JetStreamAddress, parseJetStreamAddress } from './address.js'
import { loadClient } from './client.js'
import { CALL_MS, Connector, type Link } from './connector.js'
import { createStream } from './creation.js'
import { CODES, codeOf, engineFailure, isNamed } from './failures.js'
import { flushWarnings, serverWarnings } from './health.js'
import { readBatches } from './reading.js'
import { boundsOf, originOf, streamWarnings, subjectOf, toMessage, toPosition } from './stream.js'

const OPEN_MS = 5000
/** Records that are on their way to the server at the same time. */
const PIPELINE = 256
/** Room for subject and headers of a record. */
const HEAD_BYTES = 512
const SAME_ID_PAUSE_MS = 5

/**
 * Connects to `nats://[USER:PASSWORD@ or TOKEN@]HOST:PORT,HOST:PORT?log=NAME&retention=14d&replicas=3`, or `tls://`.
 * Throws an UnusableEngineError for servers that are too old or have no JetStream, and for wrong credentials.
 */
export async function openJetStreamEngine(url: string): Promise<LogEngine> {
  const address = parseJetStreamAddress(url)
  const connector = new Connector(await loadClient(), address.access)
  try {
    const { streams, server } = await connector.link(OPEN_MS)
    await streams.getAccountInfo().catch((error: unknown) => {
      throw withoutJetStream(error) ?? engineFailure('cannot ask JetStream', error)
    })
    return new JetStreamEngine(connector, address, server.version)
  } catch (error) {
    await connector.close()
    throw error
  }
}

type RestoredRecord = LogRecord & { readonly sequence: number }

class JetStreamEngine implements LogEngine {
  readonly description: string
  readonly #connector: Connector
  readonly #address: JetStreamAddress
  readonly #stream: string
  readonly #closing = new AbortController()
  /** Where the log began when this engine last asked. */
  #origin: LogOrigin | undefined

  constructor(connector: Connector, address: JetStreamAddress, version: string) {
    this.#connector = connector
    this.#address = address
    this.#stream = address.stream
    this.description = `JetStream of NATS ${version}, stream ${address.stream} at ${address.access.hosts.join(', ')}`
  }

  async create(origin: LogOrigin): Promise<void> {
    await this.#call('cannot make the log', async (link) => {
      if (await this.#find(link)) throw new LogExistsError(`there is a stream ${this.#stream} already`)
      await createStream(link, this.#address, origin)
    })
  }

  origin(): Promise<LogOrigin | undefined> {
    return this.#call('cannot read where the log begins', async (link) => {
      const info = await this.#find(link)
      return info && originOf(info)
    })
  }

  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    return this.#call('cannot append to the log', async (link) => {
      for (const record of records) checkSize(link, record)
      const origin = (this.#origin ??= await this.#askOrigin(link))
      const positions = new Map<string, number>()
      const unique = [...new Map(records.map((record) => [record.id, record])).values()]
      for (let start = 0; start < unique.length; start += PIPELINE) {
        const some = unique.slice(start, start + PIPELINE)
        const acks = await allOrFirstError(some.map((record) => this.#publishOnce(link, record, origin)))
        acks.forEach(({ seq }, n) => positions.set(some[n]!.id, toPosition(seq, origin)))
      }
      return records.map(({ id }) => positions.get(id)!)
    })
  }

  async *read(after: number, signal: AbortSignal): AsyncGenerator<RecordBatch, void> {
    const ends = AbortSignal.any([this.#closing.signal, signal])
    if (ends.aborted) return
    const link = await this.#connector.link()
    const bounds = (own: Link): Promise<LogBounds> => this.#bounds(own)
    try {
      const origin = await this.#askOrigin(link)
      yield* readBatches({ link, stream: this.#stream, origin, bounds }, after, ends)
    } catch (error) {
      if (!ends.aborted) throw engineFailure('cannot read the log', error) // a closed engine has no connection
    }
  }

  record(sequence: number): Promise<Buffer | undefined> {
    return this.#call('cannot read a record', async (link) =>
      this.#record(link, sequence, await this.#askOrigin(link)),
    )
  }

  bounds(): Promise<LogBounds> {
    return this.#call('cannot ask for the bounds of the log', (link) => this.#bounds(link))
  }

  async restore(records: readonly RestoredRecord[]): Promise<void> {
    await this.#call('cannot put back records', async (link) => {
      for (const record of records) checkSize(link, record)
      const origin = await this.#askOrigin(link)
      for (const record of records) await this.#restoreOne(link, record, origin)
    })
  }

  /** The servers remove old records themselves. */
  prune(): Promise<number> {
    return Promise.resolve(0)
  }

  async drop(): Promise<void> {
    await this.#call('cannot remove the log', async ({ streams }) => {
      await streams.streams.delete(this.#stream).catch((error: unknown) => {
        if (codeOf(error) !== CODES.streamNotFound) throw error
      })
    })
  }

  warnings(): Promise<readonly string[]> {
    return this.#call('cannot check the settings of JetStream', async (link) => {
      const [info, ofDisks] = await Promise.all([this.#find(link), flushWarnings(this.#address.monitors)])
      const ofStream = info ? streamWarnings(info, this.#address) : []
      return [...serverWarnings(link.server), ...ofDisks, ...ofStream]
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#connector.close()
  }

  async #call<T>(action: string, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.#connector.link()
    try {
      return await work(link)
    } catch (error) {
      this.#origin = undefined
      throw engineFailure(action, error)
    }
  }

  async #find({ streams }: Link): Promise<StreamInfo | undefined> {
    try {
      return await streams.streams.info(this.#stream)
    } catch (error) {
      if (codeOf(error) === CODES.streamNotFound) return undefined
      throw error
    }
  }

  async #require(link: Link): Promise<StreamInfo> {
    const info = await this.#find(link)
    if (info === undefined) throw new EngineError(`there is no stream ${this.#stream}`)
    return info
  }

  async #askOrigin(link: Link): Promise<LogOrigin> {
    return originOf(await this.#require(link))
  }

  async #bounds(link: Link): Promise<LogBounds> {
    return boundsOf(await this.#require(link))
  }

  async #record({ streams }: Link, position: number, origin: LogOrigin): Promise<Buffer | undefined> {
    const seq = toMessage(position, origin)
    if (seq < 1) return undefined // a bad request for the server
    const message = await streams.streams.getMessage(this.#stream, { seq })
    return message === null ? undefined : Buffer.from(message.data)
  }

  /**
   * Waits while another connection has the same record on its way. Then the servers say so, or
   * acknowledge position 0, as 2.10.27 does: nothing is durable yet.
   */
  async #publishOnce(link: Link, record: LogRecord, origin: LogOrigin): Promise<PubAck> {
    for (const endMs = performance.now() + CALL_MS; ;) {
      const ack = await this.#publish(link, record, origin).catch((error: unknown) => {
        if (codeOf(error) !== CODES.sameIdInProcess) throw error
      })
      if (ack !== undefined && ack.seq > 0) return ack
      if (performance.now() > endMs) throw new EngineError('another connection appends the same record')
      await sleep(SAME_ID_PAUSE_MS)
    }
  }

  /** `last`: the message gets the number after it, or none. */
  async #publish(
    { records }: Link,
    { id, bytes }: LogRecord,
    origin: LogOrigin,
    last?: number,
  ): Promise<PubAck> {
    const ack = await records.publish(subjectOf(this.#stream, origin), bytes, {
      msgID: id,
      timeout: CALL_MS,
      retries: 0,
      ...(last !== undefined && { expect: { lastSequence: last } }),
    })
    if (ack.stream === this.#stream) return ack
    throw new UnusableEngineError(`the stream ${ack.stream} took a record of the stream ${this.#stream}`)
  }

  async #restoreOne(link: Link, record: RestoredRecord, origin: LogOrigin): Promise<void> {
    const { sequence, bytes } = record
    try {
      const { seq } = await this.#publish(link, record, origin, toMessage(sequence, origin) - 1)
      const position = toPosition(seq, origin)
      if (position !== sequence) throw new LogTakenError(`the log has record ${sequence} at ${position}`)
    } catch (error) {
      const code = codeOf(error)
      if (code !== CODES.wrongLastSequence && code !== CODES.wrongLastSequenceUnknown) throw error
      // An earlier try may have put it there.
      if ((await this.#record(link, sequence, origin))?.equals(bytes)) return
      const { last } = await this.#bounds(link)
      throw new LogTakenError(`the log ends at ${last}: position ${sequence} is not the next one`, {
        cause: error,
      })
    }
  }
}

/** Waits for all of them, since each is on its way already. */
async function allOrFirstError<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

function checkSize({ server }: Link, { bytes }: LogRecord): void {
  if (bytes.length + HEAD_BYTES <= server.max_payload) return
  throw new UnusableEngineError(
    `a record of ${bytes.length} bytes is larger than nats-server takes (${server.max_payload}): set max_payload to 8MB`,
  )
}

function withoutJetStream(error: unknown): UnusableEngineError | undefined {
  if (!isNamed(error, 'JetStreamNotEnabled')) return undefined
  return new UnusableEngineError(
    'this nats-server, or this account, has no JetStream: switch it on in its settings',
    {
      cause: error,
    },
  )
}
