/** The SQL of docs/cluster.md, run on a PostgreSQL server. */
// @module-tag cluster
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogEngine } from '../../src/log/logEngine.js'
import { openPostgresEngine } from '../../src/log/postgres/postgresEngine.js'
import { postgresPrograms, type PostgresServer, startPostgres, whetherPostgres } from '../support/postgres.js'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8')
/** Two blocks: for one role, and for an owner and a role with fewer rights. */
const BLOCKS = [
  ...PAGE.matchAll(/(?:^ {4}(?:create role|create database|revoke|grant|alter|--).*\n|^\n(?= {4}--))+/gm),
].map(([text]) => text)
const RECORD = { id: '1'.repeat(32), bytes: Buffer.from('record') }

describe.skipIf(postgresPrograms === undefined)(`the SQL of docs/cluster.md${whetherPostgres}`, () => {
  const [one, two] = BLOCKS.map((text) => text.split(/^ {4}--.*$/m)) as [string[], string[]]
  let server: PostgresServer
  let engine: LogEngine

  const runAll = async (statements: string, database = 'postgres'): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url('', 'postgres', database).href })
    await client.connect()
    for (const statement of statements.split(';').filter((each) => each.trim() !== ''))
      await client.query(statement)
    await client.end()
  }

  beforeAll(async () => {
    server = await startPostgres()
    await runAll(two[0]!)
    const owner = await openPostgresEngine(server.url('', 'wiki_owner', 'wiki'))
    await owner.create({ epoch: 'e'.repeat(32), sequence: 5, digest: 'd'.repeat(64) })
    await owner.close()
    await runAll(two[1]!, 'wiki')
    engine = await openPostgresEngine(server.url('', 'wiki', 'wiki'))
  })
  afterAll(() => engine.close())

  test('is found on the page', () => {
    expect(BLOCKS).toHaveLength(2)
    expect(one).toHaveLength(1)
    expect(two).toHaveLength(2)
  })

  test('gives nodes what they need: append, read, restore, prune', async () => {
    expect(await engine.append([RECORD])).toEqual([6])
    expect(await engine.record(6)).toEqual(RECORD.bytes)
    await engine.restore([{ ...RECORD, id: '2'.repeat(32), sequence: 7 }])
    expect(await engine.bounds()).toEqual({ first: 6, last: 7 })
    expect(await engine.prune()).toBe(0)
    expect((await engine.origin())?.sequence).toBe(5)
  })

  test.each([
    'delete from palimpsest.record',
    "update palimpsest.record set bytes = ''",
    "update palimpsest.log set epoch = ''",
    "insert into palimpsest.log values ('other', '', 1, '', 1, 1)",
    "select palimpsest.drop_log('palimpsest')",
    'create table palimpsest.mine ()',
    'create table mine ()',
  ])('gives them nothing else: %s', async (statement) => {
    const client = new pg.Client({ connectionString: server.url('', 'wiki', 'wiki').href })
    await client.connect()
    await expect(client.query(statement)).rejects.toThrow('permission denied')
    await client.end()
  })
})
