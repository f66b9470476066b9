/**
 * What the libraries take for a request, over sockets: the table of framingCases.ts, and the differences that operations.md lists.
 * uWebSockets.js may take less or read it otherwise, but never finds a request within a body.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DriverHandlers, MakeDriver } from '../../../src/http/socket/driver.js'
import { NetDriver } from '../../../src/http/socket/net/netDriver.js'
import { afterFile } from '../../support/cleanUp.js'
import { rounds } from '../../support/effort.js'
import { randomNumbers } from '../../support/random.js'
import { echo, get, NEXT, NEXT_SEEN, post, readAnswers, REFUSED, TAKEN } from './framingCases.js'

const OPERATIONS = join(import.meta.dirname, '../../../docs/operations.md')
const HANDLERS: DriverHandlers = { get: echo, other: echo, connections: () => undefined }

const uws = await import('../../../src/http/socket/uws/uwsDriver.js').catch(() => undefined)
const isSound = (await uws?.answersCutRequest()) === true

async function start(makeDriver: MakeDriver): Promise<number> {
  const driver = makeDriver(HANDLERS)
  afterFile(() => driver.close())
  return driver.listen({ host: '127.0.0.1', port: 0, isShared: false })
}

const netPort = await start((handlers) => new NetDriver(handlers))
const uwsPort = uws && (await start((handlers) => new uws.UwsDriver(handlers)))

/**
 * Sends segments, each when the one before has left, and returns what the client sees. It ends its side behind the bytes, or
 * when the answer to NEXT is there: uWebSockets.js closes connections whose client ends early.
 */
function converse(port: number, segments: readonly Buffer[], endsWith?: typeof NEXT_SEEN): Promise<string[]> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => undefined)
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      if (endsWith !== undefined && received.endsWith(endsWith)) socket.end()
    })
    socket.on('close', () => resolve(readAnswers(received)))
    const send = (n: number): void => {
      if (n < segments.length) socket.write(segments[n]!, () => setImmediate(send, n + 1))
      else if (endsWith === undefined) socket.end()
    }
    send(0)
  })
}

const whole = (port: number, text: string): Promise<string[]> => converse(port, [Buffer.from(text, 'latin1')])

describe('over a socket, node:net', () => {
  test.each(TAKEN)('takes %s', async (_name, bytes, seen) => {
    expect(await whole(netPort, bytes + NEXT)).toEqual([seen, NEXT_SEEN])
  })

  test.each(REFUSED)('refuses %s', async (_name, bytes, status) => {
    expect(await whole(netPort, bytes + NEXT)).toEqual([String(status)])
  })
})

describe.runIf(uwsPort !== undefined)('over a socket, uWebSockets.js (needs a binary)', () => {
  test.each([...TAKEN, ...REFUSED])('finds no request within %s', async (_name, bytes, seen) => {
    const answers = await whole(uwsPort!, bytes + NEXT)
    expect(answers.filter((answer) => answer.startsWith('GET /hidden'))).toEqual([])
    // What it takes, it takes as `node:net` does.
    if (typeof seen === 'string' && answers[0]?.startsWith(seen.split('|', 1)[0]!)) {
      expect(bodyOf(answers[0])).toBe(bodyOf(seen))
    }
  })
})

const bodyOf = (seen: string): string => seen.slice(seen.indexOf('|body='))

/** Libraries that a server may choose itself. */
const CHOSEN = [['node:net', netPort] as const, ...(isSound ? [['uWebSockets.js', uwsPort!] as const] : [])]

test.each(CHOSEN)(
  'requests in any segments have the answers of one piece, over a socket of %s',
  async (_name, port) => {
    const random = randomNumbers(20_261)
    // uWebSockets.js refuses some, whole or cut.
    const taken: string[] = []
    for (const [, bytes, seen] of TAKEN) {
      const answers = await whole(port, bytes + NEXT)
      if (answers[0] === seen && answers[1] === NEXT_SEEN) taken.push(bytes)
    }
    expect(taken.length).toBeGreaterThan(TAKEN.length / 2)
    for (let round = 0; round < rounds(2000, 200); round++) {
      const chosen = Array.from(
        { length: 1 + Math.floor(random() * 4) },
        () => taken[Math.floor(random() * taken.length)]!,
      )
      const bytes = Buffer.from([...chosen, NEXT].join(''), 'latin1')
      const segments: Buffer[] = []
      for (let at = 0; at < bytes.length;) {
        const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 2 * 200))
        segments.push(bytes.subarray(at, end))
        at = end
      }
      const sent = segments.map((segment) => segment.toString('latin1'))
      const answers = await converse(port, segments, NEXT_SEEN)
      expect(answers, JSON.stringify(sent)).toEqual(await converse(port, [bytes], NEXT_SEEN))
      expect(answers).toHaveLength(chosen.length + 1)
    }
  },
)

/**
 * Rows of the table in operations.md: a request, and what a client sees of `node:net` and of uWebSockets.js; undefined where it
 * depends on the binary.
 */
const DIFFERENCES: readonly (readonly [
  row: string,
  bytes: string,
  byNet: string[],
  byUws: string[] | undefined,
])[] = [
  [
    'request line and headers above the limit',
    get(`Y: ${'a'.repeat(8000)}\r\n`),
    ['GET /|host=h|x=|body=', NEXT_SEEN],
    ['431'],
  ],
  [
    'an absolute URL in the request line',
    get('', 'http://o/a'),
    ['GET /a|host=o|x=|body=', NEXT_SEEN],
    ['505'],
  ],
  ['a NUL, or no slash at the start', get('', 'a'), ['400'], ['505']],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\nHost: h\r\n\r\n', ['GET /|host=h|x=|body='], ['505']],
  ['`CONNECT`', 'CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n', ['405'], ['505']],
  [
    'a `Host` that is none',
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    ['400'],
    ['GET /|host=a b|x=|body=', NEXT_SEEN],
  ],
  [
    'two `Content-Length`',
    post('Content-Length: 1\r\nContent-Length: 2\r\n', 'a'),
    ['400'],
    [`POST /|host=h|x=|body=a`, NEXT_SEEN],
  ],
  ['a bare CR or LF, a folded line, a blank before a colon', get('X : a\r\n'), ['400'], undefined],
  [
    'trailers behind chunks',
    post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\nX: y\r\n\r\n'),
    ['POST /|host=h|x=|body=a', NEXT_SEEN],
    undefined,
  ],
  [
    '`Transfer-Encoding` other than `chunked`',
    post('Transfer-Encoding: gzip, chunked\r\n', ''),
    ['501'],
    ['400'],
  ],
  [
    'a repeated header',
    get('X: a\r\nX: b\r\n'),
    ['GET /|host=h|x=a, b|body=', NEXT_SEEN],
    ['GET /|host=h|x=a|body=', NEXT_SEEN],
  ],
]
/** Another test shows it, since it takes a slow answer: test/conformance/hostile.test.ts. */
const SHOWN_ELSEWHERE = ['the next request before a slow answer is sent']

describe('a difference between the libraries that operations.md names', () => {
  test.each(DIFFERENCES)('%s', async (_row, bytes, byNet, byUws) => {
    expect(await whole(netPort, bytes + NEXT)).toEqual(byNet)
    if (uwsPort === undefined || byUws === undefined) return
    expect(await whole(uwsPort, bytes + NEXT)).toEqual(byUws)
  })

  test('is each of the table', () => {
    const table = readFileSync(OPERATIONS, 'utf8').split('| request | `node:net` |')[1]!.split('\n\n')[0]!
    const rows = [...table.matchAll(/^\| (.+?) \|/gm)].map(([, row]) => row)
    expect(rows.toSorted()).toEqual([...DIFFERENCES.map(([row]) => row), ...SHOWN_ELSEWHERE].toSorted())
  })
})
