/** Addresses, servers and roles that cannot carry a log, and what an operator hears of it. */
// @module-tag cluster
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EngineError, UnusableEngineError, type LogEngine } from '../../../src/log/logEngine.js'
import { loadPostgres } from '../../../src/log/postgres/connections.js'
import {
  openPostgresEngine,
  requireVersion,
  durabilityWarnings,
} from '../../../src/log/postgres/postgresEngine.js'
import { SCHEMA } from '../../../src/log/postgres/schema.js'
import { freePort } from '../../support/ports.js'
import {
  postgresPrograms,
  startPostgres,
  whetherPostgres,
  type PostgresServer,
} from '../../support/postgres.js'
import { recordOf, recordsOf, takeRecords } from '../engineContract.js'

const ORIGIN = { epoch: 'e'.repeat(32), sequence: 0, digest: 'd'.repeat(64) }

async function open(address: URL): Promise<LogEngine> {
  const engine = await openPostgresEngine(address)
  onTestFinished(() => engine.close())
  return engine
}

/** What opening a log throws. */
async function refusal(address: URL | string): Promise<Error> {
  const error = await open(new URL(address)).catch((thrown: Error) => thrown)
  expect(error).toBeInstanceOf(Error)
  return error as Error
}

describe('an address of PostgreSQL is refused', () => {
  test.each([
    ['of another kind of server', 'mysql://ann:secret@127.0.0.1/wiki', 'not postgres://'],
    ['with several hosts', 'postgres://ann:secret@a.example,b.example/wiki', 'several hosts'],
    ['with a bad name of a log', 'postgres://ann:secret@127.0.0.1/wiki?log=A', 'log=A'],
    ['with a missing certificate', 'postgres://ann:secret@127.0.0.1/wiki?sslrootcert=/nowhere', '/nowhere'],
  ])('%s', async (_case, address, words) => {
    const error = await refusal(address)
    expect(error.message).toContain(words)
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret')
  })

  test('without the package, with the command that installs it', async () => {
    const missing = 'a-package-that-nobody-has'
    const error = await loadPostgres(() => import(missing) as never).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect((error as Error).message).toContain('npm install pg@')
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>
    }
    expect((error as Error).message).toContain(`pg@${optionalDependencies['pg']}`)
  })

  test('for a server older than 12', () => {
    expect(() => requireVersion(110_022)).toThrow(UnusableEngineError)
    expect(() => requireVersion(110_022)).toThrow('PostgreSQL 11.22')
    for (const version of [120_000, 150_018, 180_001]) requireVersion(version)
  })

  test('for now, when nobody answers', async () => {
    const error = await refusal(`postgres://ann:secret@127.0.0.1:${await freePort()}/wiki`)
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.message).not.toContain('secret')
  })
})

describe.skipIf(postgresPrograms === undefined)(`a PostgreSQL server${whetherPostgres}`, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    await server.sql(`create role secured login password 'r+i%g@h t'; create role plain login`)
    const rules = join(server.folder, 'pg_hba.conf')
    writeFileSync(rules, `host all secured 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`)
    await server.sql('select pg_reload_conf()')
  })

  test.each([
    ['a wrong password', 'secured:secret', 'postgres', '', 'refuses the login'],
    ['an unknown role', 'nobody:secret', 'postgres', '', 'refuses the login'],
    ['a database that it does not have', 'postgres:secret', 'nowhere', '', 'does not have the database'],
    ['TLS that it does not offer', 'postgres:secret', 'postgres', '?sslmode=verify-full', 'no TLS'],
    ['an unknown setting', 'plain:secret', 'postgres', '?options=-c%20nonsense=1', 'does not know'],
  ])('refuses %s', async (_case, role, database, query, words) => {
    const error = await refusal(server.url(query, role, database))
    expect(error.message).toContain(words)
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect(error.message).not.toContain('secret')
  })

  test('takes the right password, and no text of ours shows it', async () => {
    const engine = await open(server.url('?log=wiki', 'secured:r+i%25g%40h%20t'))
    expect(engine.description).toMatch(
      new RegExp(`^PostgreSQL \\d+\\.\\d+ at 127\\.0\\.0\\.1:${server.port}, database postgres, log wiki$`),
    )
  })

  test('lets a role without rights use the tables of another one', async () => {
    const engine = await open(server.url('?log=plain', 'plain', 'template1'))
    const error = await engine.create(ORIGIN).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect((error as Error).message).toContain('lacks a right')

    const owner = await open(server.url('?log=owner'))
    await owner.create(ORIGIN)
    await server.sql(SCHEMA)
    await server.sql(
      'grant usage on schema palimpsest to plain; ' +
        'grant select, insert, update, delete on all tables in schema palimpsest to plain',
    )
    const plain = await open(server.url('?log=plain', 'plain'))
    await plain.create(ORIGIN)
    const [record] = recordsOf(1)
    expect(await plain.append([record!])).toEqual([1])
    expect(await takeRecords(plain, 0, 1)).toEqual([{ sequence: 1, bytes: record!.bytes }])
    expect(await plain.prune()).toBe(0)
    await plain.drop()
    expect(await owner.origin()).toEqual(ORIGIN)
  })

  test('lets a node without rights fail like one without a server', async () => {
    const owner = await open(server.url('?log=rights'))
    await owner.create(ORIGIN)
    await server.sql('grant usage on schema palimpsest to plain; revoke all on palimpsest.log from plain')
    const plain = await open(server.url('?log=rights', 'plain'))
    await expect(plain.append(recordsOf(1))).rejects.toThrow(EngineError)
    await expect(takeRecords(plain, 0, 1)).rejects.toThrow('permission denied')
  })

  test('warns of settings with which edits can be lost', async () => {
    const engine = await open(server.url('?log=warnings'))
    onTestFinished(async () => {
      await server.sql('alter system reset all')
      await server.sql('select pg_reload_conf()')
    })
    const about = async (settings: Record<string, string>): Promise<string[]> => {
      for (const [name, value] of Object.entries(settings)) {
        await server.sql(`alter system set ${name} = '${value}'`)
      }
      await server.sql('select pg_reload_conf()')
      const fresh = await open(server.url('?log=warnings'))
      return (await fresh.warnings()).map((warning) => warning.split(' ')[0]!)
    }
    expect((await engine.warnings()).join()).toContain('synchronous_standby_names is empty')
    const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
    await expect
      .poll(() => about(settings))
      .toEqual(['fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names'])
  })

  test.each([
    ['on', '', ['synchronous_standby_names']],
    ['on', 'ANY 1 (*)', []],
    ['remote_apply', 'ANY 1 (*)', []],
    ['local', 'ANY 1 (*)', ['synchronous_commit']],
    ['remote_write', 'ANY 1 (*)', ['synchronous_commit']],
    ['off', 'ANY 1 (*)', ['synchronous_commit']],
  ])('with synchronous_commit = %s and standbys "%s" gives its warnings', (commit, standbys, names) => {
    const warnings = durabilityWarnings({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: commit,
      synchronous_standby_names: standbys,
    })
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(names)
  })

  test('shows who it is by a certificate that the address names', async () => {
    const certificate = join(server.folder, 'server.crt')
    const key = join(server.folder, 'server.key')
    execFileSync(
      'openssl',
      ['req', '-new', '-x509', '-nodes', '-days', '2', '-subj', '/CN=localhost'].concat([
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-out',
        certificate,
        '-keyout',
        key,
      ]),
      { stdio: 'pipe' },
    )
    const { uid, gid } = statSync(server.folder)
    chmodSync(key, 0o600)
    for (const path of [certificate, key]) chownSync(path, uid, gid)
    await server.sql(`alter system set ssl = 'on'`)
    await server.sql('select pg_reload_conf()')
    const strict = '?log=tls&sslmode=verify-full'
    await expect
      .poll(async () => (await refusal(server.url(strict))).message)
      .toContain('the certificate of the server is not accepted')
    expect(await refusal(server.url(strict))).toBeInstanceOf(UnusableEngineError)

    const engine = await open(server.url(`${strict}&sslrootcert=${certificate}`))
    await engine.create(ORIGIN)
    const record = recordOf(Buffer.alloc(2 ** 20, 'x'))
    expect(await engine.append([record])).toEqual([1])
    const [taken] = await takeRecords(engine, 0, 1)
    expect(taken!.bytes.equals(record.bytes)).toBe(true)
  })
})
