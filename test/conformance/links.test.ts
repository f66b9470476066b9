import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { sendJson } from './editing.js'
import { runHosted } from '../support/command.js'
import { facts, fileEntry } from '../support/files.js'
import { insert, langlinks, sqlTable } from '../support/sqlTables.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { startGarden, startServer, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

describe('GET /page/{title}/links/language', () => {
  test('lists the first link of each language by code, with the language’s own name', async () => {
    const { status, headers, body } = await garden.send('/v1/page/Bird_bath/links/language')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      etag: '"1201@20240415100000"',
      'last-modified': 'Mon, 15 Apr 2024 10:00:00 GMT',
    })
    expect(headers['cache-control']).toBeUndefined()
    expect(body).toEqual([
      { code: 'de', name: 'Deutsch', key: 'Vogelbad', title: 'Vogelbad' },
      { code: 'fr', name: 'français', key: "Bain_d'oiseaux", title: "Bain d'oiseaux" },
    ])
  })

  test('is an empty list for a page without such links', async () => {
    expect(await garden.send('/v1/page/Compost/links/language')).toMatchObject({ status: 200, body: [] })
  })
})

test('the files of an imported table go before those of the text, and change the kept answer', async () => {
  const dataDir = await folderWith([page(1, 'Sea', [revision(1, '{{Box}} [[File:Sea.png]]')])])
  const store = Store.open(dataDir)
  for (const name of ['Sea.png', 'Wave.png']) new Applier(store).submit(fileEntry(name, facts()))
  await store.close()
  const server = await startServer(dataDir, {
    remoteFileUrl: 'https://upload.example/{hash1}/{hash2}/{name}',
  })
  const names = async (): Promise<string[]> => {
    const { status, headers, body } = await server.send('/v1/page/Sea/links/media')
    expect(status).toBe(200)
    const again = await server.send('/v1/page/Sea/links/media', {
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.status).toBe(304)
    return (body as { files: { title: string }[] }).files.map(({ title }) => title)
  }
  const importNames = (...files: string[]): void => {
    const rows = insert(
      'imagelinks',
      files.map((name) => [1, name, 0]),
    )
    const table = sqlTable('imagelinks', ['il_from', 'il_to', 'il_from_namespace'], rows)
    expect(runHosted(['import', '--quiet', '--data-dir', dataDir, '-'], table)).toMatchObject({
      status: 0,
      err: '',
    })
  }
  importNames('Wave.png', 'Missing.png')
  expect(await names()).toEqual(['Wave.png'])
  expect(await names()).toEqual(['Wave.png'])
  importNames('Wave.png', 'Sea.png')
  expect(await names()).toEqual(['Sea.png', 'Wave.png'])
})

describe('the language links of an imported table', () => {
  test('go before those of the text, and change the answer, its tag and kept answers at once', async () => {
    const dataDir = await folderWith([
      page(1, 'Sea', [revision(1, '[[de:Aus dem Text]]')]),
      page(2, 'Moon', [revision(2, '[[de:Mond]]')]),
    ])
    const server = await startServer(dataDir)
    const path = '/v1/page/Sea/links/language'
    const importLinks = (rows: Parameters<typeof langlinks>[0]): void => {
      const { status, err } = runHosted(['import', '--quiet', '--data-dir', dataDir, '-'], langlinks(rows))
      expect({ status, err }).toEqual({ status: 0, err: '' })
    }
    const tags: string[] = []
    const expectLinks = async (links: readonly string[]): Promise<void> => {
      for (const _ of ['made', 'kept']) {
        const { status, headers, body } = await server.send(path)
        expect(status).toBe(200)
        expect((body as { code: string; key: string }[]).map(({ code, key }) => `${code}:${key}`)).toEqual(
          links,
        )
        tags.push(String(headers.etag))
        const again = await server.send(path, { headers: { 'if-none-match': String(headers.etag) } })
        expect(again.status).toBe(304)
      }
    }
    await expectLinks(['de:Aus_dem_Text'])
    importLinks([
      [1, 'de', 'Meer'],
      [1, 'fr', 'Mer'],
    ])
    await expectLinks(['de:Meer', 'fr:Mer'])
    importLinks([[1, 'fr', 'Océan']])
    await expectLinks(['fr:Océan'])
    expect(new Set(tags).size).toBe(3)
    const moon = await server.send('/v1/page/Moon/links/language')
    expect(moon.body).toMatchObject([{ code: 'de', key: 'Mond' }])
    const { status } = await server.send(path, {
      headers: { 'if-modified-since': 'Wed, 01 Jan 2031 00:00:00 GMT' },
    })
    expect(status).toBe(200)
  })
})

test('the links of a long page are found by a compute thread', async () => {
  const wikitext = `${'Long text without links.\n'.repeat(6000)}[[fr:Mer]]\n[[de:Meer]]`
  const server = await startServer(await folderWith([page(1, 'Sea', [revision(1, wikitext)])]))
  const { status, headers, body } = await server.send('/v1/page/Sea/links/language')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json')
  expect(body).toEqual([
    { code: 'de', name: 'Deutsch', key: 'Meer', title: 'Meer' },
    { code: 'fr', name: 'français', key: 'Mer', title: 'Mer' },
  ])
})

describe('the language links of a page with templates', () => {
  const template = (id: number, name: string, text: string) => ({
    ...page(id, name, [revision(10 * id, text)]),
    namespace: 10,
  })
  let server: TestServer
  beforeAll(async () => {
    const sea =
      '{{Sisters|de=Meer}}{{#if:|[[it:Mare]]|[[it:Mare]] [[es:Mar]]}}<!-- [[fr:Mer]] -->{{lc:[[nl:ZEE]]}}'
    const sisters = '<includeonly>[[de:{{{de}}}]]</includeonly><noinclude>[[da:Skabelon]]</noinclude>'
    const folder = await folderWith([page(1, 'Sea', [revision(1, sea)]), template(2, 'Sisters', sisters)])
    server = await startServer(folder, { anonymousEdits: true })
  })

  test('are those of its templates too', async () => {
    const { status, headers, body } = await server.send('/v1/page/Sea/links/language')
    expect(status).toBe(200)
    expect(headers['last-modified']).toMatch(/GMT$/)
    expect((body as { code: string; key: string }[]).map(({ code, key }) => `${code}:${key}`)).toEqual([
      'de:Meer',
      'es:Mar',
      'it:Mare',
      'nl:Zee',
    ])
    const own = await server.send('/v1/page/Template:Sisters/links/language')
    expect(own.body).toMatchObject([{ code: 'da', key: 'Skabelon' }])
  })

  test('have another tag when a template brings others', async () => {
    const path = '/v1/page/Sea/links/language'
    const { headers } = await server.send(path)
    const [etag, date] = [String(headers.etag), String(headers['last-modified'])]
    expect((await server.send(path, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    const fields = { source: '[[sv:Hav]]', comment: '', latest: { id: 20 }, token: '+\\' }
    expect((await sendJson(server, 'PUT', '/v1/page/Template:Sisters', fields)).status).toBe(200)
    expect((await server.send(path, { headers: { 'If-Modified-Since': date } })).status).toBe(200)
    const again = await server.send(path, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(200)
    expect((again.body as { code: string }[]).map(({ code }) => code)).toEqual(['es', 'it', 'nl', 'sv'])
  })
})
