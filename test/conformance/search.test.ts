/** Search over a socket: what edits wrote is found at once. */
import { beforeAll, describe, expect, test } from 'vitest'
import { create, pageOf, startEmptyWiki, update } from './editing.js'
import { badParameter, type TestServer } from './garden.js'

let wiki: TestServer

interface Result {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly excerpt: string
  readonly matched_title: string | null
  readonly description: string | null
  readonly thumbnail: null
}

beforeAll(async () => {
  wiki = await startEmptyWiki()
  await create(
    wiki,
    'Apple',
    "{{Short description|A fruit}}\nAn '''apple''' is a fruit; it grows <on> trees.",
  )
  await create(wiki, 'Banana', 'Yellow fruit.\nSecond line has <nowiki>"peel"</nowiki> & more.')
  await create(wiki, 'Apricot', '#REDIRECT [[Banana]]')
  await create(wiki, 'Apple pie', 'Made in an oven.')
  await create(wiki, 'Éclair', 'A pastry.')
  await create(wiki, 'Talk:Apple', 'Is it ripe?')
  await create(wiki, 'Lost', '#REDIRECT [[Not there]]')
})

async function pages(path: string, server = wiki): Promise<Result[]> {
  const { status, body } = await server.send(path)
  expect(status).toBe(200)
  return (body as { pages: Result[] }).pages
}
const titles = async (path: string): Promise<string[]> => (await pages(path)).map(({ title }) => title)

describe('GET /search/page', () => {
  test('answers results with all their fields', async () => {
    const [apple] = await pages('/v1/search/page?q=grows')
    expect(apple).toEqual({
      id: 1,
      key: 'Apple',
      title: 'Apple',
      excerpt: "An apple is a fruit; it <span class='searchmatch'>grows</span> &lt;on&gt; trees.",
      matched_title: null,
      description: 'A fruit',
      thumbnail: null,
    })
  })

  test.each([
    ['a word of the text in another case', 'FRUIT', ['Apple', 'Banana']],
    ['a word of the title alone', 'pie%20apple', ['Apple pie']],
    ['the redirect by its title', 'apricot', ['Banana']],
    ['nothing', 'nothinglike', []],
    ['nothing for a blank', '%20', []],
    ['nothing for signs', '%22*([]%7C', []],
    ['nothing for a text that is no UTF-8', '%ff', []],
    ['nothing for a redirect to nowhere', 'lost', []],
    ['pages of another namespace', 'Talk:ripe', ['Talk:Apple']],
    ['pages of all namespaces', 'all:ripe', ['Talk:Apple']],
  ])('finds %s', async (_case, q, found) => {
    expect(await titles(`/v1/search/page?q=${q}`)).toEqual(found)
  })

  test('shows the first words of a page of which only the title has the words', async () => {
    expect(await pages('/v1/search/page?q=pie')).toMatchObject([{ excerpt: 'Made in an oven.' }])
  })

  test('names the redirect that was found', async () => {
    expect(await pages('/v1/search/page?q=apricot')).toMatchObject([{ matched_title: 'Apricot' }])
  })

  test('escapes what stands in the text', async () => {
    const [banana] = await pages('/v1/search/page?q=peel')
    expect(banana?.excerpt).toContain("&quot;<span class='searchmatch'>peel</span>&quot; &amp; more.")
  })

  test('suggests another spelling for words that no page has', async () => {
    const { status, body } = await wiki.send('/v1/search/page?q=yelow%20friut')
    expect([status, body]).toEqual([200, { pages: [], suggestion: 'yellow fruit' }])
  })

  test('has no validators and no lifetime', async () => {
    const { headers } = await wiki.send('/v1/search/page?q=fruit')
    expect(headers['content-type']).toBe('application/json')
    for (const name of ['etag', 'last-modified', 'cache-control']) expect(headers[name]).toBeUndefined()
  })
})

describe('GET /search/title', () => {
  test.each([
    ['a beginning, the redirect as its target', 'ap', ['Apple', 'Apple pie', 'Banana']],
    ['the first letter in any case', 'apple%20p', ['Apple pie']],
    ['an underscore for a blank', 'Apple_p', ['Apple pie']],
    ['no accents', 'ecl', ['Éclair']],
    ['accents', '%C3%89c', ['Éclair']],
    ['titles of a namespace', 'Talk:app', ['Talk:Apple']],
    ['nothing in the middle of a title', 'pie', []],
    ['nothing for a blank', '%20', []],
    ['nothing in Special', 'Special:Ver', []],
    ['nothing for a redirect to nowhere', 'lost', []],
  ])('finds %s', async (_case, q, found) => {
    expect(await titles(`/v1/search/title?q=${q}`)).toEqual(found)
  })

  test('shows the title that was found, and a redirect that led there', async () => {
    expect(await pages('/v1/search/title?q=apr')).toEqual([
      {
        id: 2,
        key: 'Banana',
        title: 'Banana',
        excerpt: 'Apricot',
        matched_title: 'Apricot',
        description: null,
        thumbnail: null,
      },
    ])
    expect(await pages('/v1/search/title?q=apple&limit=1')).toMatchObject([
      { excerpt: 'Apple', matched_title: null, description: 'A fruit' },
    ])
  })

  test('may be kept for twenty minutes', async () => {
    expect((await wiki.send('/v1/search/title?q=ap')).headers['cache-control']).toBe('public, max-age=1200')
  })
})

describe.each(['/v1/search/page', '/v1/search/title'])('GET %s refuses', (path) => {
  test.each([
    ['no q', '', badParameter('q', null, 'missingparam', 'The "q" parameter must be set.')],
    ['an empty q', '?q=', badParameter('q', '', 'missingparam', 'The "q" parameter must be set.')],
    ['a list', '?q[]=a', badParameter('q', 'a', 'badvalue', 'Unrecognized value for parameter "q": a.')],
    [
      'a limit that is no number',
      '?q=a&limit=ten',
      badParameter('limit', 'ten', 'badinteger', 'Invalid value "ten" for integer parameter "limit".'),
    ],
  ])('%s', async (_case, query, body) => {
    expect(await wiki.send(path + query)).toMatchObject({ status: 400, body })
  })

  test.each(['0', '101', '-1'])('a limit of %s', async (limit) => {
    const { status, body } = await wiki.send(`${path}?q=a&limit=${limit}`)
    expect(status).toBe(400)
    expect(body).toEqual({
      error: 'parameter-validation-failed',
      name: 'limit',
      value: limit,
      failureCode: 'outofrange',
      failureData: { min: 1, curmax: 100, max: 100, highmax: 100 },
      errorKey: 'paramvalidator-outofrange-minmax',
      messageTranslations: {
        en: `The value "${limit}" for parameter "limit" must be between 1 and 100.`,
      },
      httpCode: 400,
      httpReason: 'Bad Request',
    })
  })
})

test('an edit changes what is found before it is acknowledged', async () => {
  const created = pageOf(await create(wiki, 'Quince', 'Smells of zanzibar.'))
  expect(await titles('/v1/search/page?q=zanzibar')).toEqual(['Quince'])
  const { latest } = pageOf(await update(wiki, 'Quince', 'Smells of madagascar.', created.latest.id))
  expect(await titles('/v1/search/page?q=zanzibar')).toEqual([])
  expect(await titles('/v1/search/page?q=madagascar')).toEqual(['Quince'])
  await update(wiki, 'Quince', '#REDIRECT [[Apple]]', latest.id)
  expect(await titles('/v1/search/page?q=madagascar')).toEqual([])
  expect(await pages('/v1/search/title?q=quin')).toMatchObject([{ title: 'Apple', matched_title: 'Quince' }])
})

test('a server searches the namespaces of its settings', async () => {
  const talkative = await startEmptyWiki({ searchNamespaces: '1, 0' })
  await create(talkative, 'Talk:Pear', 'Is it ripe?')
  const found = await pages('/v1/search/page?q=ripe', talkative)
  expect(found.map(({ title }) => title)).toEqual(['Talk:Pear'])
})
