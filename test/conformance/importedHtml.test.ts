/** HTML of snapshots as a server sends it, from the import to the next change of its page. */
// @module-tag slow
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { openDump } from '../../src/dump/openDump.js'
import { recognise } from '../../src/dump/sql/readTables.js'
import { SnapshotImport } from '../../src/import/snapshots/snapshotImport.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { dumpXml } from '../support/dump.js'
import { folderOfFile } from '../support/cleanUp.js'
import { type SnapshotPage, snapshotLines } from '../support/snapshots.js'
import { activeContent } from '../render/support/activeContent.js'
import { type Answer, type RequestOptions, startServer, type TestServer } from './garden.js'

const PROFILE = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"'
const OWN_PROFILE = PROFILE.replace('2.8.0', '2.1.0')

const PAGES: readonly SnapshotPage[] = [
  {
    id: 1,
    title: 'Rose',
    revision: 11,
    text: "''red'' {{Box}}",
    body: '<p id="mwAg"><i id="mwAw">red</i> <a rel="mw:WikiLink" href="./Tulip" title="Tulip">t</a> <a rel="mw:WikiLink" href="./Weed" title="Weed">w</a></p>',
    templates: ['Template:Box'],
    redirects: ['Roses'],
  },
  { id: 2, title: 'Tulip', revision: 12, text: 'yellow', body: '<p>of a snapshot</p>' },
  {
    id: 3,
    title: 'Script',
    revision: 13,
    text: 'x',
    body: '<script>alert(1)</script><p onclick="alert(2)">x</p>',
  },
  { id: 4, title: 'Edited', revision: 14, text: 'before', body: '<p>imported</p>' },
  {
    id: 5,
    title: 'Converted',
    revision: 15,
    text: "{{Box}}  ''x''",
    body: '<p id="mwAg">box  <i id="mwAw">x</i></p>',
  },
  { id: 6, title: 'Deep', revision: 16, text: 'shallow', body: '<div>'.repeat(20_000) },
]

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = folderOfFile()
  const path = join(folderOfFile(), 'pages.ndjson')
  writeFileSync(path, snapshotLines(PAGES))
  await importDumps({ dataDir: folder, paths: [path] })
  server = await startServer(folder, { anonymousEdits: true })
})

async function get(path: string, options?: RequestOptions): Promise<Answer> {
  const answer = await server.send(path, options)
  expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(200)
  return answer
}

const convert = (page: string, fields: Record<string, string>): Promise<Answer> =>
  server.send(`/testwiki/${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

const save = (title: string, latest: number, source: string): Promise<Answer> =>
  server.send(`/v1/page/${title}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, source, comment: '', token: '+\\', latest: { id: latest } }),
  })

describe('HTML of a snapshot', () => {
  test('is sent with the version that it states', async () => {
    const { headers, bytes } = await get('/v1/page/Rose/html')
    expect(headers).toMatchObject({
      'content-type': PROFILE,
      'content-security-policy': expect.stringMatching(/^default-src 'none'; /) as string,
      etag: expect.stringMatching(/^"11\/.*\/view\/html"$/) as string,
    })
    const html = bytes.toString()
    expect(html).toContain('<p id="mwAg"><i id="mwAw">red</i>')
    expect(html).toContain('<a rel="mw:WikiLink" href="./Tulip" title="Tulip">t</a>')
    expect(html).toContain('<a rel="mw:WikiLink" href="./Weed" title="Weed" class="new">w</a>')
    expect(html).toContain('<base href="//wiki.example/wiki/"/>')
  })

  test('is equal at each request, and in each route', async () => {
    const first = await get('/v1/page/Tulip/html')
    const again = await get('/v1/page/Tulip/html')
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect(again.headers).toMatchObject({ 'content-type': PROFILE, etag: first.headers['etag'] })
    const html = first.bytes.toString()
    expect((await get('/v1/page/Tulip/with_html')).body).toMatchObject({ id: 2, html })
    expect((await get('/v1/revision/12/with_html')).body).toMatchObject({ id: 12, html })
    const revision = await get('/v1/revision/12/html')
    expect(revision.bytes.toString()).toBe(html)
    expect(revision.headers['content-type']).toBe(PROFILE)
    const headers = { 'If-None-Match': String(first.headers['etag']) }
    expect((await server.send('/v1/page/Tulip/html', { headers })).status).toBe(304)
  })

  test('reaches nobody as active content', async () => {
    const { bytes, headers } = await get('/v1/page/Script/html')
    expect(activeContent(bytes.toString())).toEqual([])
    expect(bytes.toString()).toContain('<p>x</p>')
    expect(headers['content-type']).toBe(PROFILE)
    const { body } = await get('/v1/page/Script/with_html')
    expect(activeContent((body as { html: string }).html)).toEqual([])
  })

  test('that cannot be cleaned gives way to ours', async () => {
    const { bytes, headers } = await get('/v1/page/Deep/html')
    expect(headers['content-type']).toBe(OWN_PROFILE)
    expect(bytes.toString()).toContain('>shallow</p>')
    expect((await get('/v1/page/Deep/html')).bytes.equals(bytes)).toBe(true)
  })

  test('gives way to ours at the next change of its page', async () => {
    expect((await get('/v1/page/Edited/html')).bytes.toString()).toContain('imported')
    const saved = await save('Edited', 14, "''after''")
    expect(saved.status).toBe(200)
    const { bytes, headers } = await get('/v1/page/Edited/html')
    expect(headers['content-type']).toBe(OWN_PROFILE)
    expect(bytes.toString()).toMatch(/<i[^>]*>after<\/i>/)
    const before = await get('/v1/revision/14/html')
    expect(before.headers['content-type']).toBe(OWN_PROFILE)
    expect(before.bytes.toString()).toContain('before')
    expect(before.bytes.toString()).not.toContain('imported')
  })

  test('brings the redirects that it names', async () => {
    expect((await get('/v1/page/Roses')).body).toMatchObject({ source: '#REDIRECT [[Rose]]', title: 'Roses' })
  })

  test('is counted', async () => {
    const { bytes } = await server.send('/metrics')
    expect(bytes.toString()).toMatch(/^palimpsest_html_imported [3-6]$/m)
    expect(bytes.toString()).toMatch(/^palimpsest_html_imported_bytes [1-9]\d*$/m)
  })
})

describe('the way back to wikitext', () => {
  test('of unchanged HTML gives the source', async () => {
    const html = (await get('/v1/page/Converted/html')).bytes.toString()
    for (const sent of [html, html.replace(/^[^]*<body[^>]*>|<\/body>[^]*$/g, '')]) {
      const { status, bytes } = await convert('Converted', { html: sent, oldid: '15' })
      expect(status).toBe(200)
      expect(bytes.toString()).toBe("{{Box}}  ''x''")
    }
  })

  test('of changed HTML is refused, since it could damage the page', async () => {
    const html = (await get('/v1/page/Converted/html')).bytes.toString().replace('>x</i>', '>y</i>')
    const refused = { status: 422, body: { errorKey: 'rest-conversion-imported' } }
    expect(await convert('Converted', { html, oldid: '15' })).toMatchObject(refused)
    expect(await convert('Converted', { html, oldid: '12' })).toMatchObject({ status: 404 })
    expect(await convert('Converted', { html })).toMatchObject(refused)
  })

  test('of HTML for editors keeps the rest of the page', async () => {
    const editable = (await get('/testwiki/Converted?oldid=15')).bytes.toString()
    expect(editable).toContain('data-parsoid')
    const unchanged = await convert('Converted', { html: editable, oldid: '15' })
    expect(unchanged.bytes.toString()).toBe("{{Box}}  ''x''")
    const changed = await convert('Converted', { html: editable.replace('>x</i>', '>y</i>'), oldid: '15' })
    expect(changed.bytes.toString()).toBe("{{Box}}  ''y''")
  })
})

describe('an import beside a server', () => {
  test('replaces our HTML of the very same revisions, also in ready answers', async () => {
    const dataDir = folderOfFile()
    const files = folderOfFile()
    const write = (name: string, contents: string): string => {
      const path = join(files, name)
      writeFileSync(path, contents)
      return path
    }
    const dump = write(
      'dump.xml',
      dumpXml([
        { id: 1, title: 'Rose', revisions: [{ id: 11, text: 'red' }] },
        { id: 2, title: 'Tulip', revisions: [{ id: 12, text: 'yellow' }] },
      ]),
    )
    await importDumps({ dataDir, paths: [dump] })
    const beside = await startServer(dataDir)
    const htmlOf = async (title: string): Promise<string> => {
      for (let n = 0; n < 3; n++) await beside.send(`/v1/page/${title}/html`)
      const { headers, bytes } = await beside.send(`/v1/page/${title}/html`)
      return `${String(headers['content-type']).slice(-6, -1)} ${bytes.toString()}`
    }
    expect(await htmlOf('Rose')).toMatch(/^2\.1\.0 /)
    const snapshot = write(
      'pages.ndjson',
      snapshotLines([
        { id: 1, title: 'Rose', revision: 11, text: 'red', body: '<p>of a snapshot</p>' },
        { id: 2, title: 'Tulip', revision: 99, text: 'white', body: '<p>newer</p>' },
      ]),
    )
    // One process has a store open only once, so the import shares that of the server.
    const { store } = beside.app.context
    const { source } = await recognise(await openDump(snapshot))
    const nothing = (): void => undefined
    const run = new SnapshotImport({
      store,
      applier: new Applier(store),
      source,
      form: 'lines',
      batchBytes: 1,
      nowMs: 0,
      tell: nothing,
      onLine: nothing,
    })
    await run.run()
    await source.close()
    expect(run.htmlCounts).toEqual({ kept: 1, known: 0, unused: 1, skipped: 0 })
    expect(await htmlOf('Rose')).toMatch(/^2\.8\.0 .*<p>of a snapshot<\/p>/s)
    expect(await htmlOf('Tulip')).toMatch(/^2\.1\.0 .*yellow/s)
    expect(await htmlOf('Tulip')).not.toContain('newer')
  })
})
