/** What a server with several wikis answers itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { App } from '../../src/app/app.js'
import { openFolder } from '../support/store.js'
import { send, temporaryFolder, testConfig } from './garden.js'
import { HOST, type SeveralWikis, startSeveral } from './severalWikis.js'

let server: SeveralWikis
beforeAll(async () => {
  server = await startSeveral({ metricsFrom: '127.0.0.1' })
})

describe('the root of the server', () => {
  test('lists the wikis for people', async () => {
    const { status, headers, bytes } = await server.send('/')
    const html = bytes.toString()
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toMatch(/<a href="\/garden\/"[^>]*>Wiki garden<\/a>/)
    expect(html).toMatch(/<a href="\/field\/"[^>]*>Wiki field<\/a>/)
    expect(html).toContain(`<a href="http://${HOST}:${server.port}/"`)
    expect(headers['content-security-policy']).toContain(`script-src 'self'`)
    for (const [, path] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
      expect([path, (await server.send(path!)).status]).toEqual([path, 200])
  })

  test('lists them for programs', async () => {
    const origin = `http://127.0.0.1:${server.port}`
    const { status, body } = await server.send('/v1/wikis')
    expect(status).toBe(200)
    expect(body).toEqual({
      wikis: [
        {
          name: 'garden',
          title: 'Wiki garden',
          language: 'en',
          pages: 4,
          url: `${origin}/garden/`,
          api: `${origin}/garden/v1`,
        },
        {
          name: 'field',
          title: 'Wiki field',
          language: 'en',
          pages: 4,
          url: `${origin}/field/`,
          api: `${origin}/field/v1`,
        },
        {
          ...{ name: HOST, title: 'Wiki rock', language: 'en', pages: 4 },
          ...{ url: `http://${HOST}:${server.port}/`, api: `http://${HOST}:${server.port}/v1` },
        },
      ],
    })
  })

  test('has the rules for robots and the icon of browsers', async () => {
    const robots = (await server.send('/robots.txt')).bytes.toString()
    expect(robots).toContain('Disallow: /garden/wiki/Special:\nDisallow: /field/wiki/Special:\n')
    expect(robots).toContain(`Sitemap: http://127.0.0.1:${server.port}/field/sitemap.xml`)
    expect(robots).not.toContain(HOST)
    expect((await server.garden.send('/robots.txt')).status).toBe(404)
    expect((await server.send('/favicon.ico')).headers['content-type']).toBe('image/x-icon')
  })

  test('leads from the name of a wiki to its beginning', async () => {
    const { status, headers } = await server.send('/garden')
    expect([status, headers['location']]).toEqual([301, '/garden/'])
  })

  test.each([
    '/nowhere',
    '/wiki/Moon',
    '/v1/page/Moon',
    '/gardening/v1/page/Moon',
    '//garden/v1/page/Moon',
    '/%67arden/',
  ])('has nothing at %s', async (path) => {
    expect(await server.send(path)).toMatchObject({ status: 404, body: { errorKey: 'rest-no-match' } })
  })

  test('says which methods it knows', async () => {
    expect(await server.send('/', { method: 'POST' })).toMatchObject({ status: 405 })
    const { status, headers } = await server.send('/', { method: 'OPTIONS' })
    expect([status, headers['access-control-allow-methods']]).toEqual([204, 'HEAD, GET'])
    const head = await server.send('/', { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })
})

describe('operators', () => {
  test('ask for the whole server at its root, whatever host they name', async () => {
    for (const host of ['127.0.0.1', HOST])
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect([path, (await send(server.port, path, { headers: { host } })).status]).toEqual([path, 200])
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await server.garden.send(path)).status).toBe(404)
  })

  test('learn which wikis are ready', async () => {
    const ready = { ready: true, reasons: [] }
    expect((await server.send('/readyz')).body).toEqual({
      ...ready,
      wikis: { garden: ready, field: ready, [HOST]: ready },
    })
  })

  test('see figures with the same labels for each name', async () => {
    await server.garden.send('/v1/page/Moon')
    await server.send('/')
    const text = (await server.send('/metrics')).bytes.toString()
    const labels = new Map<string, Set<string>>()
    for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
      const [, name, list = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /i.exec(line)!
      const names = [...list.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label!)
      const known = labels.get(name!) ?? new Set()
      labels.set(name!, known.add(names.toSorted().join()))
    }
    expect([...labels].filter(([, kinds]) => kinds.size > 1)).toEqual([])
    expect(text).toMatch(/palimpsest_http_requests_total\{[^}]*wiki="garden"[^}]*\} \d/)
    expect(text).toMatch(/palimpsest_http_requests_total\{[^}]*wiki=""[^}]*\} \d/)
    expect(text).toMatch(/palimpsest_store_\w+\{wiki="field"\} \d/)
    expect(text).not.toMatch(/palimpsest_pool_running\{[^}]*wiki=/)
    const helps = text.split('\n').filter((line) => line.startsWith('# HELP'))
    expect(helps.length).toBe(new Set(helps.map((line) => line.split(' ')[2])).size)
  })
})

test('a wiki that is not ready makes the server not ready, and is named', async () => {
  const { app, port, garden } = await startSeveral({ maxMirrorLagMs: '1' })
  const [, field] = app.contexts
  Object.defineProperty(field!.store, 'fault', { value: () => 'the store has another format' })
  expect(await send(port, '/readyz', {})).toMatchObject({
    status: 503,
    body: {
      ready: false,
      reasons: ['field: the store has another format'],
      wikis: { garden: { ready: true }, field: { ready: false } },
    },
  })
  expect((await garden.send('/v1/page/Moon')).status).toBe(200)
})

test('a store that cannot be read any more takes no other wiki with it', async () => {
  const { app, garden, field } = await startSeveral()
  const [, { store }] = app.contexts as [unknown, (typeof app.contexts)[number]]
  const failing = (): never => {
    throw new Error('the store is broken')
  }
  Object.defineProperty(store, 'refresh', { value: failing })
  await expect(field.send('/v1/page/Moon')).rejects.toThrow()
  await expect(field.send('/wiki/Moon', { method: 'POST', body: 'x' })).rejects.toThrow()
  for (let n = 0; n < 3; n++) expect((await garden.send('/v1/page/Moon')).status).toBe(200)
})

describe('a server does not start', () => {
  test('with a folder that has no wiki; it names the wiki, and makes no folder', async () => {
    const good = temporaryFolder()
    await openFolder(good, { create: true }).close()
    const missing = join(temporaryFolder(), 'nothing')
    const opened = App.open(testConfig('unused', { wiki: `one=${good},two=${missing}` }))
    await expect(opened).rejects.toThrow(/^wiki two: .*nothing/)
    expect(existsSync(missing)).toBe(false)
  })
})

test('settings of the server hold for all wikis: base path and public URL', async () => {
  const several = await startSeveral({
    basePath: '/w/rest.php',
    publicUrl: 'https://all.example:444/w/rest.php',
  })
  const { garden, rock } = several
  expect((await garden.send('/w/rest.php/v1/page/Moon/bare')).body).toMatchObject({
    html_url: 'https://all.example:444/garden/w/rest.php/v1/page/Moon/html',
  })
  expect((await rock.send('/w/rest.php/v1/page/Moon/bare')).body).toMatchObject({
    html_url: `https://${HOST}:444/w/rest.php/v1/page/Moon/html`,
  })
  const { wikis } = (await several.send('/w/rest.php/v1/wikis')).body as {
    wikis: { url: string; api: string }[]
  }
  expect(wikis.map(({ url, api }) => [url, api])).toEqual([
    ['https://all.example:444/garden/', 'https://all.example:444/garden/w/rest.php/v1'],
    ['https://all.example:444/field/', 'https://all.example:444/field/w/rest.php/v1'],
    [`https://${HOST}:444/`, `https://${HOST}:444/w/rest.php/v1`],
  ])
  expect((await garden.send('/w/api.php?action=query&meta=siteinfo&format=json')).status).toBe(200)
})
