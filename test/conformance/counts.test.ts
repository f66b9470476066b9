import { beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { applyChange } from '../support/administration.js'
import { problems } from '../support/store.js'
import { folderWith, page, revision, revisions } from './busyWiki.js'
import { badParameter, errorWith, startGarden, startServer, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

const counts = (path: string) => garden.send(`/v1/page/Compost/history/counts/${path}`)

describe('GET /page/{title}/history/counts/{type}', () => {
  test.each([
    ['edits', 25],
    // Ann, Bert, RakeBot and three addresses
    ['editors', 6],
    ['anonymous', 4],
    ['bot', 3],
    ['minor', 4],
    ['reverted', 1],
  ])('counts %s', async (type, count) => {
    const { status, headers, body } = await counts(type)
    expect(status).toBe(200)
    expect(body).toEqual({ count, limit: false })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'max-age=60',
      'last-modified': 'Mon, 25 Mar 2024 08:25:00 GMT',
      etag: `"${count}"`,
    })
    expect(headers.deprecation).toBeUndefined()
  })

  test.each([
    ['anonedits', 4],
    ['botedits', 3],
    ['revertededits', 1],
  ])('counts %s too, and says that the name is old', async (type, count) => {
    const { headers, body } = await counts(type)
    expect(body).toEqual({ count, limit: false })
    expect(headers).toMatchObject({
      deprecation: 'version="v1"',
      link: '<https://www.mediawiki.org/wiki/API:REST/History_API#Get_page_history_counts>; rel="deprecation"',
    })
  })

  test.each([
    // a hidden text is no edit, but its author is an editor; a hidden user is none
    ['edits', 3],
    ['editors', 3],
    ['anonymous', 1],
    ['minor', 1],
  ])('leaves hidden %s out', async (type, count) => {
    const { body } = await garden.send(`/v1/page/Rain_barrel/history/counts/${type}`)
    expect(body).toEqual({ count, limit: false })
  })

  test.each([
    ['edits between, both ends left out', 'edits?from=101&to=106', 4],
    ['edits whatever the order', 'edits?from=106&to=101', 4],
    ['no edits between neighbours', 'edits?from=101&to=102', 0],
    ['no edits between a revision and itself', 'edits?from=103&to=103', 0],
    // 104 Bert, 105 RakeBot, 106 and 107 Ann, 108 an address
    ['editors between', 'editors?from=103&to=109', 4],
    ['all edits when both are 0', 'edits?from=0&to=0', 25],
    ['minor edits when both are 0', 'minor?from=0&to=0', 4],
  ])('counts %s', async (_case, path, count) => {
    expect(await counts(path)).toMatchObject({ status: 200, body: { count, limit: false } })
  })
})

describe('GET /page/{title}/history/counts/{type} refuses', () => {
  const combination = errorWith(
    400,
    'rest-pagehistorycount-parameters-invalid',
    'The specified combination of parameters is not supported.',
    'Bad Request',
  )
  const unknown = (id: string) =>
    errorWith(404, 'rest-nonexistent-revision', `The specified revision (${id}) does not exist`, 'Not Found')
  const notAType = (value: string) =>
    badParameter('type', value, 'badvalue', `Unrecognized value for parameter "type": ${value}.`)

  test.each([
    ['from without to', 'edits?from=101', combination],
    ['to without from', 'editors?to=101', combination],
    ['one of them 0', 'edits?from=0&to=101', combination],
    ['a range of minor edits', 'minor?from=101&to=103', combination],
    ['a range of old names', 'anonedits?from=101&to=103', combination],
    ['an unknown revision', 'edits?from=99999999&to=103', unknown('99999999')],
    ['a negative one', 'editors?from=101&to=-4', unknown('-4')],
    ['another page’s revision', 'edits?from=201&to=103', unknown('201')],
    [
      'words',
      'edits?from=abc&to=103',
      badParameter('from', 'abc', 'badinteger', 'Invalid value "abc" for integer parameter "from".'),
    ],
    ['an unknown type', 'nonsense', notAType('nonsense')],
    ['a later type', 'temporary', notAType('temporary')],
    ['another case', 'Edits', notAType('Edits')],
    ['no type', '', notAType('')],
  ])('%s', async (_case, path, error) => {
    const { status, body } = await counts(path)
    expect(body).toEqual(error)
    expect(body).toMatchObject({ httpCode: status })
  })

  test('parameters before a missing page', async () => {
    expect(await garden.send('/v1/page/Nowhere/history/counts/edits?from=1')).toMatchObject({ status: 400 })
    expect(await garden.send('/v1/page/Nowhere/history/counts/nonsense')).toMatchObject({ status: 400 })
  })
})

describe('counts of busy pages', () => {
  const many = 3000
  let busy: TestServer
  beforeAll(async () => {
    const minorEdits = (count: number) => (index: number) => ({ minor: index < count })
    busy = await startServer(
      await folderWith([
        page(1, 'At_the_cap', revisions(1, 2100, minorEdits(2000))),
        page(2, 'Above_the_cap', revisions(10_001, 2100, minorEdits(2001))),
        page(
          3,
          'Many_editors',
          revisions(20_001, many, (index) => ({ editorId: index + 1 })),
        ),
      ]),
    )
  })

  test('go up to 2000 minor edits, whatever the number of other edits', async () => {
    const { body } = await busy.send('/v1/page/At_the_cap/history/counts/minor')
    expect(body).toEqual({ count: 2000, limit: false })
  })

  test('fail above 2000 minor edits', async () => {
    const { status, body } = await busy.send('/v1/page/Above_the_cap/history/counts/minor')
    expect(status).toBe(500)
    expect(body).toEqual(
      errorWith(
        500,
        'rest-pagehistorycount-too-many-revisions',
        'The specified title contains too many revisions to retrieve this count.',
        'Internal Server Error',
      ),
    )
  })

  test('count editors of long ranges in a compute thread', async () => {
    const { body } = await busy.send(
      `/v1/page/Many_editors/history/counts/editors?from=20001&to=${20_000 + many}`,
    )
    expect(body).toEqual({ count: many - 2, limit: false })
  })
})

test('the time of a count moves when a part of a revision is hidden or shown', async () => {
  const moon = page(1, 'Moon', [revision(1, 'a'), revision(2, '#REDIRECT [[Earth]]')])
  const folder = await folderWith([{ ...moon, redirectTarget: 'Earth' }, page(2, 'Sun', [revision(3, 'c')])])
  const server = await startServer(folder)
  const timeOf = async (title: string) => {
    const { headers } = await server.send(`/v1/page/${title}/history/counts/edits`)
    return headers['last-modified']
  }
  const hide = (revisionId: number, text: boolean, date: string) =>
    applyChange(
      new Applier(server.app.context.store),
      { kind: 'hide', revisionId, text },
      Date.parse(date) / 1000,
    )
  const sun = await timeOf('Sun')
  expect(await timeOf('Moon')).toBe('Fri, 01 Jan 2021 00:00:02 GMT')
  hide(1, true, '2024-02-03T04:05:06Z')
  expect(await timeOf('Moon')).toBe('Sat, 03 Feb 2024 04:05:06 GMT')
  hide(1, false, '2024-02-03T04:06:06Z')
  expect(await timeOf('Moon')).toBe('Sat, 03 Feb 2024 04:06:06 GMT')
  expect(await timeOf('Sun')).toBe(sun)
  const { store } = server.app.context
  expect(store.getPageById(1)?.redirectTarget).toBe('Earth')
  expect(problems(store)).toEqual([])
})
