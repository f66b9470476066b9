/**
 * The contract of log engines (`src/log/logEngine.ts`), for each of them with its own server. A file of tests calls
 * `describeEngine` with a function that makes a log under test.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  EngineError,
  LogCutError,
  LogExistsError,
  LogTakenError,
  type LogEngine,
  type LogOrigin,
  type LogRecord,
  type PlacedRecord,
  type RecordBatch,
} from '../../src/log/logEngine.js'

/** An engine on a log that does not exist yet, under a name of its own. All logs of a file may share one server. */
export interface EngineUnderTest {
  readonly engine: LogEngine
  /** Another engine on the same log, with connections of its own. The contract closes it. */
  readonly again: () => Promise<LogEngine>
  /** Removes the records before a position from the log, as retention does. */
  readonly cut: (first: number) => Promise<void>
  /** Ends the server and all its processes with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Starts the killed server on the same folder and the same port, and waits until it answers. */
  readonly restart: () => Promise<void>
  /** Releases what `make` took for this log. The contract has closed the engine, and the server runs. */
  readonly stop: () => Promise<void>
}

const MIB = 2 ** 20
const ORIGIN: LogOrigin = { epoch: 'e'.repeat(32), sequence: 41, digest: 'd'.repeat(64) }
const FIRST = ORIGIN.sequence + 1

export const recordOf = (bytes: Uint8Array | string): LogRecord => ({
  id: randomBytes(16).toString('hex'),
  bytes: Buffer.from(bytes),
})

export const recordsOf = (count: number, name = 'record'): LogRecord[] =>
  Array.from({ length: count }, (_, n) => recordOf(`${name} ${n}`))

/** The expectation of a reader for records that are in the log from a position on. */
const placed = (first: number, records: readonly LogRecord[]): PlacedRecord[] =>
  records.map(({ bytes }, n) => ({ sequence: first + n, bytes: Buffer.from(bytes) }))

/** Reads a number of records after a position. */
export async function takeRecords(engine: LogEngine, after: number, count: number): Promise<PlacedRecord[]> {
  const taken: PlacedRecord[] = []
  const stop = new AbortController()
  for await (const { records, last } of engine.read(after, stop.signal)) {
    taken.push(...records)
    if (taken.length > 0) expect(last).toBeGreaterThanOrEqual(taken.at(-1)!.sequence)
    if (taken.length >= count) break
  }
  stop.abort()
  return taken
}

/** Repeats an append until it succeeds, as a node does: repeats keep their positions. */
export async function appendAtLast(
  engine: LogEngine,
  records: readonly LogRecord[],
): Promise<readonly number[]> {
  for (;;) {
    try {
      return await engine.append(records)
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError)
      await delay(50)
    }
  }
}

/** Follows a log from a position on until `stop`, and begins again after each error, as a node does. */
export class Follower {
  readonly records: PlacedRecord[] = []
  readonly errors: unknown[] = []
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>

  constructor(engine: LogEngine, after: number) {
    this.#ended = this.#follow(engine, after)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  async #follow(engine: LogEngine, after: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const from = this.records.at(-1)?.sequence ?? after
        for await (const { records } of engine.read(from, this.#stop.signal)) this.records.push(...records)
      } catch (error) {
        this.errors.push(error)
        await delay(50)
      }
    }
  }
}

type Make = () => Promise<EngineUnderTest>

async function openLog(make: Make): Promise<EngineUnderTest> {
  const made = await make()
  const others: LogEngine[] = []
  onTestFinished(async () => {
    for (const engine of [made.engine, ...others]) await engine.close()
    await made.stop()
  })
  const again = async (): Promise<LogEngine> => {
    const engine = await made.again()
    others.push(engine)
    return engine
  }
  return { ...made, again }
}

async function createdLog(make: Make): Promise<EngineUnderTest> {
  const log = await openLog(make)
  await log.engine.create(ORIGIN)
  return log
}

export function describeEngine(name: string, make: Make): void {
  describe(`a log on ${name}`, () => {
    describeLife(make)
    describeAppending(make)
    describeReading(make)
    describeRepair(make)
    describeFaults(make)
  })
}

function describeLife(make: Make): void {
  test('is not there until it is created, and not there after a drop', async () => {
    const { engine, again } = await openLog(make)
    expect(await engine.origin()).toBeUndefined()
    await expect(engine.append(recordsOf(1))).rejects.toThrow(EngineError)
    await engine.create(ORIGIN)
    expect(await engine.origin()).toEqual(ORIGIN)
    expect(await (await again()).origin()).toEqual(ORIGIN)
    await engine.append(recordsOf(3))
    await engine.drop()
    expect(await engine.origin()).toBeUndefined()
    const next = { ...ORIGIN, epoch: 'f'.repeat(32), sequence: 0 }
    await engine.create(next)
    expect(await engine.origin()).toEqual(next)
    expect(await engine.bounds()).toEqual({ first: 1, last: 0 })
  })

  test('is created once', async () => {
    const { engine, again } = await createdLog(make)
    const other = await again()
    await expect(other.create({ ...ORIGIN, epoch: 'f'.repeat(32) })).rejects.toThrow(LogExistsError)
    expect(await engine.origin()).toEqual(ORIGIN)
  })

  test('of two that create it at once, one succeeds', async () => {
    const { engine, again } = await openLog(make)
    const results = await Promise.allSettled([engine.create(ORIGIN), (await again()).create(ORIGIN)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find((result) => result.status === 'rejected')
    expect(refused?.reason).toBeInstanceOf(LogExistsError)
  })

  test('begins after the position of its origin', async () => {
    const { engine } = await createdLog(make)
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence })
    expect(await engine.append(recordsOf(2))).toEqual([FIRST, FIRST + 1])
    expect(await engine.bounds()).toEqual({ first: FIRST, last: FIRST + 1 })
  })

  test('describes itself on one line, and gives its warnings as a list', async () => {
    const { engine } = await createdLog(make)
    expect(engine.description).toMatch(/^\S.*\d.*$/)
    for (const warning of await engine.warnings()) expect(warning).toMatch(/^\S.+$/)
  })

  test('closes twice, ends its reads and refuses appends', async () => {
    const { engine, again } = await createdLog(make)
    const reader = await again()
    const batches = reader.read(ORIGIN.sequence, new AbortController().signal)[Symbol.asyncIterator]()
    expect((await batches.next()).done).toBe(false)
    const ended = (async () => {
      while (!(await batches.next()).done);
    })()
    await reader.close()
    await ended
    await reader.close()
    await expect(reader.append(recordsOf(1))).rejects.toThrow(EngineError)
    expect(await engine.append(recordsOf(1))).toEqual([FIRST])
  })
}

function describeAppending(make: Make): void {
  test('gives four appenders on connections of their own positions without holes', async () => {
    const { engine, again } = await createdLog(make)
    const appenders = [engine, await again(), await again(), await again()]
    const given = new Map<number, LogRecord>()
    await Promise.all(
      appenders.map(async (appender, which) => {
        for (let round = 0; round < 25; round++) {
          const records = recordsOf(1 + (round % 4), `appender ${which} round ${round} record`)
          const positions = await appender.append(records)
          expect(positions).toHaveLength(records.length)
          expect(positions).toEqual(positions.toSorted((a, b) => a - b))
          positions.forEach((position, n) => given.set(position, records[n]!))
        }
      }),
    )
    const inOrder = [...given].sort(([a], [b]) => a - b).map(([, record]) => record)
    expect(await takeRecords(engine, ORIGIN.sequence, given.size)).toEqual(placed(FIRST, inOrder))
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence + given.size })
  })

  test('gives appends of one engine that run at once positions without holes', async () => {
    const { engine } = await createdLog(make)
    const records = recordsOf(64)
    const positions = await Promise.all(records.map((record) => appendAtLast(engine, [record])))
    expect(positions.flat().sort((a, b) => a - b)).toEqual(records.map((_, n) => FIRST + n))
  })

  test('keeps the position of a record that is appended again, also by another connection', async () => {
    const { engine, again } = await createdLog(make)
    const [a, b, c] = recordsOf(3) as [LogRecord, LogRecord, LogRecord]
    await engine.append([a, b])
    expect(await (await again()).append([b])).toEqual([FIRST + 1])
    expect(await engine.append([b, c, a])).toEqual([FIRST + 1, FIRST + 2, FIRST])
    expect(await takeRecords(engine, ORIGIN.sequence, 3)).toEqual(placed(FIRST, [a, b, c]))
  })

  test('gives a record once that two connections append at the same time', async () => {
    const { engine, again } = await createdLog(make)
    const other = await again()
    for (let round = 0; round < 20; round++) {
      const records = recordsOf(2)
      const [here, there] = await Promise.all([engine.append(records), other.append(records.toReversed())])
      expect(there.toReversed()).toEqual(here)
    }
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence + 40 })
  })

  test('gives a record once that comes twice in one call', async () => {
    const { engine } = await createdLog(make)
    const [a, b] = recordsOf(2) as [LogRecord, LogRecord]
    expect(await engine.append([a, b, a, b])).toEqual([FIRST, FIRST + 1, FIRST, FIRST + 1])
    expect(await engine.bounds()).toEqual({ first: FIRST, last: FIRST + 1 })
  })

  test('takes no records at all', async () => {
    const { engine } = await createdLog(make)
    expect(await engine.append([])).toEqual([])
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence })
  })

  test('takes records of 2 MiB, of one byte, and of all bytes', async () => {
    const { engine } = await createdLog(make)
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const records = [randomBytes(2 * MIB), Buffer.of(0), every, randomBytes(2 * MIB)].map(recordOf)
    expect(await appendAtLast(engine, records)).toEqual([FIRST, FIRST + 1, FIRST + 2, FIRST + 3])
    const taken = await takeRecords(engine, ORIGIN.sequence, 4)
    expect(taken.map(({ sequence }) => sequence)).toEqual([FIRST, FIRST + 1, FIRST + 2, FIRST + 3])
    // Without `toEqual`, which takes seconds for so many bytes.
    for (const [n, { bytes }] of records.entries()) {
      expect(taken[n]!.bytes.equals(bytes)).toBe(true)
      expect((await engine.record(FIRST + n))?.equals(bytes)).toBe(true)
    }
  })
}

function describeReading(make: Make): void {
  test('is read from any position on, in batches that say where it ends', async () => {
    const { engine } = await createdLog(make)
    const records = recordsOf(1200)
    for (let n = 0; n < records.length; n += 100) await engine.append(records.slice(n, n + 100))
    const all = placed(FIRST, records)
    for (const after of [0, 1, 600, 1199]) {
      expect(await takeRecords(engine, ORIGIN.sequence + after, 1200 - after)).toEqual(all.slice(after))
    }
    for await (const { last } of engine.read(ORIGIN.sequence, new AbortController().signal)) {
      expect(last).toBe(ORIGIN.sequence + 1200)
      break
    }
  })

  test('gives single records', async () => {
    const { engine } = await createdLog(make)
    const [a, b] = recordsOf(2) as [LogRecord, LogRecord]
    await engine.append([a, b])
    expect(await engine.record(FIRST)).toEqual(a.bytes)
    expect(await engine.record(FIRST + 1)).toEqual(b.bytes)
    for (const none of [0, ORIGIN.sequence, FIRST + 2]) expect(await engine.record(none)).toBeUndefined()
  })

  test('wakes its readers for each record, on all connections', async () => {
    const { engine, again } = await createdLog(make)
    const batches = (await again())
      .read(ORIGIN.sequence, new AbortController().signal)
      [Symbol.asyncIterator]()
    await batches.next()
    const tookMs: number[] = []
    for (let n = 0; n < 5; n++) {
      const record = recordOf(`record ${n}`)
      const got = nextRecords(batches)
      await engine.append([record])
      const durableMs = performance.now()
      expect(await got).toEqual(placed(FIRST + n, [record]))
      tookMs.push(performance.now() - durableMs)
    }
    // The fastest one, since a busy machine can delay each.
    expect(Math.min(...tookMs)).toBeLessThan(1000)
    await batches.return?.()
  })

  test('shows its readers that it is alive', async () => {
    const { engine } = await createdLog(make)
    await engine.append(recordsOf(1))
    const seen: RecordBatch[] = []
    const atMs: number[] = []
    for await (const batch of engine.read(FIRST, new AbortController().signal)) {
      seen.push(batch)
      atMs.push(performance.now())
      if (seen.length === 4) break
    }
    expect(seen).toEqual(Array.from({ length: 4 }, () => ({ records: [], last: FIRST })))
    const gapsMs = atMs.slice(1).map((ms, n) => ms - atMs[n]!)
    expect(Math.min(...gapsMs)).toBeLessThan(2000)
  })

  test('ends a read when its signal aborts, and gives nothing to an aborted one', async () => {
    const { engine } = await createdLog(make)
    const stop = new AbortController()
    const batches = engine.read(ORIGIN.sequence, stop.signal)[Symbol.asyncIterator]()
    await batches.next()
    const next = nextRecords(batches)
    stop.abort()
    expect(await next).toBeUndefined()
    for await (const _ of engine.read(ORIGIN.sequence, AbortSignal.abort())) expect.unreachable()
  })

  test('lets ten readers read at once while it grows', async () => {
    const { engine } = await createdLog(make)
    const readers = Array.from({ length: 10 }, () => takeRecords(engine, ORIGIN.sequence, 50))
    const records = recordsOf(50)
    for (const record of records) await appendAtLast(engine, [record])
    for (const taken of await Promise.all(readers)) expect(taken).toEqual(placed(FIRST, records))
  })
}

/** The records of the next batch that has any. Undefined when the read has ended. */
async function nextRecords(
  batches: AsyncIterator<RecordBatch>,
): Promise<readonly PlacedRecord[] | undefined> {
  for (;;) {
    const next = await batches.next()
    if (next.done === true) return undefined
    if (next.value.records.length > 0) return next.value.records
  }
}

function describeRepair(make: Make): void {
  test('says that records are cut off', async () => {
    const { engine, cut } = await createdLog(make)
    const records = recordsOf(10)
    await engine.append(records)
    await cut(FIRST + 4)
    expect(await engine.bounds()).toEqual({ first: FIRST + 4, last: FIRST + 9 })
    expect(await engine.record(FIRST + 3)).toBeUndefined()
    for (const after of [ORIGIN.sequence, FIRST + 2]) {
      await expect(takeRecords(engine, after, 1)).rejects.toThrow(LogCutError)
    }
    expect(await takeRecords(engine, FIRST + 3, 6)).toEqual(placed(FIRST, records).slice(4))
    expect(await engine.append(recordsOf(1))).toEqual([FIRST + 10])
  })

  test('gets lost records back at their own positions', async () => {
    const { engine } = await createdLog(make)
    const records = recordsOf(1100)
    await engine.append(records.slice(0, 3))
    await engine.restore(records.slice(3).map((record, n) => ({ ...record, sequence: FIRST + 3 + n })))
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence + 1100 })
    expect(await takeRecords(engine, ORIGIN.sequence, 1100)).toEqual(placed(FIRST, records))
    expect(await engine.append([records[700]!])).toEqual([FIRST + 700])
    await engine.restore([])
  })

  test('gets no records back at positions that others have taken', async () => {
    const { engine, again } = await createdLog(make)
    const [kept, lost, next] = recordsOf(3) as [LogRecord, LogRecord, LogRecord]
    await engine.append([kept])
    const tail = [
      { ...lost, sequence: FIRST + 1 },
      { ...next, sequence: FIRST + 2 },
    ]
    const foreign = recordOf('of somebody else')
    await (await again()).append([foreign])
    await expect(engine.restore(tail)).rejects.toThrow(LogTakenError)
    expect(await takeRecords(engine, ORIGIN.sequence, 2)).toEqual(placed(FIRST, [kept, foreign]))
    expect(await engine.bounds()).toEqual({ first: FIRST, last: FIRST + 1 })
  })

  test('gets no records back that would leave a hole', async () => {
    const { engine } = await createdLog(make)
    await expect(engine.restore([{ ...recordOf('far'), sequence: FIRST + 1 }])).rejects.toThrow(LogTakenError)
    expect(await engine.bounds()).toEqual({ first: FIRST, last: ORIGIN.sequence })
  })

  test('prunes nothing that is young', async () => {
    const { engine } = await createdLog(make)
    await engine.append(recordsOf(5))
    expect(await engine.prune()).toBe(0)
    expect(await engine.bounds()).toEqual({ first: FIRST, last: FIRST + 4 })
  })
}

function describeFaults(make: Make): void {
  test('says within 5 s that its server is gone, and goes on with all that was acknowledged', async () => {
    const { engine, again, kill, restart } = await createdLog(make)
    const acknowledged = new Map<number, LogRecord>()
    const appender = await again()
    const follower = new Follower(engine, ORIGIN.sequence)
    let stop = false
    const appending = (async () => {
      for (let n = 0; !stop; n++) {
        const records = recordsOf(2, `call ${n}`)
        const positions = await appendAtLast(appender, records)
        positions.forEach((position, which) => acknowledged.set(position, records[which]!))
      }
    })()
    await expect.poll(() => acknowledged.size).toBeGreaterThan(50)
    await kill()
    const killedMs = performance.now()
    await expect(appender.append(recordsOf(1))).rejects.toThrow(EngineError)
    await expect.poll(() => follower.errors.length).toBeGreaterThan(0)
    expect(performance.now() - killedMs).toBeLessThan(5000)
    await restart()
    const before = acknowledged.size
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 50)
    stop = true
    await appending
    const { last } = await engine.bounds()
    await expect.poll(() => follower.records.at(-1)?.sequence).toBeGreaterThanOrEqual(last)
    await follower.stop()
    expect(follower.errors.filter((error) => !(error instanceof EngineError))).toEqual([])
    expectAll(follower.records, acknowledged)
  })
}

/** Expects records without holes from the first position of the log on, with all acknowledged ones at their places. */
export function expectAll(
  records: readonly PlacedRecord[],
  acknowledged: ReadonlyMap<number, LogRecord>,
): void {
  expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, n) => FIRST + n))
  for (const [position, { bytes }] of acknowledged) {
    expect(records[position - FIRST]?.bytes).toEqual(bytes)
  }
}
