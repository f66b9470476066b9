/**
 * What the driver on `node:net` takes for a request, by RFC 9112: a table of requests with what is answered, each in one piece
 * and cut in all places. The answer names method, path and body, so that a request in the body of another would show.
 */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { NativeRequest, NativeResponse } from '../../../../src/http/socket/driver.js'
import { NetConnection } from '../../../../src/http/socket/net/netConnection.js'
import { Outbox } from '../../../../src/http/socket/net/outbox.js'
import { randomNumbers } from '../../../support/random.js'
import { rounds } from '../../../support/effort.js'

/** Answers with what it understood. */
function echo(response: NativeResponse, request: NativeRequest): void {
  const query = request.getQuery()
  const line = `${request.getCaseSensitiveMethod()} ${request.getUrl()}${query === undefined ? '' : ` ?${query}`}`
  const parts = [line, `host=${request.getHeader('host')}`, `x=${request.getHeader('x')}`]
  let body = ''
  const answer = (): void => {
    response.writeStatus('200 OK')
    response.end([...parts, `body=${body}`].join('|'))
  }
  const hasBody = request.getHeader('content-length') !== '' || request.getHeader('transfer-encoding') !== ''
  if (!hasBody) return answer()
  response.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString('latin1')
    if (isLast) answer()
  })
}

/** Sends segments over a connection, and returns what its client sees: bodies of 200, other statuses, and the end. */
function converse(segments: readonly Buffer[]): string[] {
  let sent = ''
  let hasEnded = false
  const socket = {
    destroyed: false,
    writableLength: 0,
    write: (bytes: Buffer | string, encoding?: unknown) => {
      sent += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
      if (typeof encoding === 'function') throw new Error('nothing waits for this client')
      return true
    },
    end: () => (hasEnded = true),
    destroy: () => (hasEnded = true),
    pause: () => undefined,
    resume: () => undefined,
    isPaused: () => false,
  }
  const handlers = { get: echo, other: echo, connections: () => undefined }
  const shared = { handlers, outbox: new Outbox(), nowMs: 0 }
  const connection = new NetConnection(socket as unknown as Socket, shared)
  for (const segment of segments) connection.take(Buffer.from(segment))
  const seen: string[] = []
  for (let rest = sent; rest !== '';) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1] ?? 0)
    const body = rest.slice(head.length + 4, head.length + 4 + length)
    const status = head.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
    seen.push(status === '200' ? Buffer.from(body, 'latin1').toString() : status)
    rest = rest.slice(head.length + 4 + length)
  }
  return hasEnded ? [...seen, 'end'] : seen
}

const whole = (text: string): string[] => converse([Buffer.from(text, 'latin1')])

const NEXT = 'GET /next HTTP/1.1\r\nHost: h\r\n\r\n'
const NEXT_SEEN = 'GET /next|host=h|x=|body='
const get = (lines: string, target = '/'): string => `GET ${target} HTTP/1.1\r\nHost: h\r\n${lines}\r\n`
const post = (lines: string, body: string): string => `POST / HTTP/1.1\r\nHost: h\r\n${lines}\r\n${body}`
const posted = (body: string): string => `POST /|host=h|x=|body=${body}`

const TAKEN: readonly (readonly [name: string, bytes: string, seen: string])[] = [
  ['a plain request', get(''), 'GET /|host=h|x=|body='],
  ['a query', get('', '/a?b=c'), 'GET /a ?b=c|host=h|x=|body='],
  ['an empty query', get('', '/a?'), 'GET /a ?|host=h|x=|body='],
  [
    'an absolute target, whose host counts',
    get('', 'http://other:80/a?b'),
    'GET /a ?b|host=other:80|x=|body=',
  ],
  ['an absolute target without a path', get('', 'http://other'), 'GET /|host=other|x=|body='],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n', 'OPTIONS *|host=h|x=|body='],
  ['empty lines before it', `\r\n\r\n${get('')}`, 'GET /|host=h|x=|body='],
  ['blanks around a value', get('X: \t a b \t\r\n'), 'GET /|host=h|x=a b|body='],
  ['an empty value', get('X:\r\n'), 'GET /|host=h|x=|body='],
  ['lines of the same name', get('X: a\r\nx: b\r\nX: c\r\n'), 'GET /|host=h|x=a, b, c|body='],
  ['UTF-8 in a value', get('X: \xc3\xa9\r\n'), 'GET /|host=h|x=é|body='],
  ['a body with a length', post('Content-Length: 3\r\n', 'abc'), posted('abc')],
  ['a body that looks like a request', post(`Content-Length: ${NEXT.length}\r\n`, NEXT), posted(NEXT)],
  ['a body of no bytes', post('Content-Length: 0\r\n', ''), posted('')],
  [
    'chunks',
    post('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'),
    posted('abc0123456789'),
  ],
  ['no chunks', post('Transfer-Encoding: chunked\r\n', '0\r\n\r\n'), posted('')],
  [
    'a chunk with zeros before its size',
    post('Transfer-Encoding: Chunked\r\n', '0003\r\nabc\r\n000\r\n\r\n'),
    posted('abc'),
  ],
  [
    'extensions of chunks',
    post('Transfer-Encoding: chunked\r\n', '3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n'),
    posted('abc'),
  ],
  ['trailers', post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\nX: y\r\nZ: w\r\n\r\n'), posted('a')],
  ['Connection: keep-alive', get('Connection: keep-alive\r\n'), 'GET /|host=h|x=|body='],
]

const REFUSED: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ['a bare LF at the end of the line', 'GET / HTTP/1.1\nHost: h\r\n\r\n', 400],
  ['a bare CR in the line', 'GET /\r HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a bare LF in a header', get('X: a\nY: b\r\n'), 400],
  ['a bare CR in a header', get('X: a\rY: b\r\n'), 400],
  ['a NUL in a header', get('X: a\0b\r\n'), 400],
  ['a control character in the target', get('', '/a\x01'), 400],
  ['a blank in the target', get('', '/a b'), 400],
  ['a tab for a blank', 'GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['two blanks', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a blank before the method', ' GET / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a method with a bracket', 'G(T / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a target without a slash', get('', 'a'), 400],
  ['another scheme', get('', 'ftp://other/'), 400],
  ['no version', 'GET /\r\n\r\n', 400],
  ['a version in lower case', 'GET / http/1.1\r\nHost: h\r\n\r\n', 400],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: h\r\n\r\n', 505],
  ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: h\r\n\r\n', 505],
  ['CONNECT', 'CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n', 405],
  ['no Host', 'GET / HTTP/1.1\r\nX: a\r\n\r\n', 400],
  ['two Hosts', get('Host: h\r\n'), 400],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: h/a\r\n\r\n', 400],
  ['a blank before a colon', get('X : a\r\n'), 400],
  ['a folded line', get('X: a\r\n b\r\n'), 400],
  ['a blank before the first header', 'GET / HTTP/1.1\r\n Host: h\r\n\r\n', 400],
  ['a line without a colon', get('X\r\n'), 400],
  ['a name of no characters', get(': a\r\n'), 400],
  ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'), 400],
  ['the same length twice', post('Content-Length: 1\r\nContent-Length: 1\r\n', 'a'), 400],
  ['a list of lengths', post('Content-Length: 1, 1\r\n', 'a'), 400],
  ['a length with a sign', post('Content-Length: +1\r\n', 'a'), 400],
  ['a negative length', post('Content-Length: -1\r\n', 'a'), 400],
  ['a length in hexadecimal', post('Content-Length: 0x1\r\n', 'a'), 400],
  ['a length without digits', post('Content-Length:\r\n', ''), 400],
  ['a length beyond all bounds', post('Content-Length: 9999999999999999\r\n', 'a'), 400],
  ['a length and chunks', post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['chunks twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), 501],
  [
    'chunks in two lines',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    501,
  ],
  ['another coding and chunks', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 501],
  ['chunks that are not last', post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'), 400],
  ['no coding', post('Transfer-Encoding: identity\r\n', ''), 400],
  ['a coding with a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'), 400],
  ['a coding in quotes', post('Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'), 400],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['a chunk without a size', post('Transfer-Encoding: chunked\r\n', '\r\nabc\r\n0\r\n\r\n'), 400],
  ['a size that is no number', post('Transfer-Encoding: chunked\r\n', 'g\r\n'), 400],
  ['a size with a prefix', post('Transfer-Encoding: chunked\r\n', '0x1\r\na\r\n'), 400],
  ['a size with a sign', post('Transfer-Encoding: chunked\r\n', '+1\r\na\r\n'), 400],
  ['a size with a blank', post('Transfer-Encoding: chunked\r\n', '1 \r\na\r\n'), 400],
  ['a size beyond all bounds', post('Transfer-Encoding: chunked\r\n', 'fffffffffffffff\r\n'), 400],
  ['a size that ends with LF', post('Transfer-Encoding: chunked\r\n', '1\na\r\n'), 400],
  ['an extension with LF', post('Transfer-Encoding: chunked\r\n', '1;a\nb\r\na\r\n'), 400],
  ['a chunk longer than its size', post('Transfer-Encoding: chunked\r\n', '1\r\nab\r\n0\r\n\r\n'), 400],
  ['a chunk that ends with LF', post('Transfer-Encoding: chunked\r\n', '1\r\na\n0\r\n\r\n'), 400],
  ['a trailer with LF', post('Transfer-Encoding: chunked\r\n', '0\r\nX: a\nY: b\r\n\r\n'), 400],
  ['another expectation', get('Expect: tea\r\n'), 417],
]

describe('a request is taken', () => {
  test.each(TAKEN)('%s', (_name, bytes, seen) => {
    expect(whole(bytes + NEXT)).toEqual([seen, NEXT_SEEN])
    const both = Buffer.from(bytes + NEXT, 'latin1')
    for (let at = 1; at < both.length; at++) {
      expect(converse([both.subarray(0, at), both.subarray(at)]), `cut at ${at}`).toEqual([seen, NEXT_SEEN])
    }
  })
})

describe('a request is refused, with all that follows it', () => {
  test.each(REFUSED)('%s', (_name, bytes, status) => {
    const seen = [String(status), 'end']
    expect(whole(bytes + NEXT)).toEqual(seen)
    expect(whole(NEXT + bytes)).toEqual([NEXT_SEEN, ...seen])
    const both = Buffer.from(bytes + NEXT, 'latin1')
    for (let at = 1; at < both.length; at++) {
      expect(converse([both.subarray(0, at), both.subarray(at)]), `cut at ${at}`).toEqual(seen)
    }
  })

  test.each([
    ['a line', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: h\r\n\r\n`],
    ['a header', get(`X: ${'a'.repeat(17_000)}\r\n`)],
    ['all headers', get('X: a\r\n'.repeat(3000))],
    ['a head without an end', `GET /${'a'.repeat(17_000)}`],
  ])('%s above 16 KiB', (_name, bytes) => {
    expect(whole(bytes)).toEqual(['431', 'end'])
    expect(converse(Array.from(bytes, (unit) => Buffer.from(unit)))).toEqual(['431', 'end'])
  })

  test('more than 4 KiB of trailers', () => {
    const trailers = 'X: aaaaaaaaaaaaaaaa\r\n'.repeat(300)
    expect(whole(post('Transfer-Encoding: chunked\r\n', `0\r\n${trailers}\r\n`))).toEqual(['400', 'end'])
  })
})

describe('the connection ends after the answer', () => {
  test.each([
    ['Connection: close', get('Connection: close\r\n'), 'GET /|host=h|x=|body='],
    ['close in a list', get('Connection: x, Close\r\n'), 'GET /|host=h|x=|body='],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 'GET /|host=|x=|body='],
  ])('%s', (_name, bytes, seen) => {
    expect(whole(bytes + NEXT)).toEqual([seen, 'end'])
  })

  test('but not of HTTP/1.0 with keep-alive', () => {
    const old = 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'
    expect(whole(old + NEXT)).toEqual(['GET /|host=|x=|body=', NEXT_SEEN])
  })
})

test('requests in any segments have the answers of one piece', () => {
  const random = randomNumbers(20_260)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  for (let round = 0; round < rounds(20_000, 2000); round++) {
    const chosen = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
      random() < 0.9 ? pick(TAKEN) : pick(REFUSED),
    )
    const bytes = Buffer.from(chosen.map(([, text]) => text).join(''), 'latin1')
    const segments: Buffer[] = []
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 3 * 120))
      segments.push(bytes.subarray(at, end))
      at = end
    }
    expect(converse(segments), JSON.stringify(bytes.toString('latin1'))).toEqual(converse([bytes]))
  }
})
