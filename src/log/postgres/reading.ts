/** Follows a log: LISTEN is a hint that there is something new, and a poll is the truth. */
import type { QueryResult } from 'pg'
import { pause } from '../../runtime/pause.js'
import { EngineError, LogCutError, type PlacedRecord, type RecordBatch } from '../logEngine.js'
import type { Connections, ReadConnection } from './connections.js'
import { CHANNEL, STEP_BYTES, STEP_RECORDS } from './schema.js'

const POLL_MS = 250
/** An idle reader shows at this interval that the engine is alive. */
const HEARTBEAT_MS = 1000
/** Time without a byte after which a query has failed, in ticks: a busy event loop delays ticks too. */
const TICK_MS = 250
const SILENT_TICKS = 8

/** The head of the log with the next records, all of one snapshot. */
const NEXT = `
  select head.epoch, head.first, head.last, next.sequence, next.bytes
  from palimpsest.log as head left join lateral (
    select sequence, bytes from (
      select sequence, bytes, sum(octet_length(bytes)) over (order by sequence) as total
      from (
        select sequence, bytes from palimpsest.record
        where log = head.name and sequence > $2
        order by sequence limit ${STEP_RECORDS}
      ) as step
    ) as summed
    where total <= ${STEP_BYTES} or total = octet_length(bytes)
  ) as next on true
  where head.name = $1
  order by next.sequence`

interface NextRow {
  readonly epoch: string
  readonly first: string
  readonly last: string
  readonly sequence: string | null
  readonly bytes: Buffer | null
}

/**
 * Throws as `LogEngine.read` says, also when the log is removed, replaced or shortened. It throws errors of the package
 * too, after an abort as well.
 */
export async function* readRecords(
  connections: Connections,
  log: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void> {
  if (signal.aborted) return
  const listener = await Listener.open(connections, log, signal)
  try {
    let epoch: string | undefined
    let position = after
    let shownMs = -Infinity
    while (!signal.aborted) {
      const rows = await listener.next(position)
      epoch ??= rows[0]?.epoch
      const batch = batchOf(rows, position, epoch)
      position += batch.records.length
      if (batch.records.length > 0 || performance.now() - shownMs >= HEARTBEAT_MS) {
        yield batch
        shownMs = performance.now()
      }
      if (batch.records.length === 0) await listener.wait()
    }
  } finally {
    listener.close()
  }
}

function batchOf(rows: readonly NextRow[], after: number, epoch: string | undefined): RecordBatch {
  const [head] = rows
  if (head === undefined) throw new EngineError('there is no log of this name any more')
  if (head.epoch !== epoch) throw new EngineError('another log has replaced this one')
  const [first, last] = [Number(head.first), Number(head.last)]
  if (after + 1 < first) throw new LogCutError(`the log begins at ${first}: ${after + 1} was cut off`)
  if (after > last) throw new EngineError(`the log ends at ${last}, before ${after}: it has lost records`)
  const records: PlacedRecord[] = []
  for (const { sequence, bytes } of rows) {
    const expected = after + 1 + records.length
    if (sequence === null || bytes === null) break
    if (Number(sequence) !== expected) throw new LogCutError(`the log has no record ${expected}`)
    records.push({ sequence: expected, bytes })
  }
  if (records.length === 0 && after < last) throw new LogCutError(`the log has no record ${after + 1}`)
  return { records, last }
}

/** One connection that reads, and hears of new records. */
class Listener {
  readonly #connection: ReadConnection
  readonly #log: string
  readonly #signal: AbortSignal
  #isAwake = false
  #wake = new AbortController()

  static async open(connections: Connections, log: string, signal: AbortSignal): Promise<Listener> {
    const listener = new Listener(await connections.open(), log, signal)
    try {
      // PostgreSQL counts the time that a large answer takes over a slow line.
      await listener.#query(`set statement_timeout = 0; listen ${CHANNEL}`, [])
      return listener
    } catch (error) {
      listener.close()
      throw error
    }
  }

  private constructor(connection: ReadConnection, log: string, signal: AbortSignal) {
    this.#connection = connection
    this.#log = log
    this.#signal = signal
    connection.client.on('notification', ({ payload }) => {
      if (payload === log) this.#rouse()
    })
    connection.client.on('error', this.#rouse)
    signal.addEventListener('abort', this.close)
    if (signal.aborted) this.close()
  }

  async next(after: number): Promise<readonly NextRow[]> {
    return (await this.#query(NEXT, [this.#log, after])).rows as NextRow[]
  }

  /** Waits for a hint, until the next poll at most. */
  async wait(): Promise<void> {
    if (!this.#isAwake) {
      await pause(POLL_MS, this.#wake.signal)
    }
    this.#isAwake = false
    this.#wake = new AbortController()
  }

  readonly close = (): void => {
    this.#signal.removeEventListener('abort', this.close)
    this.#connection.socket.destroy()
    this.#rouse()
  }

  readonly #rouse = (): void => {
    this.#isAwake = true
    this.#wake.abort()
  }

  /** Destroys the connection when no byte comes for too long. A large answer over a slow line may take its time. */
  async #query(text: string, values: unknown[]): Promise<QueryResult> {
    const { client, socket } = this.#connection
    let [bytesRead, silentTicks] = [socket.bytesRead, 0]
    const watch = setInterval(() => {
      silentTicks = socket.bytesRead === bytesRead ? silentTicks + 1 : 0
      bytesRead = socket.bytesRead
      if (silentTicks < SILENT_TICKS) return
      clearInterval(watch)
      socket.destroy(new EngineError(`PostgreSQL has been silent for ${SILENT_TICKS * TICK_MS} ms`))
    }, TICK_MS)
    try {
      return await client.query(text, values)
    } finally {
      clearInterval(watch)
    }
  }
}
