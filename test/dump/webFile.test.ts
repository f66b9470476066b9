/** Dumps that are read from a web server: whole, broken off, changed, refused. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openDump } from '../../src/dump/openDump.js'
import type { WebFileOptions } from '../../src/dump/webFile.js'
import { dump, page, pagesOf, readAll, revision } from './dumpText.js'

const XML = dump(Array.from({ length: 500 }, (_, n) => page(`Page ${n}`, n + 1, revision(n + 1))).join(''))
const PACKED = gzipSync(XML, { level: 1 })
const QUICK: WebFileOptions = { retryDelaysMs: [0, 0, 0] }

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)))
  server = undefined
})

/** Gives the answers in turn, the last one again and again. */
async function serve(...answers: readonly Answer[]) {
  const requests: IncomingMessage[] = []
  server = createServer((request, response) => {
    requests.push(request)
    answers[Math.min(requests.length, answers.length) - 1]!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/dumps/wiki.xml.gz?date=1`, requests }
}

const whole: Answer = (_request, response) => response.writeHead(200, lengthAnd({ etag: '"1"' })).end(PACKED)

/** The rest that was asked for, of the file with this tag. */
const rest =
  (etag = '"1"'): Answer =>
  ({ headers }, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const range = `bytes ${start}-${PACKED.length - 1}/${PACKED.length}`
    response.writeHead(206, { etag, 'content-range': range }).end(PACKED.subarray(start))
  }

/** So many bytes, then the connection breaks. */
const broken =
  (bytes: number, headers: Record<string, string> = { etag: '"1"' }): Answer =>
  (_request, response) => {
    response.writeHead(200, lengthAnd(headers)).write(PACKED.subarray(0, bytes), () => response.destroy())
  }

const refusal =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end()

const lengthAnd = (headers: Record<string, string>) => ({ ...headers, 'content-length': PACKED.length })

async function read(url: string, web: WebFileOptions = QUICK) {
  const source = await openDump(url, { web })
  const { events, error } = await readAll(source)
  await source.close()
  return { source, pages: pagesOf(events).length, error }
}

test('a dump is read from its URL', async () => {
  const { url, requests } = await serve(whole)
  const { source, pages, error } = await read(url)
  expect({ pages, error }).toEqual({ pages: 500, error: undefined })
  expect(source).toMatchObject({ name: 'wiki.xml.gz', compression: 'gzip', sizeBytes: PACKED.length })
  expect(source.bytesRead()).toBe(PACKED.length)
  expect(source.sha256()).toBe(createHash('sha256').update(PACKED).digest('hex'))
  expect(requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Palimpsest\/\d+\.\d+\.\d+ /) as string,
    'accept-encoding': 'identity',
  })
})

test('a name and a password in the URL are sent, and shown in no error', async () => {
  const { url, requests } = await serve(whole)
  const withPassword = url.replace('http://', 'http://ann:s%40fe@')
  const { pages, source } = await read(withPassword)
  expect(pages).toBe(500)
  expect(source.name).not.toContain('s%40fe')
  const sent = requests[0]?.headers.authorization
  expect(Buffer.from(sent!.replace('Basic ', ''), 'base64').toString()).toBe('ann:s@fe')
  server?.closeAllConnections()
  server?.close()
  const error: unknown = await openDump(withPassword).catch((reason: unknown) => reason)
  expect(String(error)).toContain('cannot be read')
  expect(String(error)).not.toMatch(/s%40fe|s@fe|ann:/)
})

test('redirects are followed, not without end', async () => {
  const toFile: Answer = ({ url }, response) =>
    url === '/file'
      ? whole(undefined as never, response)
      : response.writeHead(302, { location: '/file' }).end()
  const { url } = await serve(toFile)
  expect(await read(url)).toMatchObject({ pages: 500, error: undefined })
  server?.closeAllConnections()
  server?.close()
  const { url: circle } = await serve(refusal(302, { location: '/again' }))
  await expect(openDump(circle)).rejects.toThrow('cannot be read: redirect count exceeded')
})

describe('a connection that breaks off', () => {
  test('is taken up where it broke, as often as there is progress', async () => {
    const { url, requests } = await serve(broken(1000), rest())
    expect(await read(url)).toMatchObject({ pages: 500, error: undefined })
    expect(requests[1]?.headers).toMatchObject({ range: 'bytes=1000-', 'if-range': '"1"' })
  })

  test('waits for a server that is busy', async () => {
    const { url, requests } = await serve(
      broken(1000),
      refusal(503, { 'retry-after': '0' }),
      refusal(429),
      rest(),
    )
    expect(await read(url)).toMatchObject({ pages: 500, error: undefined })
    expect(requests).toHaveLength(4)
  })

  test.each<[string, Answer, string]>([
    ['has another file', whole, 'changed on the server while it was read'],
    ['has another tag', rest('"2"'), 'changed on the server while it was read'],
    ['no longer has the file', refusal(404), 'cannot be read: the server answers 404 Not Found'],
    ['stays busy', refusal(503), 'cannot be read: the server answers 503 Service Unavailable'],
  ])('ends the import when the server %s', async (_what, second, message) => {
    const { url } = await serve(broken(1000), second)
    const { error } = await read(url)
    expect(error?.message).toContain(`wiki.xml.gz: ${message}`)
  })

  test('ends the import when the server does not say which version it sends', async () => {
    const { url } = await serve(broken(1000, {}))
    const { error } = await read(url)
    expect(error?.message).toContain('the server cannot send the rest alone')
  })
})

test('a server that falls silent is given up', async () => {
  const silent: Answer = (_request, response) =>
    response.writeHead(200, lengthAnd({})).write(PACKED.subarray(0, 1000))
  const { url } = await serve(silent)
  const { error } = await read(url, { silenceMs: 50 })
  expect(error?.message).toContain('the server was silent for 0.05 seconds')
})

test.each([
  ['has no such file', 404, 'wiki.xml.gz: cannot be read: the server answers 404 Not Found'],
  ['refuses', 403, 'cannot be read: the server answers 403 Forbidden'],
  ['is busy', 503, 'cannot be read: the server answers 503 Service Unavailable'],
  ['sends nothing', 204, 'cannot be read: the server answers 204 No Content'],
])('a server that %s is an error at once', async (_what, status, message) => {
  const { url, requests } = await serve(refusal(status))
  await expect(openDump(url)).rejects.toThrow(message)
  expect(requests).toHaveLength(1)
})

test.each([
  ['http://127.0.0.1:1/dump.xml', 'dump.xml: cannot be read: '],
  ['https://', 'is not a valid URL'],
  ['http://user:word@127.0.0.1:1/dump.xml', 'dump.xml: cannot be read: '],
])('%s is an error', async (url, message) => {
  await expect(openDump(url)).rejects.toThrow(message)
})

test('a dump that is left before its end frees the connection', async () => {
  const { url } = await serve(whole)
  const source = await openDump(url)
  await source.close()
  await source.close()
})
