/** `/api/rest_v1`: summaries and what stands beside them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { reindex } from '../../src/cli/reindex/reindex.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { facts, fileEntry } from '../support/files.js'
import { START } from '../support/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create } from './editing.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const ROOT = '/api/rest_v1/page'
const ROSE =
  "{{Short description|A plant}}[[File:Big.png|thumb|A ''red'' one]]'''Rose''' is a plant with thorns.<ref>Book</ref>\n\nMore text.\n== Care ==\n[[File:Big.png|20px]]"

let server: TestServer

beforeAll(async () => {
  const texts = { Rose: ROSE, Stub: '== A ==\ntext', Main_Page: 'Welcome to the garden of all plants.' }
  const dataDir = await folderWith([
    ...Object.entries(texts).map(([dbkey, text], n) => page(n + 1, dbkey, [revision(n + 1, text)])),
    { ...page(10, 'Rosa', [revision(10, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
    { ...page(11, 'Lost', [revision(11, '#REDIRECT [[Nowhere]]')]), redirectTarget: 'Nowhere' },
    { ...page(12, 'Rose', [revision(12, 'Talk')]), namespace: 1 },
    { ...page(13, 'Big.png', [revision(13, 'A picture')]), namespace: 6 },
    page(14, 'Secret', [{ ...revision(14, ''), text: undefined }]),
    page(15, 'Old', [
      revision(15, 'The first text of this old page.'),
      revision(16, 'The second text of this old page.'),
    ]),
    page(17, 'A/B_&_C', [revision(17, 'A page with signs in its title.')]),
  ])
  const store = Store.open(dataDir)
  const big = facts({ sha256: '0123456789abcdef'.repeat(4), width: 1200, height: 900 })
  new Applier(store).submitAll([fileEntry('Big.png', big, START)])
  await reindex(store, { dataDir, threads: 1, missing: false })
  await store.close()
  server = await startServer(dataDir, { anonymousEdits: true })
})

async function get(path: string, headers = {}): Promise<Answer> {
  const answer = await server.send(ROOT + path, { headers })
  const { bytes } = answer
  return bytes.toString().startsWith('{')
    ? { ...answer, body: JSON.parse(bytes.toString()) as unknown }
    : answer
}

describe('a summary', () => {
  test('has the first paragraph, the picture, titles and addresses', async () => {
    const { status, headers, body } = await get('/summary/Rose')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('Specs/Summary/1.5.0')
    expect(headers['access-control-allow-origin']).toBe('*')
    const urls = {
      page: `${server.base}/wiki/Rose`,
      revisions: `${server.base}/wiki/Rose?action=history`,
      edit: `${server.base}/wiki/Rose?action=edit`,
      talk: `${server.base}/wiki/Talk:Rose`,
    }
    const media = `${server.base}/media/0123456789abcdef/Big.png`
    expect(body).toMatchObject({
      type: 'standard',
      title: 'Rose',
      displaytitle: 'Rose',
      namespace: { id: 0, text: '' },
      titles: { canonical: 'Rose', normalized: 'Rose', display: 'Rose' },
      pageid: 1,
      lang: 'en',
      dir: 'ltr',
      revision: '1',
      timestamp: '2021-01-01T00:00:01Z',
      description: 'A plant',
      originalimage: { source: media, width: 1200, height: 900 },
      thumbnail: { width: 320, height: 240 },
      content_urls: { desktop: urls, mobile: urls },
      extract: 'Rose is a plant with thorns.',
      extract_html: '<p><b>Rose</b> is a plant with thorns.</p>',
    })
  })

  test('is made once, and again when what it shows has changed', async () => {
    const first = await get('/summary/Old')
    const again = await get('/summary/Old')
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const tag = first.headers['etag']
    expect((await get('/summary/Old', { 'if-none-match': tag })).status).toBe(304)
    await create(server, 'Talk:Old', 'A talk page, which the summary names.')
    const { status, headers, body } = await get('/summary/Old', { 'if-none-match': tag })
    expect([status, headers['etag'] === tag]).toEqual([200, false])
    expect(body).toMatchObject({ content_urls: { desktop: { talk: `${server.base}/wiki/Talk:Old` } } })
  })

  test.each([
    ['Stub', 'no-extract', ''],
    ['File%3ABig.png', 'no-extract', ''],
    ['Main_Page', 'mainpage', 'Welcome to the garden of all plants.'],
    ['A%2FB_%26_C', 'standard', 'A page with signs in its title.'],
    ['Old/15', 'standard', 'The first text of this old page.'],
    ['Lost', 'no-extract', ''],
    ['Rosa?redirect=false', 'no-extract', ''],
  ])('of %s is of the type %s', async (path, type, extract) => {
    expect((await get(`/summary/${path}`)).body).toMatchObject({ type, extract })
  })
})

describe('every route of a page', () => {
  test.each(['summary', 'html', 'media-list', 'title'])(
    '%s leads to the title in force, and says what is missing',
    async (form) => {
      const moved = await get(`/${form}/rose`)
      expect([moved.status, moved.headers['location']]).toEqual([301, 'Rose'])
      expect((await get(`/${form}/rose/1`)).headers['location']).toBe('../Rose/1')
      const redirect = await get(`/${form}/Rosa`)
      expect([redirect.status, redirect.headers['location']]).toEqual([302, 'Rose'])
      for (const path of ['Nowhere', '%3C', 'Rose/999', 'Rose/12', 'Rose/99999999999999999999']) {
        const { status, headers, body } = await get(`/${form}/${path}`)
        expect({ path, status, type: headers['content-type'] }).toEqual({
          path,
          status: path.endsWith('9'.repeat(20)) ? 400 : 404,
          type: 'application/problem+json',
        })
        expect(body).toMatchObject({ method: 'get', uri: expect.stringContaining('/api/rest_v1') as string })
      }
      expect((await get(`/${form}/Secret`)).status).toBe(403)
    },
  )
})

test('HTML is that of the REST API', async () => {
  const [one, other] = [await get('/html/Rose'), await server.send('/v1/page/Rose/html')]
  expect(one.bytes.equals(other.bytes)).toBe(true)
})

test('media come with their captions, the first picture of the lead marked', async () => {
  const { body } = await get('/media-list/Rose')
  expect(body).toMatchObject({
    revision: '1',
    items: [
      {
        title: 'File:Big.png',
        leadImage: true,
        section_id: 0,
        type: 'image',
        caption: { html: 'A <i>red</i> one', text: 'A red one' },
        showInGallery: true,
      },
      { title: 'File:Big.png', leadImage: false, section_id: 1, showInGallery: false },
    ],
  })
})

test('facts of a page are told by its title', async () => {
  const { body } = await get('/title/Rose')
  expect(body).toMatchObject({ items: [{ title: 'Rose', page_id: 1, rev: 1, redirect: false }] })
})

test('a random page is chosen anew each time', async () => {
  const { status, headers } = await get('/random/summary')
  expect(status).toBe(303)
  expect(headers['location']).toMatch(/^\.\.\/summary\/[^/]+$/)
  expect((await get('/random/nothing')).status).toBe(404)
})
