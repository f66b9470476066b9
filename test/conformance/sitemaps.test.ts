/** Sitemaps for search engines. */
import { beforeAll, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { create } from './editing.js'
import { startServer, type TestServer } from './garden.js'

let wiki: TestServer
beforeAll(async () => {
  const folder = await folderWith([
    page(1, 'Rose_&_"thorn"', [revision(1, 'a')]),
    page(2, 'Ünder/score?', [revision(2, 'b')]),
    { ...page(3, 'To_rose', [revision(3, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
    { ...page(4, 'Rose', [revision(4, 'talk')]), namespace: 1 },
    page(50_000, 'Last_of_the_first', [revision(5, 'c')]),
    page(50_001, 'First_of_the_second', [revision(6, 'd')]),
    page(160_000, 'Far', [revision(7, 'e')]),
  ])
  const flags = { anonymousEdits: true, publicUrl: 'https://wiki.example/api' }
  wiki = await startServer(folder, flags)
})

async function get(path: string): Promise<{ status: number; text: string; type: unknown }> {
  const { status, bytes, headers } = await wiki.send(path)
  return { status, text: bytes.toString(), type: headers['content-type'] }
}
const locations = (text: string): string[] =>
  Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, loc]) => loc!)

test('the index lists the sitemaps that have pages', async () => {
  const { status, text, type } = await get('/sitemap.xml')
  expect([status, type]).toEqual([200, 'application/xml; charset=utf-8'])
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<sitemapindex xmlns="http:\/\/www\.sitemaps\.org/,
  )
  expect(locations(text)).toEqual([1, 2, 4].map((n) => `https://wiki.example/sitemap/${n}.xml`))
})

test('a sitemap lists articles with the time of their last change', async () => {
  const { text } = await get('/sitemap/1.xml')
  expect(locations(text)).toEqual([
    'https://wiki.example/wiki/Rose_%26_%22thorn%22',
    'https://wiki.example/wiki/%C3%9Cnder/score%3F',
    'https://wiki.example/wiki/Last_of_the_first',
  ])
  expect(text).toContain('<lastmod>2021-01-01T00:00:01Z</lastmod>')
  expect(locations((await get('/sitemap/2.xml')).text)).toEqual([
    'https://wiki.example/wiki/First_of_the_second',
  ])
  expect(locations((await get('/sitemap/3.xml')).text)).toEqual([])
})

test('follows edits', async () => {
  await create(wiki, 'New', 'a new page')
  expect(locations((await get('/sitemap/4.xml')).text)).toEqual([
    'https://wiki.example/wiki/Far',
    'https://wiki.example/wiki/New',
  ])
})

test.each([
  '/sitemap/0.xml',
  '/sitemap/5.xml',
  '/sitemap/1',
  '/sitemap/x.xml',
  '/sitemap/1e1.xml',
  '/sitemap/01.xml',
])('%s does not exist', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('robots.txt names the index', async () => {
  expect((await get('/robots.txt')).text).toContain('\nSitemap: https://wiki.example/sitemap.xml\n')
})
