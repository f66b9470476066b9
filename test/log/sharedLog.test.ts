/** The contract of logs on each engine. PostgreSQL runs where it is installed. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openPostgresEngine } from '../../src/log/postgres/postgresEngine.js'
import { EntryRefusedError, MAX_RECORD_BYTES, recordOf, SharedLog } from '../../src/log/sharedLog.js'
import { decodeEntry, type Entry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { MemoryEngine, MemoryServer } from '../support/memoryEngine.js'
import { postgresPrograms, startPostgres, whetherPostgres } from '../support/postgres.js'
import { sharedLogOn } from '../support/sharedLog.js'
import { START } from '../support/store.js'
import { account, append, describeLog } from './logContract.js'

describeLog('SharedLog in memory', () => {
  const server = new MemoryServer()
  return sharedLogOn({
    open: () => Promise.resolve(new MemoryEngine(server)),
    cut: (first) => Promise.resolve(server.cut(first)),
  })
})

const postgres = postgresPrograms === undefined ? undefined : startPostgres()

describeLog(
  `SharedLog on PostgreSQL${whetherPostgres}`,
  async () => {
    const { url, sql } = await postgres!
    const name = `log-${randomBytes(6).toString('hex')}`
    const open = (): ReturnType<typeof openPostgresEngine> => openPostgresEngine(url(`?log=${name}`))
    return sharedLogOn({
      open,
      cut: async (first) => {
        await sql(
          `update palimpsest.record set time = now() - interval '15 days' where log = '${name}' and sequence < ${first}`,
        )
        const engine = await open()
        await engine.prune()
        await engine.close()
      },
    })
  },
  { skip: postgres === undefined },
)

describe('a shared log refuses', () => {
  test('entries whose contents are not in the log', () => {
    const pages = {
      kind: 'pages',
      id: randomEntryId(),
      time: START,
      dump: 'a',
      firstPart: 0,
      parts: 1,
      pages: [],
    }
    expect(() => recordOf(pages as unknown as Entry)).toThrow(EntryRefusedError)
    expect(() => recordOf(pages as unknown as Entry)).toThrow('import on one machine')
  })

  test('an entry that is too large, whatever the text', () => {
    const text = randomBytes(MAX_RECORD_BYTES).toString('latin1')
    const entry = {
      ...account('x'),
      kind: 'create',
      namespace: 0,
      dbkey: 'A',
      editor: { id: null, name: 'x' },
      comment: '',
      minor: false,
      contentModel: 'wikitext',
      text,
    }
    expect(() => recordOf(entry as unknown as Entry)).toThrow('too large')
  })

  test('nothing of the largest text that an edit may have', async () => {
    const server = new MemoryServer()
    const engine = new MemoryEngine(server)
    await engine.create({ epoch: 'e'.repeat(32), sequence: 0, digest: '0'.repeat(64) })
    const text = randomBytes(2 ** 20)
      .toString('latin1')
      .replaceAll('\0', ' ')
      .slice(0, 2 ** 20)
    const entry = {
      ...account('x'),
      kind: 'create',
      namespace: 0,
      dbkey: 'A',
      editor: { id: null, name: 'x' },
      comment: 'x'.repeat(500),
      minor: false,
      contentModel: 'wikitext',
      text,
    } as unknown as Entry
    const log = new SharedLog(engine, 'e'.repeat(32))
    expect(await append(log, [entry])).toEqual([1])
    expect(decodeEntry(server.records[0]!.bytes)).toMatchObject({ text })
  })
})
