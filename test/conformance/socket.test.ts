/** Requests that only raw sockets can send, and the exact bytes of their answers. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { servesByUws, startGarden, startServer, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

const ends = (received: string): boolean => received.endsWith('}')
const get = (target: string, headers = 'Host: x\r\n'): Buffer =>
  Buffer.from(`GET ${target} HTTP/1.1\r\n${headers}\r\n`, 'latin1')

describe('a request line as clients should not send it', () => {
  test.each([
    ['raw UTF-8', '/v1/page/Caf\xc3\xa9_au_jardin', 200],
    ['raw Latin-1', '/v1/page/Caf\xe9', 404],
    ['a broken escape', '/v1/page/100%_%22natural%22%3F', 200],
    ['an escape cut short', '/v1/page/Compost%', 404],
    ['quotes and angle brackets', '/v1/page/"<b>"', 404],
    ['dot segments, which are no steps', '/v1/page/../page/Compost', 404],
    ['a fragment', '/v1/page/Rain_barrel#x', 200],
  ])('%s', async (_case, target, status) => {
    const answer = await garden.raw(get(target), ends)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test.each([
    ['a raw NUL', '/v1/page/a\0b', 400],
    ['an absolute URL', 'http://x/v1/page/Compost', 200],
    ['no slash', 'v1/page/Compost', 400],
  ])('%s is what RFC 9112 says by node:net, and refused by uWebSockets.js', async (_case, target, status) => {
    const answer = await garden.raw(get(target, 'Host: x\r\nConnection: close\r\n'), () => false)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${servesByUws ? 505 : status} `))
  })

  test('headers above the limit of the library are refused by it', async () => {
    const bytes = servesByUws ? 5000 : 17_000
    const answer = await garden.raw(
      get('/v1/page/Compost', `Host: x\r\nX: ${'x'.repeat(bytes)}\r\n`),
      () => false,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })

  test.each([
    ['an unknown method', 'FOO /v1/page/Compost HTTP/1.1\r\nHost: x\r\n', 405, 405],
    ['TRACE', 'TRACE /v1/page/Compost HTTP/1.1\r\nHost: x\r\n', 405, 405],
    ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n', 505, 405],
    ['no Host', 'GET /v1/page/Compost HTTP/1.1\r\nAccept: x\r\n', 400, 400],
    ['HTTP/1.0', 'GET /v1/page/Compost HTTP/1.0\r\nHost: x\r\n', 505, 200],
    ['HTTP/2.0', 'GET /v1/page/Compost HTTP/2.0\r\nHost: x\r\n', 505, 505],
    [
      'two lengths',
      'PUT /v1/page/Compost HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n',
      415,
      400,
    ],
    [
      'a length and chunks',
      'PUT /v1/page/Compost HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n',
      400,
      400,
    ],
    [
      'no protocol that is spoken',
      'GET /v1/page/Compost HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
      200,
      200,
    ],
  ])('%s gets what the library, or the server, has for it', async (_case, head, statusOfUws, statusOfNet) => {
    const answer = await garden.raw(`${head}\r\n`, (received) => received.includes('\r\n\r\n'))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${servesByUws ? statusOfUws : statusOfNet} `))
  })
})

describe('a Host header as clients should not send it', () => {
  test.each(['a"b', 'a b', '<x>', 'x/y', '\xff\xfe', 'x, y'])('%s does not reach a link', async (host) => {
    const bytes = get('/v1/page/Compost/bare', `Host: ${host}\r\n`)
    const answer = await garden.raw(bytes, (received) => ends(received) || received.includes(' 400 '))
    if (servesByUws) expect(answer).toContain(`"html_url":"${garden.base}/v1/page/Compost/html"`)
    else expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('one connection', () => {
  test('goes on after a HEAD, a 304, a 204, a 412 and an error', async () => {
    const requests = [
      'HEAD /v1/page/Compost HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /v1/page/Compost HTTP/1.1\r\nHost: x\r\nIf-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n\r\n',
      'OPTIONS /v1/page/Compost HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /v1/page/Compost HTTP/1.1\r\nHost: x\r\nIf-Match: "x"\r\n\r\n',
      'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /v1/revision/201 HTTP/1.1\r\nHost: x\r\n\r\n',
    ]
    const answer = await garden.raw(requests.join(''), (received) => received.includes('Rain is free.'))
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([
      '200',
      '304',
      '204',
      '412',
      '404',
      '200',
    ])
  })

  test('is answered when an empty body has its head in two segments', async () => {
    const line = 'PUT /v1/page/Compost HTTP/1.1\r\n'
    const head = `${line}Host: x\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n`
    const next = 'GET /v1/revision/201 HTTP/1.1\r\nHost: x\r\n\r\n'
    for (let at = line.length; at < head.length; at += 7) {
      const socket = connect({ port: garden.port, host: '127.0.0.1', noDelay: true })
      await once(socket, 'connect')
      let received = ''
      const isWhole = new Promise<void>((resolve) => {
        socket.on('close', resolve).on('data', (bytes: Buffer) => {
          received += bytes.toString()
          if (received.includes('Rain is free.')) socket.destroy()
        })
      })
      socket.write(head.slice(0, at))
      // Another request shows that the server has read the first segment.
      await garden.send('/healthz')
      socket.write(head.slice(at) + next)
      await isWhole
      expect(received, `cut at ${at}`).toMatch(/^HTTP\/1\.1 400 [^]*HTTP\/1\.1 200 OK/)
    }
  })

  test.each([
    ['with a length', 'Content-Length: 11\r\n\r\n{"a":"b c"}'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n8\r\n":"b c"}\r\n0\r\n\r\n'],
  ])('is answered before a body %s is used, and goes on after it', async (_case, rest) => {
    const sent = `PUT /v1/page/Compost/bare HTTP/1.1\r\nHost: x\r\n${rest}GET /v1/revision/201 HTTP/1.1\r\nHost: x\r\n\r\n`
    const answer = await garden.raw(sent, (received) => received.includes('Rain is free.'))
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
    expect(answer).toContain('HTTP/1.1 200 OK')
  })
})

describe('bodies of many sizes', () => {
  const SIZES = [0, 1, 100, 1000, 4000, 20_000, 65_000, 65_600, 200_000, 1_048_000, 1_100_000, 3_000_000]
  /** Texts that differ in every part, so that bytes of another page would show. */
  const textOf = (size: number): string => {
    const word = `${size}é `
    return word
      .repeat(Math.ceil(size / word.length))
      .slice(0, size)
      .trimEnd()
  }
  let sized: TestServer

  beforeAll(async () => {
    const pages = SIZES.map((size, index) =>
      page(index + 1, `Size_${size}`, [revision(index + 1, textOf(size))]),
    )
    sized = await startServer(await folderWith(pages))
  })

  const expectedBody = (size: number, index: number): Buffer =>
    Buffer.from(
      JSON.stringify({
        id: index + 1,
        key: `Size_${size}`,
        title: `Size ${size}`,
        latest: {
          id: index + 1,
          timestamp: new Date(Date.UTC(2021, 0, 1) + (index + 1) * 1000).toISOString().replace('.000', ''),
        },
        content_model: 'wikitext',
        source: textOf(size),
        license: { url: '', title: '' },
      }),
    )

  test('come back byte for byte, whatever is asked for at the same time', async () => {
    const rounds = Array.from({ length: 5 }, () => SIZES).flat()
    const answers = await Promise.all(rounds.map((size) => sized.send(`/v1/page/Size_${size}`)))
    answers.forEach(({ bytes, headers }, n) => {
      const expected = expectedBody(rounds[n]!, n % SIZES.length)
      expect(Number(headers['content-length'])).toBe(expected.length)
      expect(bytes.equals(expected)).toBe(true)
    })
  })

  test('come back byte for byte and in order on one connection without waiting', async () => {
    const sizes = [4000, 1, 65_600, 0, 20_000, 100, 65_000]
    const sent = sizes.map((size) => get(`/v1/page/Size_${size}`))
    const bodies = sizes.map((size) => expectedBody(size, SIZES.indexOf(size)).toString('latin1'))
    const answer = await sized.raw(Buffer.concat(sent), (received) =>
      bodies.every((body) => received.includes(body)),
    )
    const received = answer.split(/HTTP\/1\.1 200 OK\r\n/).slice(1)
    expect(received.map((one) => one.slice(one.indexOf('\r\n\r\n') + 4))).toEqual(bodies)
  })

  test('come back whole to a client that reads late', async () => {
    const socket = connect(sized.port, '127.0.0.1')
    socket.write(get('/v1/page/Size_3000000'))
    // The first bytes are here: the server has written all that the socket takes, and waits.
    await once(socket, 'readable')
    const expected = expectedBody(3_000_000, SIZES.length - 1)
    let received = Buffer.alloc(0)
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      if (received.length >= received.indexOf('\r\n\r\n') + 4 + expected.length) break
    }
    expect(received.subarray(received.indexOf('\r\n\r\n') + 4).equals(expected)).toBe(true)
  })

  test('are not heaped up for a client that asks on without reading', async () => {
    const socket = connect(sized.port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    const last = get('/v1/page/Size_3000000', 'Host: x\r\nConnection: close\r\n')
    socket.write(Buffer.concat([...Array.from({ length: 49 }, () => get('/v1/page/Size_3000000')), last]))
    await once(socket, 'readable')
    const figures = (await sized.send('/metrics')).bytes.toString()
    const waitingBytes = Number(/^palimpsest_http_waiting_bytes (\d+)$/m.exec(figures)![1])
    expect(waitingBytes).toBeLessThan(2 * 3_000_000)
    // uWebSockets.js closes the connection: only bytes in flight arrive. node:net sends one answer after another.
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    await closed
    if (servesByUws) expect(received).toBeLessThan(50 * 3_000_000)
    else expect(received).toBeGreaterThan(50 * 3_000_000)
  })
})
