/** Files that imported SQL tables name: their routes, their pictures in pages, and answers kept before the import. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { SpareTable } from '../../src/storage/apply/sqlTables/spareTable.js'
import { valuesOfImage } from '../../src/storage/sqlTables/imageFacts.js'
import { Store } from '../../src/storage/store.js'
import { runHosted } from '../support/command.js'
import { facts } from '../support/files.js'
import { imageTable, insert, oldImageTable, sqlTable } from '../support/sqlTables.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer } from './garden.js'

const URLS = {
  remoteFileUrl: 'https://commons.example/{name}',
  remoteThumbnailUrl: 'https://commons.example/thumb/{name}/{width}',
  wikiFileUrl: 'https://garden.example/{name}',
  wikiThumbnailUrl: 'https://garden.example/thumb/{name}/{width}',
}

test('files of tables have routes, and pictures of the right size and repository in pages', async () => {
  const text = '[[File:Leaf.png|thumb|60px]] [[File:Far.png|30px]]'
  const lost = '[[File:Lost.png|30px]]'
  const dataDir = await folderWith([page(1, 'Oak', [revision(1, text)]), page(2, 'Elm', [revision(2, lost)])])
  const server = await startServer(dataDir, URLS)
  const importTable = (table: string, ...flags: string[]): void => {
    const { status, err } = runHosted(['import', '--quiet', '--data-dir', dataDir, ...flags, '-'], table)
    expect({ status, err }).toEqual({ status: 0, err: '' })
  }
  const mediaOf = async (): Promise<string[]> => {
    const { body } = await server.send('/v1/page/Oak/links/media')
    return (body as { files: { original: { url: string } }[] }).files.map(({ original }) => original.url)
  }
  const html = async (): Promise<string> => (await server.send('/v1/page/Oak/html')).bytes.toString()
  expect(await html()).not.toContain('height=')
  expect(await mediaOf()).toEqual([])
  expect(await server.send('/v1/file/Leaf.png')).toMatchObject({ status: 404 })

  importTable(imageTable([{ name: 'Leaf.png' }]))
  const links = insert('imagelinks', [
    [1, 'Leaf.png'],
    [1, 'Far.png'],
  ])
  importTable(sqlTable('imagelinks', ['il_from', 'il_to'], links))
  importTable(imageTable([{ name: 'Far.png', width: 200, height: 100 }]), '--shared')
  expect(await mediaOf()).toEqual(['https://commons.example/Far.png', 'https://garden.example/Leaf.png'])
  const shown = await html()
  expect(shown).toMatch(/src="\/\/garden\.example\/thumb\/Leaf\.png\/60"[^>]* height="40" width="60"/)
  expect(shown).toMatch(/src="\/\/commons\.example\/thumb\/Far\.png\/30"[^>]* height="15" width="30"/)
  const missing = (await server.send('/v1/page/Elm/html')).bytes.toString()
  expect([missing.includes('commons.example'), missing.includes('mw:Error')]).toEqual([false, true])
  importTable(oldImageTable([{ name: 'Leaf.png', archiveName: '20260101000000!Leaf.png' }]))
  const versions = async (rest: string): Promise<unknown> => {
    const path = '/api.php?action=query&format=json&formatversion=2&prop=imageinfo&titles=File:Leaf.png'
    return JSON.parse((await server.send(path + rest)).bytes.toString())
  }
  expect(await versions('')).toMatchObject({ continue: { iistart: '2025-11-22T14:31:46Z' } })
  expect(await versions('&iilimit=2&iiprop=size|archivename|url|timestamp')).toMatchObject({
    batchcomplete: true,
    query: {
      pages: [
        {
          imageinfo: [
            { size: 283, url: 'https://garden.example/Leaf.png' },
            { size: 200, width: 60, archivename: '20260101000000!Leaf.png', filemissing: true },
          ],
        },
      ],
    },
  })
  expect(await versions('&iistart=2025-12-01T00:00:00Z&iiprop=size')).toMatchObject({
    query: { pages: [{ imageinfo: [{ size: 200 }] }] },
  })
  const { status, headers, body } = await server.send('/v1/file/File:Leaf.png')
  expect({ status, headers }).toMatchObject({
    status: 200,
    headers: { etag: '"fa02wbrxnn6mnhkchwu93gi24xcw06u"', 'last-modified': 'Sun, 22 Nov 2026 14:31:46 GMT' },
  })
  expect(body).toMatchObject({
    title: 'Leaf.png',
    latest: { timestamp: '2026-11-22T14:31:46Z', user: null },
    original: {
      mediatype: 'BITMAP',
      size: 283,
      width: 120,
      height: 80,
      url: 'https://garden.example/Leaf.png',
    },
    thumbnail: { width: 120, url: 'https://garden.example/Leaf.png' },
  })

  importTable(imageTable([{ name: 'Leaf.png', width: 60, height: 30 }]))
  expect(await html()).toMatch(/src="\/\/garden\.example\/Leaf\.png"[^>]* height="30" width="60"/)
  importTable(imageTable([]))
  expect(await mediaOf()).toEqual(['https://commons.example/Far.png'])
  expect(await server.send('/v1/file/Leaf.png')).toMatchObject({ status: 404 })
})

test('the server of a wiki settles a table whose import was killed', async () => {
  const dataDir = await folderWith([page(1, 'Oak', [revision(1, 'x')])])
  const store = Store.open(dataDir)
  const spare = new SpareTable(store, 'image')
  const values = new Map(valuesOfImage(facts()))
  const names = Array.from({ length: 6000 }, (_, n) => `File_${n}.png`)
  spare.add(new Map(names.map((name) => [name, { rows: 1, flat: [...values].flat() }])))
  const entry = { kind: 'table', table: 'image', dump: 'x', sha256: null, rows: 6000, spare } as const
  new Applier(store).submit({ ...entry, id: randomEntryId(), time: 0 })
  expect([store.getFile('File_0.png'), store.getFile('File_9.png')]).toEqual([undefined, undefined])
  await store.close()
  const server = await startServer(dataDir, URLS)
  server.app.warm()
  while ((await server.send('/v1/file/File_999.png')).status !== 200) await setImmediate()
  expect(await server.send('/v1/file/File_0.png')).toMatchObject({ status: 200 })
})
