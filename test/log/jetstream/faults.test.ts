/** Faults of servers and streams: silence, kills, expiry, and a log that is made again. */
// @module-tag cluster
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LogCutError } from '../../../src/log/editLog.js'
import { openJetStreamEngine } from '../../../src/log/jetstream/jetStreamEngine.js'
import { EngineError, type LogEngine, type LogRecord } from '../../../src/log/logEngine.js'
import { NATS_MISSING, NATS_SERVER, NatsServers } from '../../support/nats.js'
import { appendAtLast, expectAll, Follower, recordOf, recordsOf, takeRecords } from '../engineContract.js'

const ORIGIN = { epoch: 'a'.repeat(32), sequence: 41, digest: 'b'.repeat(64) }
const FIRST = 42

async function open(servers: NatsServers): Promise<LogEngine> {
  const engine = await openJetStreamEngine(servers.url('wiki'))
  onTestFinished(() => engine.close())
  return engine
}

async function createdLog(servers: NatsServers): Promise<LogEngine> {
  const engine = await open(servers)
  await engine.create(ORIGIN)
  return engine
}

/** Asks the servers as an operator does. */
async function operator(servers: NatsServers): Promise<JetStreamManager> {
  const connection = await connect({ servers: servers.hosts() })
  onTestFinished(() => connection.close())
  return jetstreamManager(connection)
}

describe.skipIf(NATS_SERVER === undefined)(`JetStream (${NATS_MISSING})`, () => {
  test('removes the consumer of a reader: the read ends with an error within 5 s, and another goes on', async () => {
    const servers = await NatsServers.start()
    const engine = await createdLog(servers)
    const { consumers } = await operator(servers)
    const follower = new Follower(engine, ORIGIN.sequence)
    await engine.append([recordOf('before')])
    await expect.poll(() => follower.records.length).toBe(1)
    const startMs = performance.now()
    for await (const { name } of consumers.list('wiki')) await consumers.delete('wiki', name)
    await expect.poll(() => follower.errors.length).toBe(1)
    expect(performance.now() - startMs).toBeLessThan(5000)
    expect(follower.errors[0]).toBeInstanceOf(EngineError)
    await engine.append([recordOf('after')])
    await expect.poll(() => follower.records.length).toBe(2)
    await follower.stop()
  })

  test('falls silent: reads and appends end with errors within 5 s, and all goes on afterwards', async () => {
    const servers = await NatsServers.start()
    const engine = await createdLog(servers)
    const follower = new Follower(engine, ORIGIN.sequence)
    await engine.append([recordOf('before')])
    await expect.poll(() => follower.records.length).toBe(1)
    servers.pause()
    const startMs = performance.now()
    const late = recordOf('late')
    await expect(engine.append([late])).rejects.toThrow(EngineError)
    await expect.poll(() => follower.errors.length).toBeGreaterThan(0)
    expect(performance.now() - startMs).toBeLessThan(5000)
    servers.resume()
    expect(await appendAtLast(engine, [late])).toEqual([FIRST + 1])
    await expect.poll(() => follower.records.length).toBe(2)
    await follower.stop()
  })

  test('removes all records by age: positions go on, and readers of older ones learn of the cut', async () => {
    const servers = await NatsServers.start()
    const engine = await createdLog(servers)
    await engine.append(recordsOf(3))
    const { streams } = await operator(servers)
    await streams.update('wiki', { max_age: 200_000_000, duplicate_window: 100_000_000 })
    await expect.poll(() => engine.bounds()).toEqual({ first: FIRST + 3, last: FIRST + 2 })
    await expect(takeRecords(engine, FIRST, 1)).rejects.toThrow(LogCutError)
    await streams.update('wiki', { max_age: 0 })
    await servers.kill()
    await servers.restart()
    expect(await appendAtLast(engine, recordsOf(1))).toEqual([FIRST + 3])
    expect((await takeRecords(engine, FIRST + 2, 1))[0]?.sequence).toBe(FIRST + 3)
  })

  test('reads a record that is larger than a batch', async () => {
    const servers = await NatsServers.start({ maxPayload: '16MB' })
    const engine = await createdLog(servers)
    const large = Buffer.alloc(9 * 2 ** 20, 'large')
    const records = [recordOf('a'), recordOf(large), recordOf('b')]
    expect(await appendAtLast(engine, records)).toEqual([FIRST, FIRST + 1, FIRST + 2])
    const taken = await takeRecords(engine, ORIGIN.sequence, 3)
    expect(taken.map(({ bytes }) => bytes.length)).toEqual([1, large.length, 1])
    expect(taken[1]!.bytes.equals(large)).toBe(true)
  })

  test('has a log that was made again: an append for the earlier one gets nowhere', async () => {
    const servers = await NatsServers.start()
    const engine = await createdLog(servers)
    await engine.append(recordsOf(2))
    const other = await open(servers)
    await other.drop()
    const next = { epoch: 'c'.repeat(32), sequence: 9, digest: 'd'.repeat(64) }
    await other.create(next)
    await expect(engine.append(recordsOf(1))).rejects.toThrow(EngineError)
    expect(await other.bounds()).toEqual({ first: 10, last: 9 })
    expect(await engine.origin()).toEqual(next)
    expect(await engine.append(recordsOf(1))).toEqual([10])
  })

  test('loses its leader twice under load, and nothing that it acknowledged', async () => {
    const servers = await NatsServers.start({ size: 3 })
    await expectKept(servers, 2, async (engine) => {
      const { streams } = await operator(servers)
      const { cluster } = await streams.info('wiki')
      expect((await engine.warnings()).join('\n')).not.toMatch(/replica/)
      await servers.kill([servers.hosts().findIndex((_, n) => servers.nameOf(n) === cluster!.leader)])
    })
  })

  test.each([1, 3] as const)(
    'on %i servers, all killed three times under load, keeps what it acknowledged',
    async (size) => {
      const servers = await NatsServers.start({ size })
      await expectKept(servers, 3, () => servers.kill())
    },
  )
})

/** Appends with four connections during faults. Expects all acknowledged records at their places, and no holes. */
async function expectKept(
  servers: NatsServers,
  rounds: number,
  fault: (engine: LogEngine) => Promise<void>,
): Promise<void> {
  const engine = await createdLog(servers)
  const acknowledged = new Map<number, LogRecord>()
  let stop = false
  const appenders = Array.from({ length: 4 }, async (_, which) => {
    const own = await open(servers)
    for (let n = 0; !stop; n++) {
      const records = recordsOf(4, `appender ${which} call ${n}`)
      const positions = await appendAtLast(own, records)
      positions.forEach((position, at) => acknowledged.set(position, records[at]!))
    }
  })
  const follower = new Follower(engine, ORIGIN.sequence)
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.size
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 100)
    await fault(engine)
    await servers.restart()
  }
  const before = acknowledged.size
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 100)
  stop = true
  await Promise.all(appenders)
  const { last } = await engine.bounds()
  await expect.poll(() => follower.records.at(-1)?.sequence).toBe(last)
  await follower.stop()
  expect(follower.errors.filter((error) => !(error instanceof EngineError))).toEqual([])
  expectAll(follower.records, acknowledged)
}
