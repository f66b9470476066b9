/** Routes for other nodes of a cluster: only who sends the secret sees them. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { originalPath } from '../../src/files/originals.js'
import { ownMark } from '../../src/storage/processMark.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { folderOfFile } from '../support/cleanUp.js'
import { gardenFolder, startServer, type TestServer } from './garden.js'

const SECRET = 'the secret of the cluster of this test'
const BYTES = Buffer.alloc(200_000, 'a picture ')
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const UNKNOWN = 'f'.repeat(64)

let dataDir: string
let server: TestServer
let closed: TestServer
beforeAll(async () => {
  dataDir = await gardenFolder()
  const path = originalPath(dataDir, SHA256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, BYTES)
  // Killed servers left two of these. The third one belongs to a server that is copying now.
  for (const name of ['.copy-old', '.copy-dead', '.copy-new']) mkdirSync(join(dataDir, name))
  utimesSync(join(dataDir, '.copy-old'), 1, 1)
  const { pid } = spawnSync('true')
  writeFileSync(join(dataDir, '.copy-dead', 'maker.json'), JSON.stringify({ ...ownMark(), pid }))
  const clusterTokenFile = join(folderOfFile(), 'token')
  writeFileSync(clusterTokenFile, `${SECRET}\n`)
  server = await startServer(dataDir, { clusterTokenFile })
  closed = await startServer(await gardenFolder())
})

const copies = (): string[] => readdirSync(dataDir).filter((name) => name.startsWith('.copy-'))

const withSecret = (secret = SECRET) => ({ headers: { Authorization: `Bearer ${secret}` } })

describe('without the secret there is no such path', () => {
  test.each(['/cluster/status', '/cluster/copy', `/cluster/contents/${SHA256}`])('%s', async (path) => {
    for (const options of [{}, withSecret('x'.repeat(40)), withSecret('')])
      expect((await server.send(path, options)).status).toBe(404)
    expect((await closed.send(path, withSecret())).status).toBe(404)
  })
})

describe('with the secret', () => {
  test('a node removes at its start what killed servers have left', async () => {
    await expect.poll(copies).toEqual(['.copy-new'])
  })

  test('a node says where it stands', async () => {
    const { status, body, headers } = await server.send('/cluster/status?at=1', withSecret())
    const { store } = server.app.context
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({
      store: store.storeId,
      epoch: null,
      position: store.position().sequence,
      state: null,
    })
    expect((await server.send('/cluster/status?at=no', withSecret())).status).toBe(400)
    const head = await server.send('/cluster/status', { ...withSecret(), method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })

  test('a node sends contents by their hash alone', async () => {
    const found = await server.send(`/cluster/contents/${SHA256}`, withSecret())
    expect([found.status, found.headers['content-length']]).toEqual([200, String(BYTES.length)])
    expect(found.bytes.equals(BYTES)).toBe(true)
    const head = await server.send(`/cluster/contents/${SHA256}`, { ...withSecret(), method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(BYTES.length),
      0,
    ])
    for (const name of [UNKNOWN, SHA256.toUpperCase(), 'x', '..%2f..%2fstore%2fdata.mdb'])
      expect((await server.send(`/cluster/contents/${name}`, withSecret())).status).toBe(404)
  })

  test('a node sends a copy of its store, and leaves nothing on the disk', async () => {
    const { status, bytes, headers } = await server.send('/cluster/copy', withSecret())
    expect([status, headers['content-length']]).toEqual([200, String(bytes.length)])
    const folder = folderOfFile()
    mkdirSync(join(folder, 'store'))
    writeFileSync(join(folder, 'store', 'data.mdb'), bytes)
    const copy = Store.open(folder)
    expect(digestStore(copy)).toBe(digestStore(server.app.context.store))
    await copy.close()
    expect(copies()).toEqual(['.copy-new'])
  })

  test('a node makes one copy at a time, and answers others meanwhile', async () => {
    const sent = Promise.all(Array.from({ length: 4 }, () => server.send('/cluster/copy', withSecret())))
    expect((await server.send('/v1/page/Compost', {})).status).toBe(200)
    const answers = await sent
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status, headers } of answers.filter((one) => one.status !== 200))
      expect([status, headers['retry-after']]).toEqual([503, '10'])
  })
})
