import { beforeAll, describe, expect, test } from 'vitest'
import { badParameter, errorWith, startGarden, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

interface Segment {
  readonly revisions: readonly { readonly id: number }[]
  readonly latest: string
  readonly older?: string
  readonly newer?: string
}

/** Ids from `first` down to `last`. */
const down = (first: number, last: number): number[] =>
  Array.from({ length: first - last + 1 }, (_, index) => first - index)

async function segment(query: string): Promise<{ ids: number[]; links: Omit<Segment, 'revisions'> }> {
  const { status, body } = await garden.send(`/v1/page/Compost/history${query}`)
  expect(status).toBe(200)
  const { revisions, ...links } = body as Segment
  return { ids: revisions.map(({ id }) => id), links }
}

describe('GET /page/{title}/history', () => {
  test('answers revision objects with hidden parts as null', async () => {
    const { headers, body } = await garden.send('/v1/page/rain_barrel/history')
    const etag = expect.stringMatching(/^"204\.[0-9a-f]{24}"$/) as string
    expect(headers).toMatchObject({ etag, 'last-modified': 'Thu, 04 Apr 2024 10:00:00 GMT' })
    expect(headers['cache-control']).toBeUndefined()
    const anonymous = { id: null, name: '192.0.2.7' }
    expect(body).toEqual({
      revisions: [
        {
          id: 204,
          timestamp: '2024-04-04T10:00:00Z',
          minor: true,
          size: 33,
          comment: '',
          user: anonymous,
          delta: 3,
        },
        {
          id: 203,
          timestamp: '2024-04-03T10:00:00Z',
          minor: false,
          size: 30,
          comment: 'an address',
          user: { id: 2, name: 'Bert' },
          delta: 7,
        },
        {
          id: 202,
          timestamp: '2024-04-02T10:00:00Z',
          minor: false,
          size: 23,
          comment: null,
          user: null,
          delta: 10,
        },
        {
          id: 201,
          timestamp: '2024-04-01T10:00:00Z',
          minor: false,
          size: 13,
          comment: 'a barrel',
          user: { id: 1, name: 'Ann' },
          delta: null,
        },
      ],
      latest: `${garden.base}/v1/page/Rain_barrel/history`,
    })
  })

  test.each([
    ['first segment', '', down(125, 106), { older: '?older_than=106' }],
    ['rest', '?older_than=106', down(105, 101), { newer: '?newer_than=105' }],
    [
      'segment in the middle',
      '?older_than=124',
      down(123, 104),
      { older: '?older_than=104', newer: '?newer_than=123' },
    ],
    [
      'next newer ones, not the newest',
      '?newer_than=102',
      down(122, 103),
      { older: '?older_than=103', newer: '?newer_than=122' },
    ],
    ['newest ones', '?newer_than=123', [125, 124], { older: '?older_than=124' }],
    ['nothing before the first', '?older_than=101', [], {}],
    ['nothing after the last', '?newer_than=125', [], {}],
    [
      'same with other parameters, which are ignored',
      '?limit=1&foo=bar&older_than=102',
      [101],
      { newer: '?newer_than=101' },
    ],
    ['last of two values', '?older_than=110&older_than=102', [101], { newer: '?newer_than=101' }],
    ['number with leading zeros', '?older_than=0102', [101], { newer: '?newer_than=101' }],
  ])('lists the %s', async (_case, query, ids, links) => {
    const route = `${garden.base}/v1/page/Compost/history`
    const expected: Record<string, string> = { latest: route }
    for (const [name, place] of Object.entries(links)) expected[name] = route + place
    expect(await segment(query)).toEqual({ ids, links: expected })
  })

  test.each([
    ['anonymous', [116, 112, 108, 103]],
    ['bot', [115, 110, 105]],
    ['minor', [115, 110, 107, 105]],
    ['reverted', [117]],
  ])('filters %s edits', async (filter, ids) => {
    const latest = `${garden.base}/v1/page/Compost/history?filter=${filter}`
    expect(await segment(`?filter=${filter}`)).toEqual({ ids, links: { latest } })
  })

  test('keeps the filter in its links', async () => {
    const route = `${garden.base}/v1/page/Compost/history?filter=anonymous`
    expect(await segment('?filter=anonymous&older_than=112')).toEqual({
      ids: [108, 103],
      links: { latest: route, newer: `${route}&newer_than=108` },
    })
  })

  test('encodes the normalised key in its links', async () => {
    const { body } = await garden.send('/v1/page/compost%2FTurning/history')
    expect(body).toMatchObject({ latest: `${garden.base}/v1/page/Compost%2FTurning/history` })
  })
})

describe('GET /page/{title}/history refuses', () => {
  const range = errorWith(
    400,
    'rest-pagehistory-param-range-error',
    'Revision id must be greater than 0',
    'Bad Request',
  )
  const both = errorWith(
    400,
    'rest-pagehistory-incompatible-params',
    'Parameters "older_than" and "newer_than" cannot both be specified',
    'Bad Request',
  )
  const unknown = (id: string) =>
    errorWith(
      404,
      'rest-nonexistent-title-revision',
      `The specified revision (${id}) does not exist for the specified page (compost)`,
      'Not Found',
    )
  const notInteger = (name: string, value: string) =>
    badParameter(name, value, 'badinteger', `Invalid value "${value}" for integer parameter "${name}".`)
  const notAFilter = (value: string) =>
    badParameter('filter', value, 'badvalue', `Unrecognized value for parameter "filter": ${value}.`)

  test.each([
    ['two anchors', '?older_than=7&newer_than=3', both],
    ['two anchors, before their range', '?older_than=0&newer_than=0', both],
    ['zero', '?older_than=0', range],
    ['negative ids', '?newer_than=-3', range],
    ['very negative ids', '?newer_than=-9223372036854775808', range],
    ['words', '?older_than=abc', notInteger('older_than', 'abc')],
    ['an empty id', '?older_than=', notInteger('older_than', '')],
    ['a name without a value', '?older_than', notInteger('older_than', '')],
    ['fractions', '?older_than=1.5', notInteger('older_than', '1.5')],
    ['a plus sign, which is a space', '?older_than=+5', notInteger('older_than', ' 5')],
    ['65 bits', '?newer_than=9223372036854775808', notInteger('newer_than', '9223372036854775808')],
    ['a list', '?newer_than[]=3', notInteger('newer_than', '3')],
    ['an encoded list', '?newer_than%5B%5D=3', notInteger('newer_than', '3')],
    ['an unknown filter', '?filter=nonsense', notAFilter('nonsense')],
    ['an empty filter', '?filter=', notAFilter('')],
    ['a filter in another case', '?filter=Minor', notAFilter('Minor')],
    ['a list of filters', '?filter[]=minor', notAFilter('minor')],
    ['an unknown revision', '?older_than=99999999', unknown('99999999')],
    ['an id beyond the store', '?older_than=9223372036854775807', unknown('9223372036854775807')],
    ['another page’s revision', '?newer_than=201', unknown('201')],
  ])('%s', async (_case, query, error) => {
    const { status, body } = await garden.send(`/v1/page/compost/history${query}`)
    expect(body).toEqual(error)
    expect(body).toMatchObject({ httpCode: status })
  })

  test('parameters before a missing page', async () => {
    expect(await garden.send('/v1/page/Nowhere/history?older_than=0')).toMatchObject({ status: 400 })
    expect(await garden.send('/v1/page/Nowhere/history?filter=x')).toMatchObject({ status: 400 })
    expect(await garden.send('/v1/page/Nowhere/history?older_than=5')).toMatchObject({ status: 404 })
  })
})
