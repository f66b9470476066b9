/** A server of a store that follows another wiki. */
import { beforeAll, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { noteEqual } from '../../src/storage/upstream/place.js'
import { revision } from '../support/store.js'
import { Following, present } from '../support/upstream.js'
import { Client } from './actionClient.js'
import { create, update } from './editing.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

const API = 'https://wiki.example/api.php'
const LAG = 5000
const EARLIER = Math.floor(Date.now() / 1000) - LAG

let mirror: TestServer
let store: Store

/** A store with one page, which it has from the wiki that it follows. */
beforeAll(async () => {
  const folder = temporaryFolder()
  const made = Store.open(folder, { create: true })
  new Following(made, new Applier(made)).pages(present(1, 'Moon', { add: [revision(1, 'grey')] }))
  await made.close()
  const flags = { anonymousEdits: true, createAccounts: true, maxMirrorLagMs: String(1000 * (LAG + 3600)) }
  mirror = await startServer(folder, flags)
  store = mirror.app.context.store
})

test('takes no edits, and says where they belong', async () => {
  const refusal = {
    status: 403,
    body: {
      errorKey: 'rest-wiki-is-mirror',
      actionModuleErrorCode: 'readonly',
      messageTranslations: {
        en: 'This wiki is a mirror of https://wiki.example, and takes no edits itself.',
      },
    },
  }
  const before = store.log.bounds()
  expect(await create(mirror, 'Sun', 'x')).toMatchObject(refusal)
  expect(await update(mirror, 'Moon', 'x', 1)).toMatchObject(refusal)
  store.refresh()
  expect(store.log.bounds()).toEqual(before)
})

test('takes no accounts', async () => {
  const fields = { action: 'createaccount', username: 'Zoe', createtoken: '+\\' }
  const error = {
    code: 'readonly',
    info: 'This wiki is a mirror of https://wiki.example, and takes no edits itself.',
  }
  expect(await new Client(mirror).post(fields)).toMatchObject({ error })
})

test('tells clients of the action API why it is read-only', async () => {
  const { query } = (await new Client(mirror).get({ action: 'query', meta: 'siteinfo' })) as {
    query: { general: object }
  }
  expect(query.general).toMatchObject({
    readonly: '',
    readonlyreason: 'This wiki is a mirror of https://wiki.example, and takes no edits itself.',
  })
})

test('serves its pages', async () => {
  expect(await mirror.send('/v1/page/Moon')).toMatchObject({ status: 200, body: { source: 'grey' } })
})

test('is not ready before it is complete, nor when it falls behind', async () => {
  const late = { ready: false, reasons: ['the mirror is behind'] }
  const first = await mirror.send('/readyz')
  expect(first).toMatchObject({
    status: 503,
    body: { ...late, mirror: { upstream: API, lag_seconds: null } },
  })
  expect(first.headers).not.toHaveProperty('x-mirror-lag')
  expect((await mirror.send('/metrics')).bytes.toString()).toContain(
    'palimpsest_mirror_equal_timestamp_seconds 0\n',
  )

  noteEqual(store, EARLIER)
  const { status, body, headers } = await mirror.send('/readyz')
  const lag = Number(headers['x-mirror-lag'])
  expect(lag).toBeGreaterThanOrEqual(LAG)
  expect({ status, body }).toEqual({
    status: 200,
    body: { ready: true, reasons: [], mirror: { upstream: API, lag_seconds: lag } },
  })
  expect((await mirror.send('/metrics')).bytes.toString()).toContain(
    `palimpsest_mirror_equal_timestamp_seconds ${EARLIER}\n`,
  )

  noteEqual(store, EARLIER - 2 * 3600)
  expect(await mirror.send('/readyz')).toMatchObject({ status: 503, body: late })
})
