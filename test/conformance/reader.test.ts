/** Pages for readers: routes, headers and errors. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { startGarden, startServer, temporaryFolder, type TestServer } from './garden.js'

let wiki: TestServer
beforeAll(async () => {
  const folder = await folderWith([
    page(1, 'Rose', [revision(1, '== Thorns ==\nA rose. [[Weed]]')]),
    page(2, 'Main_Page', [revision(2, 'Welcome')]),
    page(3, 'A/B?', [revision(3, 'slash')]),
  ])
  wiki = await startServer(folder, { anonymousEdits: true })
})

const get = async (
  path: string,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> => {
  const { status, bytes, headers } = await wiki.send(path)
  return { status, text: bytes.toString(), headers }
}

describe('GET /wiki/{title}', () => {
  test('shows the page in the shell', async () => {
    const { status, text, headers } = await get('/wiki/Rose')
    expect(status).toBe(200)
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).toContain('<title>Rose – ')
    expect(text).toContain('A rose.')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    )
  })

  test.each([
    ['/wiki/rose', '/wiki/Rose'],
    ['/wiki/Main%20Page?action=history', '/wiki/Main_Page?action=history'],
    ['/wiki/rose%23Thorns', '/wiki/Rose#Thorns'],
    ['/wiki/A%2FB%3f', undefined],
    ['/wiki/A/B%3F', undefined],
    ['/wiki/', '/'],
    ['/wiki', '/'],
    ['/', '/wiki/Main_Page'],
  ])('%s leads to %s', async (path, place) => {
    const { status, headers } = await get(path)
    expect([status === 200, headers['location']]).toEqual([place === undefined, place])
  })

  test.each([
    ['/wiki/Nowhere', 404],
    ['/wiki/%3Cb%3E', 400],
    ['/wiki/Special:Nothing', 404],
    ['/wiki/Media:Nothing', 404],
    ['/wiki/Rose?action=%3Cscript%3E', 400],
    ['/wiki/a%00b', 400],
  ])('%s is a page with status %d', async (path, expected) => {
    const { status, text, headers } = await get(path)
    expect(status).toBe(expected)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('noindex')
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('<b>')
  })
})

describe('GET /assets/…', () => {
  test('answers each file of a page, kept for good', async () => {
    const { text } = await get('/wiki/Rose')
    const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThanOrEqual(4)
    for (const path of paths) {
      const file = await get(path)
      expect([file.status, file.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      const other = await get(path.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.'))
      expect([other.status, other.headers['location']]).toEqual([302, path])
    }
  })

  test.each(['/assets/none.0123.css', '/assets/', '/assets/../package.json', '/assets/constructor'])(
    'knows no %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )
})

describe('files for browsers and robots', () => {
  test('the icon is an ICO file', async () => {
    const { status, headers } = await get('/favicon.ico')
    expect([status, headers['content-type']]).toEqual([200, 'image/x-icon'])
  })

  test('the search description names this server', async () => {
    const { status, text } = await get('/opensearch.xml')
    expect(status).toBe(200)
    expect(text).toContain(`template="${wiki.base}/wiki/Special:Search?search={searchTerms}"`)
  })

  test('robots may read pages, and not their other views', async () => {
    const { status, text } = await get('/robots.txt')
    expect([status, text.includes('Disallow: /wiki/Special:')]).toEqual([200, true])
  })

  test('an operator may set the file for robots', async () => {
    const robotsFile = join(temporaryFolder(), 'robots.txt')
    writeFileSync(robotsFile, 'User-agent: *\nDisallow: /\n')
    const garden = await startGarden({ robotsFile })
    expect((await garden.send('/robots.txt')).bytes.toString()).toBe('User-agent: *\nDisallow: /\n')
  })
})

describe('a page is sent again only if it changed', () => {
  const save = (title: string, source: string, latest?: number) =>
    wiki.send(latest === undefined ? '/v1/page' : `/v1/page/${title}`, {
      method: latest === undefined ? 'POST' : 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ title, source, comment: '', token: '+\\' },
        ...(latest !== undefined && { latest: { id: latest } }),
      }),
    })

  test('by an edit', async () => {
    const created = (await save('Fresh', 'first')).body as { latest: { id: number } }
    for (let n = 0; n < 3; n++) expect((await get('/wiki/Fresh')).text).toContain('first')
    const { headers } = await wiki.send('/wiki/Fresh')
    const condition = { headers: { 'If-None-Match': String(headers['etag']) } }
    expect((await wiki.send('/wiki/Fresh', condition)).status).toBe(304)
    await save('Fresh', 'second', created.latest.id)
    const changed = await wiki.send('/wiki/Fresh', condition)
    expect([changed.status, changed.bytes.toString().includes('second')]).toEqual([200, true])
  })

  test('by a discussion that begins', async () => {
    for (let n = 0; n < 3; n++) await get('/wiki/Rose')
    expect((await get('/wiki/Rose')).text).toContain('href="/wiki/Talk:Rose" class="new"')
    await save('Talk:Rose', 'Nice.')
    expect((await get('/wiki/Rose')).text).not.toContain('href="/wiki/Talk:Rose" class="new"')
    expect((await get('/wiki/Talk:Rose')).text).toContain('Nice.')
  })
})

test('without pages for readers, / leads to the viewer of the API', async () => {
  const garden = await startGarden({ reader: false })
  const front = await garden.send('/')
  expect([front.status, front.headers['location']]).toEqual([
    302,
    `${garden.base}${garden.app.context.config.basePath}/docs`,
  ])
  expect((await garden.send('/wiki/Rose')).status).toBe(404)
})
