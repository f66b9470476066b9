/** Answers kept ready, while another process writes: never one from before what was committed. */
import { newChange } from '../support/changes.js'
import { DumpApplier } from '../support/store.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeStore } from '../support/administration.js'
import { Store } from '../../src/storage/store.js'
import { json, reusable } from '../../src/http/reply/reply.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { HttpServer } from '../../src/http/socket/server.js'
import { afterFile } from '../support/cleanUp.js'
import { startProcess } from '../support/command.js'
import { randomNumbers } from '../support/random.js'
import { type Answer, gardenFolder, send, startGarden, startServer, type TestServer } from './garden.js'

let store: Store
let applier: DumpApplier
/** URLs of the API of two servers in processes of their own. */
let servers: string[]

beforeAll(async () => {
  const dataDir = await gardenFolder()
  servers = await Promise.all([serve(dataDir), serve(dataDir)])
  store = Store.open(dataDir)
  applier = new DumpApplier(store)
})

afterAll(() => store.close())

async function serve(dataDir: string): Promise<string> {
  return `http://127.0.0.1:${await startProcess(dataDir, '--no-html')}/v1`
}

function edit(pageId: number, text: string): void {
  const baseRevisionId = store.getPageById(pageId)!.latestId
  const verdict = applier.submit({ kind: 'edit', ...newChange(), pageId, baseRevisionId, text })
  expect(verdict.result).toBe('saved')
}

interface Source {
  source: string
  latest: { id: number }
  license: { title: string }
}

async function read(base: string, key: string): Promise<Source> {
  const response = await fetch(`${base}/page/${key}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Source
}

describe('page reads beside a writer in another process', () => {
  test('show every edit as soon as it is committed, on every server', async () => {
    const random = randomNumbers(9)
    const pages = ['Hot_A', 'Hot_B', 'Hot_C'].map((dbkey) => {
      const verdict = applier.submit({ kind: 'create', ...newChange(), namespace: 0, dbkey, text: 'first' })
      return { dbkey, pageId: verdict.result === 'saved' ? verdict.pageId : 0, text: 'first' }
    })
    for (let n = 0; n < 150; n++) {
      const edited = pages[Math.floor(random() * pages.length)]!
      edited.text = `edit ${n} ${'x'.repeat(Math.floor(random() * 3000))}`
      edit(edited.pageId, edited.text)
      for (const base of servers) {
        for (const { dbkey, text } of pages) expect((await read(base, dbkey)).source).toBe(text)
      }
    }
  })

  test('show a rename and the page that comes in the place', async () => {
    const page = (id: number, dbkey: string, revisionId: number, text: string) => ({
      id,
      namespace: 0,
      dbkey,
      redirectTarget: undefined,
      revisions: [
        {
          id: revisionId,
          parentId: undefined,
          timestamp: 1_900_000_000,
          editor: { id: 1, name: 'Ann' },
          comment: '',
        },
      ].map((revision) => ({
        ...revision,
        minor: false,
        contentModel: 'wikitext',
        text,
        statedSizeBytes: undefined,
        statedSha1: undefined,
      })),
    })
    const [base] = servers as [string, string]
    applier.importPages('d', [page(9001, 'Before', 9001, 'text')])
    expect((await read(base, 'Before')).source).toBe('text')
    applier.importPages('d', [page(9001, 'After', 9001, 'text')])
    expect((await fetch(`${base}/page/Before`)).status).toBe(404)
    expect((await read(base, 'After')).source).toBe('text')
    applier.importPages('d', [page(9002, 'Before', 9002, 'another')])
    expect((await read(base, 'Before')).source).toBe('another')
  })
})

/** Of every route whose answers may be used again. */
const PATHS = [
  '/v1/page/Compost',
  '/v1/page/Compost/bare',
  '/v1/page/Compost/html',
  '/v1/page/Compost/with_html',
  '/v1/page/Compost/history',
  '/v1/page/Compost/history?filter=bot',
  '/v1/page/Compost/history?older_than=120',
  '/v1/page/Compost/history/counts/edits',
  '/v1/page/Compost/history/counts/editors?from=101&to=110',
  '/v1/page/Compost/links/language',
  '/v1/page/Compost/links/media',
  '/v1/revision/125',
  '/v1/revision/125/bare',
  '/v1/revision/125/html',
  '/v1/revision/125/with_html',
  '/v1/revision/101/compare/125',
  '/v1/search/page?q=compost&limit=5',
  '/v1/search/title?q=compost',
]

/** Of further interfaces. */
const OTHER_PATHS = [
  '/v1/page/Compost/markdown',
  '/api/rest_v1/page/html/Compost',
  '/api/rest_v1/page/summary/Compost',
  '/api/rest_v1/page/media-list/Compost',
  '/api/rest_v1/page/title/Compost',
  '/api.php?format=json&action=query&titles=Compost&prop=info|revisions|categories',
  '/api.php?format=json&action=query&titles=Compost&prop=extracts',
  '/api.php?format=json&action=query&list=backlinks&bltitle=Compost',
  '/api.php?format=json&action=opensearch&search=compost',
  '/api.php?format=json&action=parse&page=Compost',
  '/wiki/Compost',
]

describe('ready answers', () => {
  let dataDir: string
  /** One that keeps answers, and one over the same store that does not. */
  let garden: TestServer
  let plain: TestServer
  beforeAll(async () => {
    dataDir = await gardenFolder()
    const publicUrl = 'https://garden.example/api'
    garden = await startServer(dataDir, { publicUrl })
    plain = await startServer(dataDir, { publicUrl, hotAnswersBytes: '0' })
  })

  /** What must be equal in two answers of the same state. */
  const comparable = ({ status, headers, bytes }: Answer) => ({
    status,
    bytes: bytes.toString(),
    headers: { ...headers, 'x-request-id': undefined, date: undefined } as Answer['headers'],
  })

  /** Asks until an answer comes ready: the third time, or, for HTML, when it was written to the store and read from there. */
  async function readyFor(path: string): Promise<void> {
    await expect
      .poll(async () => {
        const before = await hits(garden)
        await garden.send(path)
        return (await hits(garden)) - before
      })
      .toBe(1)
  }

  const hits = (server: TestServer): Promise<number> => lookups(server, 'hit')

  async function lookups(server: TestServer, result: string): Promise<number> {
    const text = (await server.send('/metrics')).bytes.toString()
    return Number(new RegExp(`hot_answers_total\\{result="${result}"\\} (\\d+)`).exec(text)![1])
  }

  test.each([...PATHS, ...OTHER_PATHS])(
    'are the same bytes and headers as those made anew: %s',
    async (path) => {
      await readyFor(path)
      const before = await hits(garden)
      const answers = [await garden.send(path), await garden.send(path)]
      expect(await hits(garden)).toBe(before + 2)
      const fresh = await plain.send(path)
      for (const answer of answers) expect(comparable(answer)).toEqual(comparable(fresh))
      expect(fresh.status).toBe(200)
      expect(new Set([fresh, ...answers].map(({ headers }) => headers['x-request-id'])).size).toBe(3)
      for (const { headers } of answers) expect(headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/)
    },
  )

  test.each([{}, { allowCrossOrigin: 'true' }])(
    'bear the request id of a trusted proxy, and its own for all others: %j',
    async (settings) => {
      const proxied = await startServer(dataDir, { ...settings, trustedProxies: '127.0.0.1' })
      const ask = (headers: Record<string, string>) => proxied.send('/v1/page/Compost', { headers })
      const first = await ask({})
      for (const given of ['edge-1.req_42', 'x'.repeat(128), undefined, '<b>', 'a']) {
        const answer = await ask(given === undefined ? {} : { 'X-Request-Id': given })
        const isTaken = given !== undefined && given !== '<b>'
        expect(answer.headers['x-request-id']).toMatch(isTaken ? new RegExp(`^${given}$`) : /^[0-9a-f]{24}$/)
        expect(comparable(answer)).toEqual(comparable(first))
        expect(Object.keys(answer.headers)).toEqual(Object.keys(first.headers))
      }
      expect(await hits(proxied)).toBeGreaterThanOrEqual(4)
    },
  )

  test('name the host that they are asked for by', async () => {
    const open = await startServer(dataDir)
    const asked = async (host: string) => {
      const { body } = await open.send('/v1/page/Compost/history', { headers: { Host: host } })
      return (body as { latest: string }).latest
    }
    for (const host of ['one.example', 'one.example', 'two.example:81', 'one.example'])
      expect(await asked(host)).toBe(`http://${host}/v1/page/Compost/history`)
  })

  test('are true after every edit and whatever is hidden, on every route', async () => {
    const random = randomNumbers(31)
    const own = garden.app.context.store
    const titles = ['Compost', 'Rain_barrel', 'Compost_heap']
    for (let n = 0; n < 40; n++) {
      const dbkey = titles[Math.floor(random() * titles.length)]!
      const page = own.getPage(0, dbkey)
      const text = `Compost ${n} is soil with [[Rain barrel]] and {{Compost heap}}. [[de:Kompost ${n}]]`
      if (n % 4 === 3) {
        const revisionId = random() < 0.5 ? 125 : 110
        const [hidden, user, comment] = [random() < 0.5, random() < 0.5, random() < 0.5]
        changeStore(own, { kind: 'hide', revisionId, text: hidden, user, comment })
      } else {
        const write =
          page === undefined
            ? { kind: 'create' as const, namespace: 0, dbkey }
            : { kind: 'edit' as const, pageId: page.pageId, baseRevisionId: page.latestId }
        new DumpApplier(own).submit({ ...write, ...newChange(), text })
      }
      for (const path of PATHS) {
        const [ready, fresh] = [await garden.send(path), await plain.send(path)].map(comparable)
        // Both servers may make the HTML after an edit, at different times.
        const lastModified = path.endsWith('html') ? { 'last-modified': fresh!.headers['last-modified'] } : {}
        expect({ path, ...ready, headers: { ...ready!.headers, ...lastModified } }).toEqual({
          path,
          ...fresh,
        })
      }
    }
  })

  test.each([
    '/v1/page/Compost/history',
    '/v1/page/Compost/history/counts/edits',
    '/v1/page/Compost/history/counts/editors?from=101&to=110',
    '/v1/revision/125',
    '/v1/revision/125/bare',
    '/v1/revision/101/compare/125',
    '/v1/page/Compost/html',
  ])('stay ready when another page is edited: %s', async (path) => {
    const own = garden.app.context.store
    changeStore(own, { kind: 'hide', revisionId: 125, text: false, user: false, comment: false })
    await readyFor(path)
    const page = own.getPage(0, 'Rain_barrel')!
    const write = { kind: 'edit' as const, pageId: page.pageId, baseRevisionId: page.latestId }
    new DumpApplier(own).submit({ ...write, ...newChange(), text: `Rain ${path}` })
    const before = await lookups(garden, 'recheck')
    const again = await garden.send(path)
    expect(await lookups(garden, 'recheck')).toBe(before + 1)
    expect(comparable(again)).toEqual(comparable(await plain.send(path)))
  })

  test.each([
    ['the same tag', (etag: string) => ({ 'If-None-Match': etag }), 304],
    ['another tag', () => ({ 'If-None-Match': '"x"' }), 200],
    ['a tag that must match', () => ({ 'If-Match': '"x"' }), 412],
    ['a time after the edit', () => ({ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }), 304],
    ['a time before the edit', () => ({ 'If-Unmodified-Since': 'Fri, 01 Jan 1999 00:00:00 GMT' }), 412],
  ])('obey %s', async (_case, headers, status) => {
    const { headers: first } = await garden.send('/v1/page/Compost')
    expect((await garden.send('/v1/page/Compost', { headers: headers(String(first['etag'])) })).status).toBe(
      status,
    )
  })

  test('are not made of what was made for another licence and is ready only now', async () => {
    const { context } = (await startGarden()).app
    let gate = Promise.resolve()
    let ask = (): void => undefined
    const validators = { etag: undefined, lastModified: undefined }
    const slow = defineRoute({
      method: 'GET',
      path: '/slow',
      handler: ({ wiki }) => {
        ask()
        const answer = json({ license: wiki.site.license.title }, validators)
        return gate.then(() => reusable(answer, { validators, isCurrent: () => true }))
      },
    })
    const quick = defineRoute({ method: 'GET', path: '/quick', handler: () => json({}, validators) })
    const server = new HttpServer(context, [slow, quick])
    afterFile(() => server.close(0))
    const port = await server.listen()
    const licenseNow = async () =>
      ((await send(port, '/v1/slow', {})).body as { license: string } | undefined)?.license
    const before = await licenseNow()
    let open = (): void => undefined
    gate = new Promise((resolve) => (open = resolve))
    const asked = new Promise<void>((resolve) => (ask = resolve))
    const late = licenseNow()
    await asked
    const site = { license: { url: 'https://garden.example/newer', title: 'Newer licence' } }
    new DumpApplier(context.store).submit({ kind: 'settings', id: 'e'.repeat(32), time: 1_800_000_000, site })
    context.store.reloadSite()
    await send(port, '/v1/quick', {})
    open()
    expect(await late).toBe(before)
    for (let n = 0; n < 3; n++) expect(await licenseNow()).toBe('Newer licence')
  })

  test('follow the licence when it changes', async () => {
    await garden.send('/v1/page/Compost')
    const site = { license: { url: 'https://garden.example/new', title: 'New licence' } }
    const { store: own } = garden.app.context
    new DumpApplier(own).submit({ kind: 'settings', id: 'f'.repeat(32), time: 1_800_000_000, site })
    own.reloadSite()
    const { body } = await garden.send('/v1/page/Compost')
    expect((body as Source).license.title).toBe('New licence')
  })
})
