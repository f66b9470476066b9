/** `/index.php` and `/load.php`, as clients and links of MediaWiki use them. */
import { beforeAll, expect, test } from 'vitest'
import { startGarden, type TestServer } from '../../conformance/garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

test.each([
  ['a page', 'title=Compost', 200],
  ['a page by its id', 'curid=2', 200],
  ['a revision without a title', 'oldid=201', 200],
  ['a comparison without a title', 'diff=202', 200],
  ['a history', 'title=Compost&action=history', 200],
  ['a missing page', 'title=Nothing_here', 404],
  ['an unknown page id', 'curid=999999', 404],
  ['a page id that is no number', 'curid=x', 404],
  ['an unknown revision', 'oldid=999999', 404],
  ['no title at all', 'title=%3C%3E', 400],
  ['another action', 'title=Compost&action=odd', 400],
  ['another wiki', 'title=acronym:X', 404],
])('index.php shows %s', async (_case, query, status) => {
  const answer = await wiki.send(`/index.php?${query}`)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
})

test.each([
  ['another spelling', 'title=rain%20barrel', 301, '/wiki/Rain_barrel'],
  ['an exact title that is searched', 'search=Compost', 302, '/wiki/Compost'],
  ['a revision under another title', 'title=Compost&oldid=201', 302, '/wiki/Rain_barrel?oldid=201'],
])('index.php leads from %s', async (_case, query, status, place) => {
  const answer = await wiki.send(`/index.php?${query}`)
  expect(answer.status).toBe(status)
  expect(answer.headers['location']).toBe(wiki.base + place)
})

test('index.php leads a language prefix to the wiki of that language', async () => {
  const { status, headers } = await wiki.send('/index.php?title=de:Alte_Stadt')
  expect([status, headers['location']]).toEqual([301, 'https://de.wikipedia.org/wiki/Alte_Stadt'])
})

test('a search for a title shows results with fulltext', async () => {
  expect((await wiki.send('/index.php?search=Compost&fulltext=1')).status).toBe(200)
})

test.each([
  ['', 200, 'text/x-wiki; charset=utf-8'],
  ['&ctype=text/css', 200, 'text/css; charset=utf-8'],
  // Pages for readers run scripts of their own server.
  ['&ctype=text/javascript', 200, 'text/x-wiki; charset=utf-8'],
  ['&section=0', 200, 'text/x-wiki; charset=utf-8'],
  ['&section=99', 200, 'text/x-wiki; charset=utf-8'],
  ['&oldid=201', 404, 'text/x-wiki; charset=utf-8'],
])('action=raw%s answers %i as %s', async (more, status, type) => {
  const answer = await wiki.send(`/index.php?title=Compost&action=raw${more}`)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe(type)
})

test.each(['title=Nothing_here', 'curid=999999', 'oldid=999999'])(
  'action=raw answers 404 without a page for %s',
  async (query) => {
    const { status, bytes } = await wiki.send(`/index.php?${query}&action=raw`)
    expect([status, bytes.length]).toEqual([404, 0])
  },
)

test('load.php answers all modules with a comment', async () => {
  for (const [query, type] of [
    ['modules=site.styles&only=styles', 'text/css'],
    ['modules=startup', 'text/javascript'],
  ]) {
    const { status, headers, bytes } = await wiki.send(`/load.php?${query}`)
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
    expect(bytes.toString()).toMatch(/^\/\*[^*]*\*\/\n$/)
  }
})
