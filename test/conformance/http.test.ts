import { beforeAll, describe, expect, test } from 'vitest'
import { errorWith, gardenFolder, servesByUws, startServer, type TestServer } from './garden.js'

let dataDir: string
let garden: TestServer
beforeAll(async () => {
  dataDir = await gardenFolder()
  garden = await startServer(dataDir)
})

const noMatch = (path: string) =>
  errorWith(
    404,
    'rest-no-match',
    `The requested relative path (${path}) did not match any known handler`,
    'Not Found',
  )

describe('a path that is no route', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v2/page/Compost',
    '/v1/nothing/here',
    '/v1/page/Compost/',
    '/v1/page/Compost/bare/',
    '//v1/page/Compost',
    '/v1//page/Compost',
    '/v1/page/Compost/Turning',
    '/v1/Page/Compost',
    '/v1/p%61ge/Compost',
    '/v1/page/Caf%C3%A9/history/counts',
    '/v1/revision/1/compare',
  ])('%s', async (path) => {
    const { status, headers, body } = await garden.send(path)
    expect(status).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    expect(body).toEqual(noMatch(path))
  })

  test('is shown without its query', async () => {
    expect((await garden.send('/v1/nothing?secret=1')).body).toEqual(noMatch('/v1/nothing'))
  })

  test('comes before the method', async () => {
    expect((await garden.send('/v1/nothing', { method: 'DELETE' })).body).toEqual(noMatch('/v1/nothing'))
  })
})

describe('a method that the path does not allow', () => {
  test.each(['DELETE', 'POST', 'PUT', 'PATCH', 'FOO'])('%s', async (method) => {
    const answer = await garden.raw(
      `${method} /v1/page/Compost/bare HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`,
      (received) => received.endsWith('}'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(answer).toContain('\r\nAllow: HEAD, GET\r\n')
    const text = `The request method (${method}) was not one of the allowed methods for this path (HEAD, GET)`
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toEqual(errorWith(405, 'rest-wrong-method', text, 'Method Not Allowed'))
  })

  test('is refused before parameters and pages are looked at', async () => {
    expect(await garden.send('/v1/page/', { method: 'DELETE' })).toMatchObject({ status: 405 })
    expect(await garden.send('/v1/page/Nowhere', { method: 'DELETE' })).toMatchObject({ status: 405 })
  })
})

describe('HEAD', () => {
  test.each([
    '/v1/page/Compost',
    '/v1/page/Compost/bare',
    '/v1/page/Compost/history',
    '/v1/page/Compost/history/counts/edits',
    '/v1/page/Bird_bath/links/language',
    '/v1/revision/101',
    '/v1/page/Nowhere',
    '/v1/nothing',
  ])('answers %s as GET does, without the body', async (path) => {
    const [get, head] = [await garden.send(path), await garden.send(path, { method: 'HEAD' })]
    const comparable = ({ headers }: typeof get) => ({ ...headers, 'x-request-id': '', date: '' })
    expect(head.status).toBe(get.status)
    expect(comparable(head)).toEqual(comparable(get))
    expect(head.bytes.length).toBe(0)
    expect(Number(head.headers['content-length'])).toBe(get.bytes.length)
  })
})

describe('OPTIONS', () => {
  const ALLOWED_HEADERS =
    'Accept, Accept-Language, Content-Language, Content-Type, Accept-Encoding, DNT, Origin, User-Agent, ' +
    'Api-User-Agent, Access-Control-Max-Age, Authorization, If-Mach, If-None-Match, If-Modified-Since'

  test.each([
    ['/v1/page/Compost', 'HEAD, GET, PUT'],
    ['/v1/page', 'POST'],
    ['/v1/page/Nowhere/bare', 'HEAD, GET'],
    ['/v1/nothing', ''],
  ])('answers 204 for %s', async (path, methods) => {
    const { status, headers, bytes } = await garden.send(path, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(bytes.length).toBe(0)
    expect(headers).toMatchObject({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': ALLOWED_HEADERS,
    })
    expect(headers['content-type']).toBeUndefined()
    expect(headers['content-length']).toBeUndefined()
  })
})

describe('cross-origin access', () => {
  const paths = ['/v1/page/Compost', '/v1/page/Nowhere', '/v1/nothing', '/v1/page/']

  test('is not offered by default', async () => {
    for (const path of paths) {
      const { headers } = await garden.send(path, { headers: { Origin: 'https://elsewhere.example' } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('is offered on every answer, errors too, where it is switched on', async () => {
    const open = await startServer(dataDir, { allowCrossOrigin: true })
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
        const { headers } = await open.send(path, { method })
        expect(headers['access-control-allow-origin']).toBe('*')
      }
    }
  })
})

describe('a request id', () => {
  test('is 24 hex digits, new for each request', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => garden.send('/v1/page/Compost')))
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
    expect(new Set(ids).size).toBe(3)
  })

  test('is not taken from just anybody', async () => {
    const { headers } = await garden.send('/v1/page/Compost', { headers: { 'X-Request-Id': 'mine' } })
    expect(headers['x-request-id']).not.toBe('mine')
  })

  test('is taken from a trusted proxy when it looks like one', async () => {
    const proxied = await startServer(dataDir, { trustedProxies: '127.0.0.1' })
    const idFor = async (given: string) =>
      (await proxied.send('/v1/page/Nowhere', { headers: { 'X-Request-Id': given } })).headers['x-request-id']
    expect(await idFor('edge-1.req_42')).toBe('edge-1.req_42')
    for (const bad of ['has blanks in it', 'x'.repeat(129), '<b>']) expect(await idFor(bad)).not.toBe(bad)
  })
})

describe('a base path', () => {
  let based: TestServer
  beforeAll(async () => {
    based = await startServer(dataDir, { basePath: '/w/rest.php/' })
  })

  test('stands before every route and in every link', async () => {
    const { body } = await based.send('/w/rest.php/v1/page/Compost/bare')
    expect(body).toMatchObject({ html_url: `${based.base}/w/rest.php/v1/page/Compost/html` })
  })

  test('is left out of the path that an error shows', async () => {
    expect((await based.send('/w/rest.php/v1/nothing')).body).toEqual(noMatch('/v1/nothing'))
  })

  test.each(['/v1/page/Compost', '/w/rest.phpx/v1/page/Compost', '/w/rest.php'])(
    'is required: %s',
    async (path) => {
      expect(await based.send(path)).toMatchObject({ status: 404, body: { errorKey: 'rest-no-match' } })
    },
  )
})

describe('links to the API', () => {
  const linkOf = async (server: TestServer, headers: Record<string, string>) => {
    const { body } = await server.send('/v1/page/Compost/bare', { headers })
    return (body as { html_url: string }).html_url.replace('/v1/page/Compost/html', '')
  }

  test('name the host that the client asked', async () => {
    expect(await linkOf(garden, { Host: 'wiki.example' })).toBe('http://wiki.example')
    expect(await linkOf(garden, { Host: 'wiki.example:8080' })).toBe('http://wiki.example:8080')
    expect(await linkOf(garden, { Host: '[::1]:8080' })).toBe('http://[::1]:8080')
  })

  test.each(['x'.repeat(300), 'x:port'])('fall back to the socket for the host %s', async (host) => {
    expect(await linkOf(garden, { Host: host })).toBe(garden.base)
  })

  test.each(['a b', 'x"y', 'evil.example/path', 'user@evil.example', '<script>', 'a\\b'])(
    'do not name the host %s, which is none',
    async (host) => {
      if (servesByUws) expect(await linkOf(garden, { Host: host })).toBe(garden.base)
      else expect((await garden.send('/v1/page/Compost/bare', { headers: { Host: host } })).status).toBe(400)
    },
  )

  test('ignore forwarded headers of strangers', async () => {
    const headers = { Host: 'inner', 'X-Forwarded-Host': 'outer.example', 'X-Forwarded-Proto': 'https' }
    expect(await linkOf(garden, headers)).toBe('http://inner')
  })

  test('follow the forwarded headers of a trusted proxy', async () => {
    const proxied = await startServer(dataDir, { trustedProxies: '10.0.0.0/8, 127.0.0.0/8' })
    const forwarded = { Host: 'inner', 'X-Forwarded-Proto': 'https' }
    expect(await linkOf(proxied, { ...forwarded, 'X-Forwarded-Host': 'outer.example, mid' })).toBe(
      'https://outer.example',
    )
    expect(await linkOf(proxied, forwarded)).toBe('https://inner')
    expect(await linkOf(proxied, { ...forwarded, 'X-Forwarded-Host': '"bad"' })).toBe('https://inner')
  })

  test('begin with the public URL where one is set', async () => {
    const published = await startServer(dataDir, { publicUrl: 'https://wiki.example/w/rest.php/' })
    expect(await linkOf(published, { Host: 'inner' })).toBe('https://wiki.example/w/rest.php')
  })
})
