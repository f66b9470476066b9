/** HTML of pages and revisions: spec 4.5, 4.6, 4.8 and 4.14. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type * as ThreadCpuTimes from '../../src/workers/hosting/systemThreads.js'
import type { Answer, RequestOptions } from './garden.js'
import { folderWith, page, revision } from './busyWiki.js'
import { errorWith, LICENSE, noTitle, startGarden, startServer, type TestServer } from './garden.js'

/** Of all threads, where a test sets it: how much more processor time they have had whenever somebody looks. */
const given = vi.hoisted((): { stepMs: number | undefined; ms: number } => ({ stepMs: undefined, ms: 0 }))
vi.mock('../../src/workers/hosting/systemThreads.js', async (importActual) => {
  const actual = await importActual<typeof ThreadCpuTimes>()
  const threadCpuTimeMs: typeof actual.threadCpuTimeMs = (thread) =>
    given.stepMs === undefined ? actual.threadCpuTimeMs(thread) : (given.ms += given.stepMs)
  return { ...actual, threadCpuTimeMs }
})

const HTML_TYPE = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.1.0"'
const LONG = 'A long line of text that says little.\n\n'.repeat(3000)

const OTHER_LONG = 'Another line, of which none says much.\n\n'.repeat(3000)

let garden: TestServer
let wiki: TestServer
beforeAll(async () => {
  garden = await startGarden()
  const folder = await folderWith([
    page(1, 'Rose', [
      revision(1, 'A {{Colour}} rose. [[Weed]]'),
      revision(2, "A ''red'' {{Colour}} [[Weed]]"),
    ]),
    { ...page(2, 'Colour', [revision(3, 'deep red')]), namespace: 10 },
    page(3, 'Long', [revision(4, LONG)]),
    page(4, 'Code', [{ ...revision(5, 'let a = "<b>"'), contentModel: 'javascript' }]),
    page(5, 'Data', [{ ...revision(6, '{"a": 1}'), contentModel: 'json' }]),
    page(6, 'Old', [revision(7, '#REDIRECT [[Rose]]')]),
    page(7, 'Deep', [revision(8, '*'.repeat(100))]),
    page(8, 'Other', [revision(9, OTHER_LONG)]),
  ])
  wiki = await startServer(folder, { anonymousEdits: true })
})

const html = async (path: string, options?: RequestOptions): Promise<string> => {
  const { status, bytes } = await wiki.send(path, options)
  expect(status, bytes.toString().slice(0, 200)).toBe(200)
  return bytes.toString()
}

/** Number of renderings that the server has begun, from its metrics. */
const made = async (server: TestServer): Promise<number> =>
  figureOf(await server.send('/metrics'), 'palimpsest_html_made_total')

const figureOf = ({ bytes }: Answer, name: string): number => {
  const line = bytes
    .toString()
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
  return Number(line?.split(' ')[1])
}

const save = (title: string, source: string, latest?: number): Promise<{ status: number }> =>
  wiki.send(`/v1/page${latest === undefined ? '' : `/${title}`}`, {
    method: latest === undefined ? 'POST' : 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      title,
      source,
      comment: '',
      token: '+\\',
      ...(latest !== undefined && { latest: { id: latest } }),
    }),
  })

describe('GET /page/{title}/html', () => {
  test('answers a document that a browser can only show', async () => {
    const { status, headers, bytes } = await wiki.send('/v1/page/Rose/html')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': HTML_TYPE,
      'cache-control': 'max-age=5',
      etag: expect.stringMatching(/^"2\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/view\/html"$/) as string,
      'content-security-policy': expect.stringMatching(/^default-src 'none'; /) as string,
    })
    expect(headers['last-modified']).toMatch(/GMT$/)
    const text = bytes.toString()
    expect(text).toContain('about="http://wiki.invalid/wiki/Special:Redirect/revision/2"')
    expect(text).toContain('<link rel="dc:replaces" resource="mwr:revision/1"/>')
    expect(text).toContain('<meta property="dc:modified" content="2021-01-01T00:00:02.000Z"/>')
    expect(text).toMatch(/>deep red<\/span>/)
    expect(text).toMatch(/<a [^>]*href=".\/Weed"[^>]*class="new"/)
    expect(text).not.toContain('data-parsoid')
  })

  test('gives the same bytes and tag when it is kept, and obeys the tag', async () => {
    const first = await wiki.send('/v1/page/Rose/html')
    const again = await wiki.send('/v1/page/Rose/html')
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect(again.headers.etag).toBe(first.headers.etag)
    const headers = { 'If-None-Match': String(first.headers.etag) }
    expect((await wiki.send('/v1/page/Rose/html', { headers })).status).toBe(304)
    expect((await wiki.send('/v1/page/Rose/html?stash=1', { headers })).status).toBe(200)
  })

  test('answers HEAD with the same headers', async () => {
    const { headers } = await wiki.send('/v1/page/Long/html')
    const head = await wiki.send('/v1/page/Long/html', { method: 'HEAD' })
    expect(head.bytes).toHaveLength(0)
    for (const name of ['etag', 'content-type', 'content-length', 'content-security-policy'])
      expect(head.headers[name]).toBe(headers[name])
  })

  test.each([
    ['1', 'stash'],
    ['yes', 'stash'],
    ['FALSE', 'view'],
    ['0', 'view'],
  ])('names in the tag what stash=%s means', async (value, word) => {
    const { headers } = await wiki.send(`/v1/page/Rose/html?stash=${value}`)
    expect(headers.etag).toMatch(new RegExp(`/${word}/html"$`))
  })

  test('shows redirects as such, code as it stands, JSON as a table', async () => {
    expect(await html('/v1/page/Old/html')).toMatch(/<link rel="mw:PageProp\/redirect" href=".\/Rose"/)
    expect(await html('/v1/page/Code/html')).toContain('let a = "&lt;b>"')
    expect(await html('/v1/page/Data/html')).toMatch(/<table[^>]*mw-json/)
  })

  test('is made once when many ask at once', async () => {
    const saved = await save('Fresh', LONG)
    expect(saved.status).toBe(201)
    const before = await made(wiki)
    const answers = await Promise.all(Array.from({ length: 40 }, () => wiki.send('/v1/page/Fresh/html')))
    expect(await made(wiki)).toBe(before + 1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
  })
})

describe('an edit', () => {
  test('of a page gives new HTML', async () => {
    expect((await save('Tulip', 'yellow')).status).toBe(201)
    const { headers, bytes } = await wiki.send('/v1/page/Tulip/html')
    expect(bytes.toString()).toContain('yellow')
    const { body } = await wiki.send('/v1/page/Tulip')
    expect((await save('Tulip', 'white', (body as { latest: { id: number } }).latest.id)).status).toBe(200)
    const after = await wiki.send('/v1/page/Tulip/html')
    expect(after.bytes.toString()).toContain('white')
    expect(after.headers.etag).not.toBe(headers.etag)
  })

  test('of a template changes the pages that use it, also in the background', async () => {
    await save('Template:Price', 'three')
    await save('Shop', 'It costs {{Price}}.')
    expect(await html('/v1/page/Shop/html')).toContain('three')
    const { body } = await wiki.send('/v1/page/Template:Price')
    await save('Template:Price', 'four', (body as { latest: { id: number } }).latest.id)
    await wiki.app.context.renderings?.renderQueued()
    expect(await html('/v1/page/Shop/html')).toContain('four')
  })

  test('that makes a page takes the mark from links to it', async () => {
    await save('Garden', 'See [[Shed]].')
    expect(await html('/v1/page/Garden/html')).toContain('class="new"')
    await save('Shed', 'tools')
    expect(await html('/v1/page/Garden/html')).not.toContain('class="new"')
  })
})

describe('GET /page/{title}/with_html', () => {
  test('answers the page with the same document', async () => {
    const { status, headers, body } = await garden.send('/v1/page/Compost/with_html')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'max-age=5' })
    expect(headers.etag).toMatch(/\/view\/with_html"$/)
    const { bytes } = await garden.send('/v1/page/Compost/html')
    expect(body).toMatchObject({ key: 'Compost', license: LICENSE, html: bytes.toString() })
    expect(body).not.toHaveProperty('source')
  })

  test('answers a long document, which a thread makes a JSON string of', async () => {
    const { body } = await wiki.send('/v1/page/Long/with_html')
    expect((body as { html: string }).html === (await html('/v1/page/Long/html'))).toBe(true)
  })

  test('answers long documents beside others while all threads are busy', { tags: ['slow'] }, async () => {
    const documents = new Map<string, string>()
    for (const key of ['Long', 'Other']) documents.set(key, await html(`/v1/page/${key}/html`))
    const keys = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 'Other' : 'Long'))
    const answers = await Promise.all(keys.map((key, n) => wiki.send(`/v1/page/${key}/with_html?asked=${n}`)))
    const areRight = answers.map(({ body }, n) => (body as { html: string }).html === documents.get(keys[n]!))
    expect(areRight).toEqual(keys.map(() => true))
  })
})

describe('GET /revision/{id}/html and /with_html', () => {
  test('answer an old revision', async () => {
    expect(await html('/v1/revision/1/html')).toContain('A <span')
    const { body, headers } = await wiki.send('/v1/revision/1/with_html')
    expect(headers.etag).toMatch(/^"1\/.*\/view\/with_html"$/)
    expect(body).toMatchObject({ id: 1, page: { key: 'Rose' }, html: await html('/v1/revision/1/html') })
  })
})

describe('HTML is refused', () => {
  test.each([
    ['/v1/page/Nowhere/html', noTitle('Nowhere')],
    ['/v1/page/Nowhere/with_html', noTitle('Nowhere')],
    ['/v1/revision/9999/html', { errorKey: 'rest-nonexistent-revision', httpCode: 404 }],
    ['/v1/revision/9999/with_html', { errorKey: 'rest-nonexistent-revision', httpCode: 404 }],
    ['/v1/revision/203/html', { errorKey: 'rest-permission-denied-revision', httpCode: 403 }],
    ['/v1/revision/203/with_html', { errorKey: 'rest-permission-denied-revision', httpCode: 403 }],
    ['/v1/page/Sealed_letter/html', { errorKey: 'rest-source-hidden', httpCode: 404 }],
    ['/v1/page/Compost/html?stash=abc', { failureCode: 'badbool', httpCode: 400 }],
  ])('%s', async (path, error) => {
    expect((await garden.send(path)).body).toMatchObject(error)
  })

  test('of a text that is too much, with the reason and when to come back', async () => {
    const { status, headers, body } = await wiki.send('/v1/page/Deep/html')
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('600')
    expect(body).toEqual(
      errorWith(
        503,
        'rest-html-limit',
        'There is no HTML of this text: it has a list of more than 60 levels.',
        'Service Unavailable',
      ),
    )
  })

  test('everywhere on a server without it', async () => {
    const plain = await startGarden({ html: 'none' })
    for (const path of ['/v1/page/Compost/html', '/v1/page/Compost/with_html', '/v1/revision/101/html'])
      expect((await plain.send(path)).body).toMatchObject({
        errorKey: 'rest-html-not-configured',
        httpCode: 500,
      })
  })
})

describe('a page that takes too long', () => {
  test('is not tried again for a while, and the figures tell of it', { tags: ['hostile'] }, async () => {
    const folder = await folderWith([
      page(1, 'Slow', [revision(1, "'''a''' ".repeat(20_000))]),
      page(2, 'Quick', [revision(2, 'quick')]),
    ])
    const server = await startServer(folder, { renderTimeoutMs: '500', renderThreads: '1' })
    onTestFinished(() => void (given.stepMs = undefined))
    // The machine gives no time to any text: a page that is not ready by then may be tried again at once.
    given.stepMs = 0
    expect(await server.send('/v1/page/Slow/html')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    })
    await expect.poll(async () => (await server.send('/v1/page/Quick/html')).status).toBe(200)
    // It gives all that is asked for, at once.
    given.stepMs = 1000
    const slow = () => server.send('/v1/page/Slow/html')
    expect(await slow()).toMatchObject({ status: 503, headers: { 'retry-after': '600' } })
    const before = await made(server)
    for (let n = 0; n < 3; n++) expect((await slow()).headers['retry-after']).toBe('600')
    expect(await made(server)).toBe(before)
    expect((await server.send('/v1/page/Quick/html')).status).toBe(200)
    const metrics = async () => (await server.send('/metrics')).bytes.toString()
    // The writer thread keeps HTML after it was sent.
    await expect.poll(metrics).toMatch(/palimpsest_html_kept_bytes [1-9]\d+\n/)
    const text = await metrics()
    expect(text).toMatch(/palimpsest_pool_shed_total\{pool="render",reason="ran_too_long"\} [1-9]/)
    expect(text).toContain('palimpsest_render_seconds_count{task="page"} 1\n')
    expect(text).toContain('palimpsest_html_failing 1\n')
    expect(text).toMatch(/palimpsest_html_total\{result="miss"\} [1-9]/)
  })
})
