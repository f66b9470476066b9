/** Rows that are not as they were written are told, and never answered with. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { App } from '../../../src/app/app.js'
import { applySession, getToken, getUser } from '../../../src/storage/accounts/accounts.js'
import { DamagedRowError } from '../../../src/storage/tables/errors.js'
import { getProtectionRow } from '../../../src/storage/pages/protections.js'
import { Store } from '../../../src/storage/store.js'
import { applyChange } from '../../support/administration.js'
import { changeRows, flipBit } from '../../support/damage.js'
import { history, openFolder, page, revision, source, temporaryStore } from '../../support/store.js'
import { send, testConfig } from '../../conformance/garden.js'

/** A closed store with a row of each kind. */
async function closedStore(): Promise<string> {
  const { store, applier, dataDir } = temporaryStore()
  const moon = [revision(1, 'version 1', { minor: true }), revision(2, 'x'.repeat(20_000))]
  applier.importPages('d', [page(1, 'Moon', moon), page(2, 'Sea', [revision(3, 'sea')])])
  applier.finishImport(null)
  applyChange(applier, { kind: 'user', action: 'create', name: 'Robin', passwordHash: null, groups: [] })
  const token = { userId: 2, secretHash: 'ab', scopes: ['write'], expires: null, name: '' } as const
  applyChange(applier, { kind: 'token', action: 'create', ...token })
  const levels = { edit: 'sysop', create: 'none', expires: null } as const
  applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Sea', ...levels })
  const session = { kind: 'session', expires: 9, secretHash: 'ab'.repeat(32) } as const
  const row = { userId: 2, passwordStamp: '' }
  store.transactDerived(() => applySession(store.tables, { ...session, action: 'open', row, now: 0 }))
  await store.close()
  return dataDir
}

const READS: readonly (readonly [table: string, key: string, read: (store: Store) => unknown])[] = [
  ['title', '[0,"Moon"]', (store) => source(store, 'Moon')],
  ['page', '1', (store) => store.getPageById(1)],
  ['rev', '1', (store) => store.getRevision(1)],
  ['text', '1', (store) => store.getText(1)],
  ['history', '[1,1577836860,1]', (store) => history(store, 1)],
  ['tag', '[3,1,1577836860,1]', (store) => store.listRevisions(1, { filter: 'minor', limit: 20 })],
  ['user', '2', (store) => getUser(store.tables, 2)],
  ['token', '1', (store) => getToken(store.tables, 1)],
  ['protection', '[0,"Sea"]', (store) => getProtectionRow(store.tables, [0, 'Sea'])],
  ['log', '[0,1]', (store) => store.tables.log.getBinary([0, 1])],
]

describe('a row of which a bit flipped is not read', () => {
  test.each(READS)('%s', async (table, key, read) => {
    const dataDir = await closedStore()
    let row: { key: Buffer; value: Buffer } | undefined
    await changeRows(dataDir, table, ({ rows }) => (row = rows[0]))
    const { key: rawKey, value } = row!
    const bits = value.length * 8
    // Bits from everywhere, the seal included.
    const step = Math.max(1, Math.floor(bits / 12))
    for (let bit = 0; bit < bits; bit += step) {
      await changeRows(dataDir, table, ({ put }) => put(rawKey, flipBit(value, bit)))
      const store = Store.open(dataDir)
      try {
        expect(() => read(store), `bit ${bit}`).toThrow(DamagedRowError)
        expect(() => read(store)).toThrow(`the row ${key} of the table ${table} is damaged`)
      } finally {
        await store.close()
      }
    }
  })
})

test.each([
  ['title', (store: Store) => source(store, 'Sea')],
  ['page', (store: Store) => store.getPageById(2)],
] as const)('a row of %s that stands under the key of another one is not read', async (table, read) => {
  const dataDir = await closedStore()
  await changeRows(dataDir, table, ({ rows, put }) => put(rows[1]!.key, rows[0]!.value))
  expect(() => read(openFolder(dataDir))).toThrow(DamagedRowError)
})

test('a row that is cut short, or is gone but for its seal, is not read', async () => {
  const dataDir = await closedStore()
  for (const length of [0, 3, 4, 50]) {
    await changeRows(dataDir, 'title', ({ rows, put }) =>
      put(rows[0]!.key, rows[0]!.value.subarray(0, length)),
    )
    const store = Store.open(dataDir)
    expect(() => source(store, 'Moon'), `${length} bytes`).toThrow(DamagedRowError)
    await store.close()
  }
})

test('a store of an earlier format is told, whose rows carry no seals', async () => {
  const dataDir = await closedStore()
  await changeRows(dataDir, 'meta', ({ put }) => put(Buffer.from('format'), Buffer.from('2')))
  expect(() => Store.open(dataDir)).toThrow(/is of format 2, this version reads format 4/)
})

describe('a server whose store has damaged rows', () => {
  async function damagedServer(damage: (dataDir: string) => Promise<void>) {
    const dataDir = await closedStore()
    await damage(dataDir)
    const lines: Record<string, unknown>[] = []
    const logTo = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) }
    const app = await App.open(testConfig(dataDir, { logLevel: 'info' }), { logTo })
    // Before the folder of the store goes: a thread that cannot open it delays the end.
    onTestFinished(() => app.close())
    const damagedRows = async (): Promise<number> => {
      const figures = (await send(app.port, '/metrics', {})).bytes.toString()
      return Number(/^palimpsest_store_damaged_rows_total (\d+)$/m.exec(figures)![1])
    }
    return { get: (path: string) => send(app.port, path, {}), lines, damagedRows }
  }

  const flipIn = (table: string, row: number) => (dataDir: string) =>
    changeRows(dataDir, table, ({ rows, put }) => put(rows[row]!.key, flipBit(rows[row]!.value, 20)))

  test('answers 500, names table and key in its log, counts, and goes on', async () => {
    const { get, lines, damagedRows } = await damagedServer(flipIn('title', 0))
    const before = await damagedRows()
    const answer = await get('/v1/page/Moon')
    expect(answer).toMatchObject({ status: 500, body: { errorKey: 'rest-internal-error' } })
    expect(answer.bytes.toString()).not.toContain('damaged')
    expect(await get('/v1/page/Sea')).toMatchObject({ status: 200, body: { source: 'sea' } })
    const line = lines.find(({ msg }) => msg === 'a request failed')
    expect(line).toMatchObject({
      err: {
        type: 'DamagedRowError',
        message: expect.stringContaining('the row [0,"Moon"] of the table title') as string,
      },
    })
    expect(await damagedRows()).toBeGreaterThan(before)
  })

  test('counts what its threads come to as well', async () => {
    const { get, lines, damagedRows } = await damagedServer(flipIn('text', 0))
    const before = await damagedRows()
    expect((await get('/v1/revision/1')).status).toBe(500)
    expect(JSON.stringify(lines)).toContain('the row 1 of the table text is damaged')
    expect(await damagedRows()).toBeGreaterThan(before)
  })
})

test.each([
  ['the newest', 1],
  ['the oldest', 0],
] as const)(
  'a history that a damaged tree leaves without %s row is not answered with',
  async (_case, row) => {
    const dataDir = await closedStore()
    await changeRows(dataDir, 'history', ({ rows, remove }) => remove(rows[row]!.key))
    const store = openFolder(dataDir)
    expect(() => store.listRevisions(1, { limit: 20 })).toThrow('the history of page 1 is not whole')
    expect(store.listRevisions(2, { limit: 20 }).revisions).toHaveLength(1)
  },
)
