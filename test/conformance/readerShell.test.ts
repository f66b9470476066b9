/** The shell of pages for readers, which is kept with the HTML of a page. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create } from './editing.js'
import { startServer, type TestServer } from './garden.js'

let dataDir: string
let server: TestServer
const TEXT = '== Thorns ==\n=== Sharp ===\n== Leaves ==\n[[de:Rose]] [[Category:Plants]] [[Weed]]'
beforeAll(async () => {
  dataDir = await folderWith([
    page(1, 'Rose', [revision(1, TEXT)]),
    { ...page(2, 'Roses', [revision(2, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
    { ...page(3, 'Circle', [revision(3, '#REDIRECT [[Circle]]')]), redirectTarget: 'Circle' },
  ])
  server = await startServer(dataDir, { anonymousEdits: true })
})

/** The basis of the shell that the store has for revision 1. */
async function keptBasis(): Promise<string | undefined> {
  const store = Store.open(dataDir)
  try {
    const [row] = store.tables.html.getRange({ start: 1, end: 2 })
    return row && store.html.get(1, row.value.subarray(0, 8))?.shell?.basis
  } finally {
    await store.close()
  }
}

let asked = 0
/** A page that no cache has, plain and in gzip. */
async function pageAt(path: string): Promise<{ readonly text: string; readonly etag: unknown }> {
  const url = (): string => `${path}${path.includes('?') ? '&' : '?'}asked=${asked++}`
  const { status, bytes, headers } = await server.send(url())
  expect(status).toBe(200)
  const packed = await server.send(url(), { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.bytes).equals(bytes)).toBe(true)
  return { text: bytes.toString(), etag: headers.etag }
}

/** The page with the shell of the store, which comes there soon. It must be as the page with a shell of its own. */
async function pageWithKeptShell(path: string, earlier: string | undefined): Promise<string> {
  const made = await pageAt(path)
  await server.app.contexts[0]!.renderings!.renewShells()
  await expect.poll(keptBasis).not.toBe(earlier)
  expect(await pageAt(path)).toEqual(made)
  return made.text
}

describe('the shell of a page', () => {
  test('is kept with its HTML, and made again when something else changes it', async () => {
    const first = await pageWithKeptShell('/wiki/Rose', undefined)
    expect(first).toContain('<a href="/wiki/Talk:Rose" class="new">')
    const basis = await keptBasis()
    expect((await create(server, 'Talk:Rose', 'Well')).status).toBe(201)
    const later = await pageWithKeptShell('/wiki/Rose', basis)
    expect(later).toBe(first.replace('"/wiki/Talk:Rose" class="new"', '"/wiki/Talk:Rose"'))
  })

  test('is not that of a redirect, nor of an older view', async () => {
    await pageAt('/wiki/Rose')
    expect((await pageAt('/wiki/Roses')).text).toContain('Redirected from <a href="/wiki/Roses?redirect=no">')
    expect((await pageAt('/wiki/Rose?oldid=1')).text).toContain('class="notice"')
    expect((await pageAt('/wiki/Circle')).text).toContain('/wiki/Circle?redirect=no')
  })
})
