/** The menu of other languages on pages for readers, which is kept with the HTML of a page. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../support/command.js'
import { langlinks } from '../support/sqlTables.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

let dataDir: string
let server: TestServer
beforeAll(async () => {
  dataDir = await folderWith([
    page(1, 'Sea', [revision(1, 'old [[de:Alt]]'), revision(2, 'new [[fr:Mer]] [[de:Meer]] [[de:Zwei]]')]),
    { ...page(2, 'Ocean', [revision(3, '#REDIRECT [[Sea#Coast]]')]), redirectTarget: 'Sea#Coast' },
    page(3, 'Alone', [revision(4, 'no languages')]),
  ])
  server = await startServer(dataDir)
})

const importLinks = (rows: Parameters<typeof langlinks>[0]): void => {
  const { status, err } = runCommand(['import', '--quiet', '--data-dir', dataDir, '-'], langlinks(rows))
  expect({ status, err }).toEqual({ status: 0, err: '' })
}

/** The menu of a page: languages and titles. Every request gets the same answer, in gzip too. */
async function menuOf(path: string): Promise<{ readonly links: string[]; readonly etag: unknown }> {
  const { status, bytes, headers } = await server.send(path)
  expect(status).toBe(200)
  for (const _ of ['made', 'kept']) {
    const packed = await server.send(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).equals((await server.send(path)).bytes)).toBe(true)
    expect(gunzipSync(packed.bytes).equals(bytes)).toBe(true)
  }
  const links = bytes.toString().matchAll(/hreflang="([^"]*)" dir="auto" title="([^"]*)"/g)
  return { links: [...links].map(([, code, title]) => `${code}:${title}`), etag: headers.etag }
}

describe('the menu of languages', () => {
  test('has the first link of each language in the text', async () => {
    for (const path of ['/wiki/Sea', '/wiki/Ocean', '/wiki/Sea?oldid=2'])
      expect((await menuOf(path)).links).toEqual(['de:Meer', 'fr:Mer'])
    expect((await menuOf('/wiki/Sea?oldid=1')).links).toEqual(['de:Alt'])
    expect((await menuOf('/wiki/Alone')).links).toEqual([])
  })

  test('follows imported tables at once, and ready answers do too', async () => {
    const tags = [(await menuOf('/wiki/Sea')).etag]
    for (const [rows, links] of [
      [
        [[1, 'de', 'See'] as const, [1, 'sv', 'Hav'] as const],
        ['de:See', 'sv:Hav'],
      ],
      [[[1, 'sv', 'Sjö'] as const], ['sv:Sjö']],
      [[[3, 'sv', 'Ensam'] as const], ['de:Meer', 'fr:Mer']],
    ] as const) {
      importLinks(rows.map((row) => [...row]))
      const menu = await menuOf('/wiki/Sea')
      expect(menu.links).toEqual(links)
      expect((await menuOf('/wiki/Ocean')).links).toEqual(links)
      tags.push(menu.etag)
    }
    // The last state is the first one again.
    expect(new Set(tags).size).toBe(3)
    expect(tags.at(-1)).toBe(tags[0])
    expect((await menuOf('/wiki/Alone')).links).toEqual(['sv:Ensam'])
  })
})
