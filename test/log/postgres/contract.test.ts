/** The contract of log engines, on PostgreSQL. */
// @module-tag cluster
import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { openPostgresEngine } from '../../../src/log/postgres/postgresEngine.js'
import { postgresPrograms, startPostgres, whetherPostgres } from '../../support/postgres.js'
import { describeEngine, type EngineUnderTest } from '../engineContract.js'

describe.skipIf(postgresPrograms === undefined)(`PostgreSQL${whetherPostgres}`, () => {
  const server = postgresPrograms === undefined ? undefined : startPostgres()

  describeEngine('PostgreSQL', async (): Promise<EngineUnderTest> => {
    const { url, sql, kill, start } = await server!
    const name = `log-${randomBytes(6).toString('hex')}`
    const open = () => openPostgresEngine(url(`?log=${name}`))
    return {
      engine: await open(),
      again: open,
      cut: async (first) => {
        await sql(
          `update palimpsest.record set time = now() - interval '15 days' where log = '${name}' and sequence < ${first}`,
        )
        const engine = await open()
        await engine.prune()
        await engine.close()
      },
      kill,
      restart: start,
      stop: () => Promise.resolve(),
    }
  })
})
