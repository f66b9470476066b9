/** Bodies in the coding that a client accepts. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, TestServer } from './garden.js'
import { startGarden, startServer, temporaryFolder } from './garden.js'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { dumpXml } from '../support/dump.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WORDS = 'A heap of leaves, clay and straw turns warm within three days. '
/** Above the limit for the event loop. */
const LONG = Array.from({ length: 2000 }, (_, n) => `${WORDS}${n}\n`).join('')
const MIDDLE = LONG.slice(0, 4000)

let wiki: TestServer
beforeAll(async () => {
  const dataDir = temporaryFolder()
  const path = join(temporaryFolder(), 'dump.xml')
  const page = (id: number, title: string, text: string) => ({
    id,
    title,
    revisions: [{ id: 10 * id, text }],
  })
  writeFileSync(
    path,
    dumpXml([page(1, 'Long', LONG), page(2, 'Middle', MIDDLE), page(3, 'Short', 'Little.')]),
  )
  await importDumps({ dataDir, paths: [path] })
  wiki = await startServer(dataDir)
})

function plainBytes({ headers, bytes }: Answer): Buffer {
  const coding = headers['content-encoding']
  if (coding === 'br') return brotliDecompressSync(bytes)
  return coding === 'gzip' ? gunzipSync(bytes) : bytes
}

const accepting = (codings: string) => ({ headers: { 'Accept-Encoding': codings } })

describe.each([
  '/v1/page/Long',
  '/v1/page/Middle',
  '/v1/page/Middle/html',
  '/docs/swagger-ui.css',
  '/v1/openapi.json',
])('%s', (path) => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
  ])('for %s', async (codings, preferred) => {
    // Kept HTML is gzip already.
    const coding = path.endsWith('/html') && codings.startsWith('gzip,') ? 'gzip' : preferred
    const plain = await wiki.send(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['vary']).toBe('Accept-Encoding')
    // Made anew, made anew and kept, ready.
    for (let n = 0; n < 3; n++) {
      const answer = await wiki.send(path, accepting(codings))
      expect(answer.headers['content-encoding']).toBe(coding)
      expect(answer.headers['vary']).toBe('Accept-Encoding')
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(plainBytes(answer).equals(plain.bytes)).toBe(true)
      if (coding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
      const tag = plain.headers['etag'] as string | undefined
      if (tag !== undefined)
        expect(answer.headers['etag']).toBe(coding === undefined ? tag : tag.replace(/"$/, `.${coding}"`))
    }
  })
})

describe('a tag with a coding', () => {
  test.each(['gzip', 'br', ''])('fulfils conditions of a request for "%s"', async (codings) => {
    const { headers } = await wiki.send('/v1/page/Middle', accepting('gzip'))
    const tag = headers['etag'] as string
    expect(tag).toMatch(/\.gzip"$/)
    for (let n = 0; n < 3; n++) {
      const unchanged = await wiki.send('/v1/page/Middle', {
        headers: { 'Accept-Encoding': codings, 'If-None-Match': tag },
      })
      expect(unchanged).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
      expect(unchanged.headers['content-encoding']).toBeUndefined()
      const same = await wiki.send('/v1/page/Middle', {
        headers: { 'Accept-Encoding': codings, 'If-Match': tag },
      })
      expect(same.status).toBe(200)
      const other = await wiki.send('/v1/page/Middle', {
        headers: { 'Accept-Encoding': codings, 'If-Match': '"other.gzip"' },
      })
      expect(other.status).toBe(412)
    }
  })
})

describe('a HEAD', () => {
  test('tells the length of the compressed body', async () => {
    const { headers, bytes } = await wiki.send('/v1/page/Long', accepting('gzip'))
    const head = await wiki.send('/v1/page/Long', { method: 'HEAD', ...accepting('gzip') })
    expect(head.bytes.length).toBe(0)
    expect(head.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(bytes.length),
      etag: headers['etag'],
    })
  })
})

describe('not compressed', () => {
  test.each(['/v1/page/Short', '/v1/page/Nowhere', '/docs/favicon-32x32.png', '/wiki/Nowhere'])(
    '%s',
    async (path) => {
      const answer = await wiki.send(path, accepting('gzip, br'))
      expect(answer.headers['content-encoding']).toBeUndefined()
      expect(answer.headers['vary']).toBeUndefined()
    },
  )

  test('on a server that does not compress', async () => {
    const server = await startGarden({ compression: false })
    const answer = await server.send('/v1/openapi.json', accepting('gzip'))
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['vary']).toBeUndefined()
  })
})

test('many long bodies at once arrive whole, some of them as they are', async () => {
  const server = await startServer(wiki.app.context.config.dataDir)
  const plain = await server.send('/v1/page/Long')
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => server.send(`/v1/page/Long?n=${n}`, accepting('br'))),
  )
  for (const answer of answers) expect(plainBytes(answer).equals(plain.bytes)).toBe(true)
  const figures = (await server.send('/metrics')).bytes.toString()
  const count = (coding: string): number =>
    Number(new RegExp(`palimpsest_http_encoded_total\\{coding="${coding}"\\} (\\d+)`).exec(figures)![1])
  expect(count('br') + count('skipped')).toBe(60)
  expect(count('skipped')).toBe(
    answers.filter(({ headers }) => headers['content-encoding'] === undefined).length,
  )
})

test('the answer to an edit is private, and stays as it is', async () => {
  const server = await startGarden({ anonymousEdits: true })
  const source = 'Rake. '.repeat(500).trimEnd()
  const saved = await server.send('/v1/page', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
    body: JSON.stringify({ title: 'Raking', source, comment: '', token: '+\\' }),
  })
  expect(saved.status).toBe(201)
  expect(saved.headers).toMatchObject({ 'cache-control': expect.stringMatching(/^private/) as string })
  expect(saved.headers['content-encoding']).toBeUndefined()
  expect(saved.body).toMatchObject({ source })
})
