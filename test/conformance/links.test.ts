import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
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
