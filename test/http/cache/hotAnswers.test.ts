import { describe, expect, test } from 'vitest'
import { RouteMeter } from '../../../src/http/access/requestMeters.js'
import { type HotAnswer, HotAnswerRoom, HotAnswers } from '../../../src/http/cache/hotAnswers.js'
import type { ReadyReply, Reuse } from '../../../src/http/reply/reply.js'
import { RequestIds } from '../../../src/http/request/requestId.js'

const NOW = 1_700_000_000_000
const HOST = 'http://here'
const METER = new RouteMeter({ method: 'GET', route: '/page' }, [])
const NO_VALIDATORS: Reuse['validators'] = { etag: undefined, lastModified: undefined }

interface Cache {
  readonly answers: HotAnswers
  /** Asks twice, as the first request of a URL is only remembered. */
  readonly keep: (reuse?: Partial<Reuse>) => void
  readonly find: (generation: number, baseUrl?: string) => HotAnswer | undefined
  settings: object
  nowMs: number
}

function openCache(capacityBytes = 100_000): Cache {
  const cache: { settings: object; nowMs: number } = { settings: {}, nowMs: NOW }
  const answers = new HotAnswers(() => cache.settings, {
    room: new HotAnswerRoom(capacityBytes),
    frame: { beforeId: '\r\nX-Request-Id: ', afterId: '\r\nServer: x' },
    requestIds: new RequestIds(),
    clock: { nowMs: () => cache.nowMs },
  })
  return Object.assign(cache, {
    answers,
    keep: (reuse: Partial<Reuse> = {}) => {
      const reply = {
        status: 200,
        headers: '\r\nContent-Type: text/plain',
        body: Buffer.from('sun'),
        reuse: { validators: NO_VALIDATORS, ...reuse },
      }
      for (let n = 0; n < 2; n++)
        answers.keep({ key: '/sun', generation: 1, settings: cache.settings }, reply, METER, HOST)
    },
    find: (generation: number, baseUrl = HOST) => answers.find('/sun', generation, () => baseUrl),
  })
}

const textOf = (answer: HotAnswer | undefined): string | undefined =>
  answer && Buffer.from(answer.body).toString()

describe('a ready answer', () => {
  test('is kept at the second request of its URL', () => {
    const { answers, find, settings } = openCache()
    const reply = { status: 200, headers: '', body: Buffer.from('sun'), reuse: { validators: NO_VALIDATORS } }
    const request = { key: '/sun', generation: 1, settings }
    answers.keep(request, reply, METER, HOST)
    expect(find(1)).toBeUndefined()
    answers.keep(request, reply, METER, HOST)
    expect(textOf(find(1))).toBe('sun')
    expect([answers.hits, answers.rechecks, answers.misses]).toEqual([1, 0, 1])
  })

  test('without a check is gone after any write, and does not come back', () => {
    const { keep, find } = openCache()
    keep()
    expect(find(2)).toBeUndefined()
    expect(find(1)).toBeUndefined()
  })

  test('with a check is good as long as that says so, and is asked once for each generation', () => {
    const cache = openCache()
    const asked: boolean[] = []
    let isGood = true
    cache.keep({ isCurrent: () => (asked.push(isGood), isGood) })
    expect([textOf(cache.find(2)), textOf(cache.find(2)), asked.length]).toEqual(['sun', 'sun', 1])
    isGood = false
    expect(cache.find(3)).toBeUndefined()
    expect([cache.answers.hits, cache.answers.rechecks, cache.answers.misses]).toEqual([1, 1, 1])
  })

  test('watches only once it is kept', () => {
    const cache = openCache()
    let watched = 0
    cache.keep({ watch: () => (watched++, () => true) })
    expect([watched, textOf(cache.find(5))]).toEqual([1, 'sun'])
  })

  test('ends with the settings that it was made with', () => {
    const cache = openCache()
    cache.keep({ isCurrent: () => true })
    cache.settings = {}
    expect(cache.find(1)).toBeUndefined()
  })

  test('made with settings that have changed meanwhile is not kept', () => {
    const cache = openCache()
    const before = cache.settings
    cache.settings = {}
    const reply = { status: 200, headers: '', body: Buffer.from('sun'), reuse: { validators: NO_VALIDATORS } }
    for (let n = 0; n < 2; n++)
      cache.answers.keep({ key: '/sun', generation: 1, settings: before }, reply, METER, HOST)
    expect(cache.find(1)).toBeUndefined()
  })

  test('that names its host serves that host alone', () => {
    const cache = openCache()
    cache.keep({ namesHost: true })
    expect(textOf(cache.find(1))).toBe('sun')
    expect(cache.find(1, 'http://there')).toBeUndefined()
  })

  test('has an end of its own', () => {
    const cache = openCache()
    cache.keep({ goodUntilMs: NOW + 1000 })
    cache.nowMs = NOW + 999
    expect(textOf(cache.find(1))).toBe('sun')
    cache.nowMs = NOW + 1000
    expect(cache.find(1)).toBeUndefined()
  })

  test.each<[string, ReadyReply]>([
    [
      'another status',
      { status: 404, headers: '', body: Buffer.from('x'), reuse: { validators: NO_VALIDATORS } },
    ],
    ['no permission to be used again', { status: 200, headers: '', body: Buffer.from('x') }],
    ['no bytes', { status: 200, headers: '', body: undefined, reuse: { validators: NO_VALIDATORS } }],
  ])('with %s is not kept', (_why, reply) => {
    const { answers, find, settings } = openCache()
    for (let n = 0; n < 2; n++) answers.keep({ key: '/sun', generation: 1, settings }, reply, METER, HOST)
    expect(find(1)).toBeUndefined()
  })

  test('has a head with an id of the server, another one each time, or with that of a proxy', () => {
    const { answers, keep, find } = openCache()
    keep()
    const answer = find(1)!
    const head = (id?: string): string => Buffer.from(answers.headFor(answer, id)).toString()
    const wanted = /^200 OK\r\nX-Request-Id: ([0-9a-f]+)\r\nServer: x\r\nContent-Type: text\/plain$/
    const [first, second] = [head(), head()].map((text) => wanted.exec(text)?.[1])
    expect(first).toBeDefined()
    expect(second).not.toBe(first)
    expect(Buffer.from(answers.stampedId(answer)).toString()).toBe(second)
    expect(head('one-of-a-proxy')).toContain('X-Request-Id: one-of-a-proxy\r\n')
    expect(head('two-of-a-proxy')).toContain('X-Request-Id: two-of-a-proxy\r\n')
    expect(head('longer-than-these')).toContain('X-Request-Id: longer-than-these\r\n')
  })
})

test('no room keeps no answer', () => {
  const { keep, find } = openCache(0)
  keep()
  expect(find(1)).toBeUndefined()
})
