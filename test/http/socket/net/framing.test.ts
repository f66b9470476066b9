/**
 * What the driver on `node:net` takes for a request, by RFC 9112: a table of requests with what is answered, each in one piece
 * and cut in all places. The answer names method, path and body, so that a request in the body of another would show.
 */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { NetConnection } from '../../../../src/http/socket/net/netConnection.js'
import { Outbox } from '../../../../src/http/socket/net/outbox.js'
import { randomNumbers } from '../../../support/random.js'
import { rounds } from '../../../support/effort.js'
import { echo, get, NEXT, NEXT_SEEN, post, readAnswers, REFUSED, TAKEN } from '../framingCases.js'

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
  const seen = readAnswers(sent)
  return hasEnded ? [...seen, 'end'] : seen
}

const whole = (text: string): string[] => converse([Buffer.from(text, 'latin1')])

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
