/** Pages for readers: routes, headers and errors. */
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { startGarden, startServer, type TestServer } from './garden.js'

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

test('without pages for readers, / leads to the viewer of the API', async () => {
  const garden = await startGarden({ reader: false })
  const front = await garden.send('/')
  expect([front.status, front.headers['location']]).toEqual([
    302,
    `${garden.base}/w/rest.php/docs`.replace('/w/rest.php', garden.app.context.config.basePath),
  ])
  expect((await garden.send('/wiki/Rose')).status).toBe(404)
})
