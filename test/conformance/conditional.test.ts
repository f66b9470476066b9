import { beforeAll, describe, expect, test } from 'vitest'
import { startGarden, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

const SAME_TIME = 'Mon, 25 Mar 2024 08:25:00 GMT'
const EARLIER = 'Sun, 24 Mar 2024 08:25:00 GMT'
const LATER = 'Tue, 26 Mar 2024 08:25:00 GMT'
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT'

/** Paths of one page at its latest revision, all with a tag and the time SAME_TIME. */
const TAGGED = [
  '/v1/page/Compost',
  '/v1/page/Compost/bare',
  '/v1/page/Compost/history',
  '/v1/revision/125/bare',
  '/v1/revision/125',
  '/v1/page/Compost/links/language',
]
/** Those whose answers may change without a newer time, by hiding and imports. */
const WITHOUT_TRUE_TIME = ['/v1/page/Compost/history', '/v1/revision/125/bare', '/v1/revision/125']

describe.each(['GET', 'HEAD'])('%s with conditions', (method) => {
  test.each([
    ['If-None-Match with the tag', { 'If-None-Match': 'ETAG' }, 304],
    ['If-None-Match with the weak form of the tag', { 'If-None-Match': 'W/ETAG' }, 304],
    ['If-None-Match with the tag in a list', { 'If-None-Match': '"other", ETAG' }, 304],
    ['If-None-Match with another tag', { 'If-None-Match': '"other"' }, 200],
    ['If-None-Match with *', { 'If-None-Match': '*' }, 200],
    ['If-None-Match without quotes', { 'If-None-Match': 'other' }, 200],
    [
      'If-None-Match with another tag wins over the time',
      { 'If-None-Match': '"other"', 'If-Modified-Since': SAME_TIME },
      200,
    ],
    ['If-Modified-Since with the time', { 'If-Modified-Since': SAME_TIME }, 304],
    ['If-Modified-Since later', { 'If-Modified-Since': LATER }, 304],
    ['If-Modified-Since in the future', { 'If-Modified-Since': FUTURE }, 304],
    ['If-Modified-Since earlier', { 'If-Modified-Since': EARLIER }, 200],
    ['If-Modified-Since that cannot be read', { 'If-Modified-Since': 'yesterday' }, 200],
    ['If-Match with the tag', { 'If-Match': 'ETAG' }, 200],
    ['If-Match with the tag in a list', { 'If-Match': '"other", ETAG' }, 200],
    ['If-Match with *', { 'If-Match': '*' }, 200],
    ['If-Match with another tag', { 'If-Match': '"other"' }, 412],
    ['If-Match with the weak form, which is not strong', { 'If-Match': 'W/ETAG' }, 412],
    ['If-Match wins over If-None-Match', { 'If-Match': '"other"', 'If-None-Match': 'ETAG' }, 412],
    ['If-Match and If-None-Match with the tag', { 'If-Match': 'ETAG', 'If-None-Match': 'ETAG' }, 304],
    ['If-Unmodified-Since with the time', { 'If-Unmodified-Since': SAME_TIME }, 200],
    ['If-Unmodified-Since earlier', { 'If-Unmodified-Since': EARLIER }, 412],
    ['If-Unmodified-Since that cannot be read', { 'If-Unmodified-Since': 'yesterday' }, 200],
  ] as [string, Record<string, string>, number][])('%s', async (_case, headers, status) => {
    for (const path of TAGGED) {
      const etag = String((await garden.send(path)).headers.etag)
      const filled = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('ETAG', etag)]),
      )
      const answer = await garden.send(path, { method, headers: filled })
      const isByTime = status === 304 && !('If-None-Match' in headers)
      const expected = isByTime && WITHOUT_TRUE_TIME.includes(path) ? 200 : status
      expect({ path, status: answer.status }).toEqual({ path, status: expected })
    }
  })
})

describe('an answer without a body', () => {
  test('304 names neither tag nor type nor cache rules', async () => {
    const { headers, bytes } = await garden.send('/v1/page/Compost', {
      headers: { 'If-Modified-Since': SAME_TIME },
    })
    expect(bytes.length).toBe(0)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    for (const name of ['etag', 'cache-control', 'content-type', 'last-modified']) {
      expect(headers[name]).toBeUndefined()
    }
  })

  test('412 is an empty page', async () => {
    const { headers, bytes } = await garden.send('/v1/page/Compost', { headers: { 'If-Match': '"other"' } })
    expect(bytes.length).toBe(0)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=UTF-8', 'content-length': '0' })
  })
})

describe('conditions on what does not exist', () => {
  test.each([
    '/v1/page/Nowhere',
    '/v1/page/A%7Cb/bare',
    '/v1/page/Nowhere/history',
    '/v1/revision/9999/bare',
    '/v1/revision/0',
  ])('%s', async (path) => {
    const statusWith = async (headers: Record<string, string>) =>
      (await garden.send(path, { headers })).status
    expect(await statusWith({ 'If-Match': '*' })).toBe(412)
    expect(await statusWith({ 'If-Match': '"x"' })).toBe(412)
    expect(await statusWith({ 'If-None-Match': '*' })).toBe(404)
    expect(await statusWith({ 'If-None-Match': '"x"' })).toBe(404)
    expect(await statusWith({ 'If-Modified-Since': FUTURE })).toBe(404)
    expect(await statusWith({ 'If-Unmodified-Since': EARLIER })).toBe(404)
  })

  test('are not looked at on an unknown route or with a bad parameter', async () => {
    const headers = { 'If-Match': '"x"' }
    expect(await garden.send('/v1/nothing', { headers })).toMatchObject({ status: 404 })
    expect(await garden.send('/v1/revision/abc', { headers })).toMatchObject({ status: 400 })
  })
})

describe('counts', () => {
  test.each([
    ['the tag', { 'If-None-Match': 'ETAG' }, 304],
    ['the tag for which it must be', { 'If-Match': 'ETAG' }, 200],
    ['another tag', { 'If-None-Match': '"x"' }, 200],
    ['another tag that must match', { 'If-Match': '"x"' }, 412],
    ['the time, after which a part may have been hidden', { 'If-Modified-Since': SAME_TIME }, 200],
    ['an earlier time', { 'If-Modified-Since': EARLIER }, 200],
    ['an earlier time since which nothing may have changed', { 'If-Unmodified-Since': EARLIER }, 412],
  ] as [string, Record<string, string>, number][])(
    'are asked for with %s',
    async (_case, headers, status) => {
      for (const query of ['edits', 'editors?from=101&to=110']) {
        const path = `/v1/page/Compost/history/counts/${query}`
        const etag = String((await garden.send(path)).headers['etag'])
        const filled = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.replace('ETAG', etag)]),
        )
        expect(await garden.send(path, { headers: filled })).toMatchObject({ status })
      }
    },
  )
})

test('an unknown anchor of a history names no state that could match', async () => {
  const path = '/v1/page/Compost/history?older_than=9999'
  expect(await garden.send(path, { headers: { 'If-Match': '"125"' } })).toMatchObject({ status: 412 })
  expect(await garden.send(path, { headers: { 'If-None-Match': '"125"' } })).toMatchObject({ status: 404 })
})
