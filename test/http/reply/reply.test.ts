import { expect, test } from 'vitest'
import { readSettings } from '../../../src/config/config.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { listBody } from '../../../src/http/reply/bodies.js'
import { HttpError, errorBody, parameterError } from '../../../src/http/reply/errors.js'
import { headerLines } from '../../../src/http/reply/reply.js'
import { isAcceptableRequestId, RequestIds } from '../../../src/http/request/requestId.js'
import { Wiki } from '../../../src/http/request/wiki.js'

test('header lines stand one under the other', () => {
  expect(headerLines({ A: '1', B: '2' })).toBe('\r\nA: 1\r\nB: 2')
})

test.each(['a\r\nSet-Cookie: b', 'a\nb', 'a\rb'])('a header value holds no line break: %j', (value) => {
  expect(() => headerLines({ Link: value })).toThrow('Link')
})

test('the arguments of an error are not searched for places', () => {
  const error = new HttpError('rest-nonexistent-title-revision', [7, '$1 $2'])
  expect(error.message).toBe('The specified revision (7) does not exist for the specified page ($1 $2)')
})

test('a parameter that is absent has the value null', () => {
  expect(JSON.parse(errorBody(parameterError('missingparam', 'q', null)).toString())).toMatchObject({
    name: 'q',
    value: null,
  })
})

test.each([
  [[], {}, '{"revisions":[]}'],
  [['{"id":1}', '{"id":2}'], { latest: 'L' }, '{"revisions":[{"id":1},{"id":2}],"latest":"L"}'],
])('ready objects become a list: %j', (items, rest, expected) => {
  const body = listBody(
    'revisions',
    items.map((item) => Buffer.from(item)),
    rest,
  )
  expect(body.toString()).toBe(expected)
})

test('request ids count up in hex', () => {
  const ids = new RequestIds()
  const [first, second] = [ids.next(), ids.next()]
  expect(first).toMatch(/^[0-9a-f]{12}000000000001$/)
  expect(second).toBe(`${first.slice(0, -1)}2`)
})

test('request ids are counted up in the bytes of an answer too', () => {
  const ids = new RequestIds()
  const bytes = Buffer.from(`<${ids.first}>`)
  const prefix = ids.next().slice(0, 12)
  for (let count = 2; count < 300; count++) {
    ids.stamp(bytes, 1)
    expect(bytes.toString()).toBe(`<${prefix}${count.toString(16).padStart(12, '0')}>`)
  }
})

test.each([
  ['abc-1._', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['', false],
  ['a b', false],
  ['a\r\nb', false],
])('an id from outside is taken or not: %j', (id, acceptable) => {
  expect(isAcceptableRequestId(id)).toBe(acceptable)
})

const SHOWN = { textHidden: false, userHidden: false, commentHidden: false, deltaMissing: false }

test('a revision’s tag changes with revision, visibility, store and whatever all answers depend on', () => {
  const settings = readSettings({}, {})
  const wiki = (site = DEFAULT_SITE, storeId = 'a', config = settings) => new Wiki(site, storeId, config)
  const licensed = { ...DEFAULT_SITE, license: { url: 'u', title: 't' } }
  const tags = [
    wiki().revisionTag(1, SHOWN),
    wiki().revisionTag(2, SHOWN),
    wiki().revisionTag(1, { ...SHOWN, textHidden: true }),
    wiki().revisionTag(1, { ...SHOWN, userHidden: true }),
    wiki().revisionTag(1, { ...SHOWN, commentHidden: true }),
    wiki().revisionTag(1, { ...SHOWN, userHidden: true, commentHidden: true }),
    wiki().revisionTag(1, { ...SHOWN, deltaMissing: true }),
    wiki(DEFAULT_SITE, 'b').revisionTag(1, SHOWN),
    wiki(licensed).revisionTag(1, SHOWN),
    wiki(DEFAULT_SITE, 'a', { ...settings, publicUrl: 'https://x' }).revisionTag(1, SHOWN),
  ]
  for (const tag of tags) expect(tag).toMatch(/^"[0-9a-f]{40}"$/)
  expect(new Set(tags).size).toBe(tags.length)
  expect(wiki().revisionTag(1, SHOWN)).toBe(tags[0])
})
