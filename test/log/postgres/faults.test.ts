/** Faults of a PostgreSQL server while nodes use it, and its retention. */
// @module-tag cluster
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EngineError, LogCutError, type LogEngine, type LogRecord } from '../../../src/log/logEngine.js'
import { openPostgresEngine } from '../../../src/log/postgres/postgresEngine.js'
import {
  postgresPrograms,
  startPostgres,
  startStandby,
  whetherPostgres,
  type PostgresServer,
} from '../../support/postgres.js'
import { appendAtLast, Follower, recordsOf, takeRecords } from '../engineContract.js'

const ORIGIN = { epoch: 'e'.repeat(32), sequence: 0, digest: 'd'.repeat(64) }

interface Log {
  readonly name: string
  readonly engine: LogEngine
  readonly again: () => Promise<LogEngine>
}

async function logOn(server: PostgresServer, query = ''): Promise<Log> {
  const name = `log-${randomBytes(6).toString('hex')}`
  const again = async (): Promise<LogEngine> => {
    const engine = await openPostgresEngine(server.url(`?log=${name}${query}`))
    onTestFinished(() => engine.close())
    return engine
  }
  const engine = await again()
  await engine.create(ORIGIN)
  return { name, engine, again }
}

/** Appends 16 records at a time until it is stopped, and notes the positions of those that were acknowledged. */
class Appender {
  readonly acknowledged = new Map<number, LogRecord>()
  #isStopped = false
  readonly #ended: Promise<void>

  constructor(engine: LogEngine) {
    this.#ended = this.#append(engine)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#ended
  }

  async #append(engine: LogEngine): Promise<void> {
    while (!this.#isStopped) {
      const records = recordsOf(16, randomBytes(500).toString('hex'))
      const positions = await engine.append(records).catch(async (error: unknown) => {
        expect(error).toBeInstanceOf(EngineError)
        await delay(20)
        return []
      })
      positions.forEach((position, n) => this.acknowledged.set(position, records[n]!))
    }
  }
}

/** Expects all positions up to the last one, and each acknowledged record at its own. */
async function expectWhole(engine: LogEngine, appenders: readonly Appender[]): Promise<void> {
  const { first, last } = await engine.bounds()
  const records = await takeRecords(engine, first - 1, last - first + 1)
  expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, n) => first + n))
  for (const { acknowledged } of appenders) {
    expect(acknowledged.size).toBeGreaterThan(0)
    for (const [position, { bytes }] of acknowledged) {
      expect(records[position - first]!.bytes.equals(bytes)).toBe(true)
    }
  }
}

describe.skipIf(postgresPrograms === undefined)(`faults of PostgreSQL${whetherPostgres}`, () => {
  let server: PostgresServer
  beforeAll(async () => (server = await startPostgres()))

  const change = async (settings: string): Promise<void> => {
    await server.sql(settings)
    await server.sql('select pg_reload_conf()')
  }
  const reset = () => change('alter system reset all')

  test('killed three times under load, it keeps all that was acknowledged, without holes', async () => {
    const { engine, again } = await logOn(server)
    const appenders = [await again(), await again(), await again()].map((other) => new Appender(other))
    const follower = new Follower(engine, 0)
    for (let kills = 0; kills < 3; kills++) {
      const before = appenders.map(({ acknowledged }) => acknowledged.size)
      await expect
        .poll(() => appenders.every(({ acknowledged }, n) => acknowledged.size > before[n]! + 160))
        .toBe(true)
      await server.kill()
      await server.start()
    }
    await Promise.all(appenders.map((appender) => appender.stop()))
    const { last } = await engine.bounds()
    await expect.poll(() => follower.records.length).toBe(last)
    await follower.stop()
    expect(follower.records.map(({ sequence }) => sequence)).toEqual(follower.records.map((_, n) => n + 1))
    await expectWhole(engine, appenders)
  })

  test('a server that falls silent fails appends and reads, which go on when it is back', async () => {
    const { engine } = await logOn(server)
    await engine.append(recordsOf(1))
    const follower = new Follower(engine, 0)
    await expect.poll(() => follower.records.length).toBe(1)
    server.freeze()
    try {
      await expect(engine.append(recordsOf(1))).rejects.toThrow('did not answer within 1000 ms')
      await expect.poll(() => String(follower.errors[0])).toContain('silent for 2000 ms')
      await expect(engine.bounds()).rejects.toThrow(EngineError)
    } finally {
      server.thaw()
    }
    await appendAtLast(engine, recordsOf(1))
    const { last } = await engine.bounds()
    await expect.poll(() => follower.records.length).toBe(last)
    await follower.stop()
  })

  test('connections that an operator ends are replaced', async () => {
    const { engine } = await logOn(server)
    await engine.append(recordsOf(1))
    const follower = new Follower(engine, 0)
    await expect.poll(() => follower.records.length).toBe(1)
    await server.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'palimpsest'`,
    )
    await appendAtLast(engine, recordsOf(1))
    await expect.poll(() => follower.records.length).toBe(2)
    await follower.stop()
    expect(follower.errors).not.toEqual([])
    for (const error of follower.errors) expect(error).toBeInstanceOf(EngineError)
  })

  test('a read-only server refuses appends for the time being', async () => {
    const { engine, again } = await logOn(server)
    await engine.append(recordsOf(1))
    onTestFinished(reset)
    await change('alter system set default_transaction_read_only = on')
    await expect
      .poll(async () => engine.append(recordsOf(1)).catch((error: Error) => error.message))
      .toContain('set to read-only')
    // The server may have taken some appends before it knew of the setting.
    expect((await takeRecords(await again(), 0, 1)).length).toBeGreaterThan(0)
    await reset()
    await appendAtLast(engine, recordsOf(1))
  })

  test('waits in vain for a synchronous standby end, and do not pile up', async () => {
    const { engine, again } = await logOn(server)
    const others = [await again(), await again()]
    onTestFinished(reset)
    await change(`alter system set synchronous_standby_names = 'nobody'`)
    // The server's processes read the settings a little later: until then, appends wait for no standby.
    await expect
      .poll(() => engine.append(recordsOf(1)).catch((error: unknown) => error), { timeout: 30_000 })
      .toBeInstanceOf(EngineError)
    for (let n = 0; n < 2; n++) {
      const results = await Promise.allSettled([engine, ...others].map((other) => other.append(recordsOf(1))))
      for (const result of results) {
        expect(result.status === 'rejected' && result.reason).toBeInstanceOf(EngineError)
      }
    }
    const waiting = `select count(*)::int as n from pg_stat_activity where query like '%palimpsest.append%' and state = 'active' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await server.sql(waiting))[0]!['n']).toBe(1)
    await reset()
    await appendAtLast(engine, recordsOf(1))
  })

  test('a standby refuses nodes until it is promoted, and then has all that was acknowledged', async () => {
    const primary = await startPostgres()
    const { name, again } = await logOn(primary)
    const standby = await startStandby(primary)
    await primary.sql(`alter system set synchronous_standby_names = 'ANY 1 (*)'`)
    await primary.sql('select pg_reload_conf()')
    await expect
      .poll(async () => primary.sql('select sync_state from pg_stat_replication'))
      .toEqual([{ sync_state: 'quorum' }])
    const engine = await openPostgresEngine(standby.url(`?log=${name}`))
    onTestFinished(() => engine.close())
    await expect.poll(() => engine.origin()).toEqual(ORIGIN)
    await expect(engine.append(recordsOf(1))).rejects.toThrow('it is a standby')
    await expect(takeRecords(engine, 0, 1)).rejects.toThrow(EngineError)

    const appenders = [await again(), await again()].map((other) => new Appender(other))
    await expect.poll(() => appenders.every(({ acknowledged }) => acknowledged.size > 160)).toBe(true)
    await primary.kill()
    await Promise.all(appenders.map((appender) => appender.stop()))
    await standby.sql('select pg_promote()')
    await appendAtLast(engine, recordsOf(1))
    await expectWhole(engine, appenders)
  })

  test('an append whose wait for a standby is cancelled counts as failed', async () => {
    const { engine } = await logOn(server)
    onTestFinished(reset)
    await change(`alter system set synchronous_standby_names = 'nobody'`)
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    let errors = ''
    while (!errors.includes('PostgreSQL warns: canceling wait for synchronous replication')) {
      const append = engine.append(recordsOf(1)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(EngineError)
        errors += String(error)
      })
      const cancels = setInterval(() => void server.sql(cancel).catch(() => undefined), 50)
      // The server may take some moments to see the setting. Until then, it waits for nobody.
      await append
      clearInterval(cancels)
    }
  })

  test('a log that lost records, has a hole or was replaced ends its reads', async () => {
    const { name, engine, again } = await logOn(server)
    await engine.append(recordsOf(9))
    const ended = async (after: number, fault: () => Promise<unknown>): Promise<void> => {
      const reader = await again()
      for await (const _ of reader.read(after, new AbortController().signal)) await fault()
    }
    const lose = () =>
      server.sql(
        `delete from palimpsest.record where log = '${name}' and sequence > 7; update palimpsest.log set last = 7 where name = '${name}'`,
      )
    await expect(ended(9, lose)).rejects.toThrow('the log ends at 7, before 9')
    const pierce = () => server.sql(`delete from palimpsest.record where log = '${name}' and sequence = 5`)
    await pierce()
    await expect(takeRecords(engine, 4, 1)).rejects.toThrow(LogCutError)
    await expect(takeRecords(engine, 3, 2)).rejects.toThrow('no record 5')
    const replace = async () => {
      await engine.drop()
      await engine.create({ ...ORIGIN, epoch: 'f'.repeat(32) })
      await engine.append(recordsOf(8))
    }
    await expect(ended(7, replace)).rejects.toThrow('another log has replaced this one')
    await expect(ended(8, () => engine.drop())).rejects.toThrow('no log of this name any more')
  })

  test('prunes what is older than its retention, in steps, and never the newest record', async () => {
    const { name, engine } = await logOn(server, '&retention=36h')
    await engine.append(recordsOf(1300))
    const age = (where: string, hours: number) =>
      server.sql(
        `update palimpsest.record set time = now() - interval '${hours} hours' where log = '${name}' and ${where}`,
      )
    await age('sequence <= 1200', 35)
    expect(await engine.prune()).toBe(0)
    await age('sequence <= 1200 or sequence = 1202', 37)
    expect(await engine.prune()).toBe(1200)
    expect(await engine.bounds()).toEqual({ first: 1201, last: 1300 })
    await age('true', 37)
    expect(await engine.prune()).toBe(99)
    expect(await engine.bounds()).toEqual({ first: 1300, last: 1300 })
    expect(await engine.prune()).toBe(0)
    expect(await engine.append(recordsOf(1))).toEqual([1301])
  })
})
