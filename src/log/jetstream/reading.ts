/** Reads the records of a stream in order, and notices when they stop coming. */
import type { Msg } from '@nats-io/transport-node'
import { LogCutError } from '../editLog.js'
import {
  EngineError,
  type LogBounds,
  type LogOrigin,
  type PlacedRecord,
  type RecordBatch,
} from '../logEngine.js'
import type { Link } from './connector.js'
import { PullConsumer } from './pullConsumer.js'
import { toMessage, toPosition } from './stream.js'

export interface Source {
  readonly link: Link
  readonly stream: string
  readonly origin: LogOrigin
  readonly bounds: (link: Link) => Promise<LogBounds>
}

/**
 * The batches of `LogEngine.read`, over one connection. Every second without records asks the server for the end of the
 * stream: its answer proves that it is alive. Records that it has but does not send count as silence.
 */
export async function* readBatches(
  source: Source,
  after: number,
  ends: AbortSignal,
): AsyncGenerator<RecordBatch, void> {
  const { link, stream, origin } = source
  let { last } = await knownBounds(source, after)
  const consumer = await PullConsumer.open(link, stream, Math.max(1, toMessage(after + 1, origin)))
  try {
    for (let at = after; !ends.aborted;) {
      const messages = await consumer.next(ends)
      if (ends.aborted) return
      if (messages.length === 0) {
        const isSilent = last > at
        last = (await knownBounds(source, at)).last
        if (isSilent) throw new EngineError(`JetStream has records up to ${last}, but sends none after ${at}`)
        yield { records: [], last }
      } else {
        const { records, pending } = inOrder(messages, at, origin)
        at += records.length
        last = Math.max(last, at + pending)
        if (records.length > 0) yield { records, last }
        if (records.length < messages.length) throw await holeAfter(source, at)
      }
    }
  } finally {
    consumer.close()
  }
}

/** The bounds of the stream; throws a LogCutError if it no longer has the record after `at`. */
async function knownBounds({ link, bounds }: Source, at: number): Promise<LogBounds> {
  const known = await bounds(link)
  if (at + 1 < known.first) throw new LogCutError(`the log begins at ${known.first}: ${at + 1} was cut off`)
  return known
}

async function holeAfter(source: Source, at: number): Promise<Error> {
  await knownBounds(source, at)
  return new EngineError(`JetStream left out record ${at + 1}`)
}

/** The records that follow `at` without a hole, and the number of those that the server has after the last message. */
function inOrder(
  messages: readonly Msg[],
  at: number,
  origin: LogOrigin,
): { records: PlacedRecord[]; pending: number } {
  const records: PlacedRecord[] = []
  let pending = 0
  for (const { data, reply } of messages) {
    const place = placeOf(reply ?? '')
    const sequence = toPosition(place.message, origin)
    if (sequence !== at + records.length + 1) break
    pending = place.pending
    records.push({
      sequence,
      bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    })
  }
  return { records, pending }
}

/**
 * From the address for acknowledgements:
 * `$JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.consumerSequence.time.pending[.random]`.
 */
function placeOf(reply: string): { message: number; pending: number } {
  const parts = reply.split('.')
  const shift = parts.length > 9 ? 2 : 0
  const [message, pending] = [Number(parts[5 + shift]), Number(parts[8 + shift])]
  if (!Number.isSafeInteger(message) || !Number.isSafeInteger(pending)) {
    throw new EngineError(`JetStream sent a record without its position: ${reply.slice(0, 200)}`)
  }
  return { message, pending }
}
