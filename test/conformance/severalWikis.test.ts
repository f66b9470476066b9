/** Several wikis in one server: each answers as if it were alone, and shows nothing of the others. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Passwords } from '../../src/auth/passwords.js'
import { PASSWORD, Client } from './actionClient.js'
import { formOf, FormReader } from './formReader.js'
import { type Answer, send } from './garden.js'
import { type SeveralWikis, startSeveral, type Wiki } from './severalWikis.js'
import { createToken, createUser } from './signedIn.js'

const NAMES = ['garden', 'field', 'rock'] as const
type Name = (typeof NAMES)[number]

const tokens: string[] = []
let server: SeveralWikis
beforeAll(async () => {
  const hash = await new Passwords().hash(PASSWORD)
  server = await startSeveral({}, (applier) => {
    tokens.push(createToken(applier, createUser(applier, 'Beth', [], hash)))
  })
})

const textOf = ({ bytes }: Answer): string => bytes.toString()

/** Fails if an answer of one wiki has words, or addresses, of another one. */
function expectOwn(name: Name, { status, headers, bytes }: Answer, path: string): void {
  expect([path, status]).toEqual([path, 200])
  const shown = JSON.stringify(headers) + bytes.toString()
  for (const other of NAMES.filter((known) => known !== name))
    expect(shown, `${name} ${path}`).not.toMatch(
      new RegExp(`\\b${other} text|Wiki ${other}|/${other}/|${other}\\.example`),
    )
}

const PATHS = [
  '/v1/page/Moon',
  '/v1/page/Moon/bare',
  '/v1/page/Moon/html',
  '/v1/page/Moon/with_html',
  '/v1/page/Moon/history',
  '/v1/page/Moon/history/counts/edits',
  '/v1/page/Moon/links/language',
  '/v1/page/Moon/links/media',
  '/v1/revision/2',
  '/v1/revision/2/html',
  '/v1/revision/1/compare/2',
  '/v1/search/page?q=text',
  '/v1/search/title?q=Only',
  '/v1/openapi.json',
  '/docs',
  '/api.php?action=query&meta=siteinfo&format=json',
  '/wiki/Moon',
  '/wiki/Luna',
  '/wiki/Moon?action=history',
  '/wiki/Moon?action=raw',
  '/wiki/Moon?action=edit',
  '/wiki/Moon?diff=2&oldid=1',
  '/wiki/Moon?oldid=1',
  '/wiki/Moon?action=preview',
  '/wiki/Special:Search?search=text',
  '/wiki/Special:AllPages',
  '/wiki/Special:RecentChanges',
  '/wiki/Special:SpecialPages',
  '/wiki/Special:Statistics',
  '/wiki/Special:Categories',
  '/wiki/Special:UserLogin',
  '/sitemap.xml',
  '/sitemap/1.xml',
  '/opensearch.xml',
]

describe('interleaved requests with the same paths', () => {
  test.each(PATHS)('%s', async (path) => {
    // The third round has ready answers.
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(NAMES.map((name) => server[name].send(path)))
      NAMES.forEach((name, n) => expectOwn(name, answers[n]!, path))
    }
  })

  test('bring the text of each wiki', async () => {
    for (let round = 0; round < 3; round++)
      for (const name of NAMES) {
        for (const path of ['/v1/page/Moon', '/v1/page/Moon/html', '/wiki/Moon', '/wiki/Luna'])
          expect(textOf(await server[name].send(path))).toContain(`The ${name} text of`)
        expect(textOf(await server[name].send('/v1/search/page?q=text'))).toContain(`Only_${name}`)
      }
  })

  test('have tags that no other wiki confirms', async () => {
    for (const path of [
      '/v1/page/Moon',
      '/v1/page/Moon/html',
      '/v1/page/Moon/history',
      '/v1/revision/1/compare/2',
      '/wiki/Moon',
    ]) {
      const etag = String((await server.garden.send(path)).headers['etag'])
      const status = async (wiki: Wiki) =>
        (await wiki.send(path, { headers: { 'if-none-match': etag } })).status
      expect([
        path,
        await status(server.garden),
        await status(server.field),
        await status(server.rock),
      ]).toEqual([path, 304, 200, 200])
    }
  })
})

describe('addresses in answers', () => {
  test.each(PATHS.filter((path) => path.startsWith('/wiki/') && !/raw|preview/.test(path)))(
    'stay below the root of the wiki: %s',
    async (path) => {
      const html = textOf(await server.garden.send(path))
      const found = [...html.matchAll(/\s(?:href|src|action|data-api)="(\/[^"]*)"/g)].map(([, url]) => url!)
      expect(found.length).toBeGreaterThan(10)
      expect(found.filter((url) => !url.startsWith('/garden/'))).toEqual([])
      expect(html).toContain('<base href="/garden/wiki/">')
    },
  )

  test.each([
    ['/', '/garden/wiki/Moon'],
    ['/wiki', '/garden/'],
    ['/wiki/', '/garden/'],
    ['/wiki/moon', '/garden/wiki/Moon'],
    ['/wiki/Special:Search?search=Moon&go=1', '/garden/wiki/Moon'],
    ['/assets/style.0123456789abcdef.css', /^\/garden\/assets\/style\.[0-9a-f]{16}\.css$/],
  ])('of redirects stay there: %s', async (path, expected) => {
    const { headers } = await server.garden.send(path)
    expect(headers['location']).toMatch(expected)
  })

  test('of the API name the wiki', async () => {
    const base = `http://127.0.0.1:${server.port}/garden`
    const { body } = await server.garden.send('/v1/page/Moon/bare')
    expect(body).toMatchObject({ html_url: `${base}/v1/page/Moon/html` })
    const history = (await server.garden.send('/v1/page/Moon/history')).body
    expect(history).toMatchObject({ latest: `${base}/v1/page/Moon/history` })
    const { body: document } = await server.garden.send('/v1/openapi.json')
    expect(document).toMatchObject({ servers: [{ url: '/garden' }] })
    const info = textOf(await server.garden.send('/api.php?action=query&meta=siteinfo&format=json'))
    expect(JSON.parse(info)).toMatchObject({ query: { general: { scriptpath: '/garden' } } })
    expect(textOf(await server.garden.send('/sitemap.xml'))).toContain(`<loc>${base}/sitemap/1.xml</loc>`)
    expect(textOf(await server.garden.send('/sitemap/1.xml'))).toContain(`<loc>${base}/wiki/Moon</loc>`)
    const openSearch = textOf(await server.garden.send('/opensearch.xml'))
    expect(openSearch).toContain(`template="${base}/wiki/Special:Search?search={searchTerms}"`)
    expect(openSearch).toContain(`template="${base}/v1/search/title?q={searchTerms}"`)
  })

  test('of a wiki with a host of its own have that host', async () => {
    const { body } = await server.rock.send('/v1/page/Moon/bare')
    expect(body).toMatchObject({ html_url: 'http://rock.example/v1/page/Moon/html' })
    expect((await server.rock.send('/')).headers['location']).toBe('/wiki/Moon')
    expect(textOf(await server.rock.send('/robots.txt'))).toContain(
      'Sitemap: http://rock.example/sitemap.xml',
    )
  })
})

describe('a host of its own', () => {
  const at = (host: string, path: string) => send(server.port, path, { headers: { host } })

  test.each(['rock.example', 'ROCK.example', 'rock.example:8080'])('is known as %s', async (host) => {
    expect(textOf(await at(host, '/v1/page/Moon'))).toContain('The rock text of')
  })

  test('has no other wiki, and no other host has its', async () => {
    expect((await at('rock.example', '/garden/v1/page/Moon')).status).toBe(404)
    expect((await at('rock.example', '/rock.example/v1/page/Moon')).status).toBe(404)
    expect((await at('other.example', '/v1/page/Moon')).status).toBe(404)
    expect((await server.send('/rock.example/v1/page/Moon')).status).toBe(404)
    expect((await server.send('/v1/page/Moon')).status).toBe(404)
  })

  test('is not told by headers of clients that are no proxies', async () => {
    const headers = { host: 'other.example', 'x-forwarded-host': 'rock.example' }
    expect((await send(server.port, '/v1/page/Moon', { headers })).status).toBe(404)
  })
})

describe('a session', () => {
  test('begins in one wiki, and counts in no other', async () => {
    const clients = NAMES.map((name) => new Client(server[name], '/api.php'))
    const [garden, field] = clients as [Client, Client]
    expect(await garden.logIn('Beth')).toMatchObject({ result: 'Success' })
    expect(garden.lines.length).toBeGreaterThan(0)
    for (const line of garden.lines) expect(line).toContain('Path=/garden/;')
    // A client that sends cookies everywhere.
    for (const [name, value] of garden.cookies) field.cookies.set(name, value)
    const who = async (client: Client) => await client.get({ action: 'query', meta: 'userinfo' })
    expect(await who(garden)).toMatchObject({ query: { userinfo: { name: 'Beth' } } })
    expect(await who(field)).toMatchObject({ query: { userinfo: { anon: '' } } })
    expect((await field.write(await garden.token())).status).toBe(403)
    expect((await garden.write(await garden.token())).status).toBe(201)
  })

  test('of a reader is for one wiki, forms and their tokens, too', async () => {
    const below = (root: string): Pick<SeveralWikis, 'send' | 'port'> => ({
      port: server.port,
      send: (path, options) => server.send(path.startsWith(root) ? path : root + path, options),
    })
    const browser = new FormReader(below('/garden'))
    const entered = await browser.logIn('Beth', PASSWORD, 'Moon')
    expect([entered.status, entered.location]).toEqual([303, '/garden/wiki/Moon'])
    expect([entered.headers['set-cookie']].flat().every((line) => line!.includes('Path=/garden/;'))).toBe(
      true,
    )
    const elsewhere = new FormReader(below('/field'))
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    expect((await elsewhere.get('/wiki/Special:UserLogin')).words).not.toContain('Beth')
    const form = await browser.get('/wiki/Sun?action=edit')
    expect(form.html).toContain('action="/garden/wiki/Sun?action=submit"')
    const refused = await elsewhere.post('/wiki/Sun?action=submit', { ...formOf(form), wpSave: '1' })
    expect(refused.words).toContain('Only users who are logged in can edit pages here.')
    const saved = await browser.send('/wiki/Sun', form, { wpTextbox1: 'changed in the garden' })
    expect([saved.status, saved.location]).toEqual([303, '/garden/wiki/Sun'])
    expect(textOf(await server.field.send('/v1/page/Sun'))).toContain('The field text')
  })

  test('a token of one wiki is none in another', async () => {
    const write = (wiki: Wiki, token: string) =>
      wiki.send('/v1/page', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'By token', source: 'x', comment: '' }),
      })
    expect((await write(server.field, tokens[0]!)).status).toBe(401)
    const made = await write(server.garden, tokens[0]!)
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe(`http://127.0.0.1:${server.port}/garden/v1/page/By_token`)
    expect((await server.field.send('/v1/page/By_token')).status).toBe(404)
  })
})

test('an edit changes the pages, searches and lists of its wiki alone', async () => {
  const shown = (wiki: Wiki) => wiki.send('/v1/page/Moon').then(textOf)
  for (let n = 0; n < 3; n++) for (const name of NAMES) await shown(server[name])
  const edit = await server.garden.send('/v1/page/Moon', {
    method: 'PUT',
    headers: { authorization: `Bearer ${tokens[0]!}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'zephyr', comment: '', latest: { id: 2 } }),
  })
  expect(edit.status).toBe(200)
  expect(await shown(server.garden)).toContain('zephyr')
  expect(await shown(server.field)).toContain('The field text')
  const hits = async (wiki: Wiki) =>
    ((await wiki.send('/v1/search/page?q=zephyr')).body as { pages: unknown[] }).pages.length
  expect([await hits(server.garden), await hits(server.field), await hits(server.rock)]).toEqual([1, 0, 0])
  expect(textOf(await server.field.send('/wiki/Special:RecentChanges'))).not.toContain('zephyr')
})
