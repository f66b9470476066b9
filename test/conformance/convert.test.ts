/** The old conversion interface: spec 4.16. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startGarden, startServer, type TestServer } from './garden.js'

const HTML_TYPE = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.1.0"'
const WIKITEXT_TYPE =
  'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"'
const TEXT =
  "==  Odd spaces==\n*one\n* ''two''  {{Colour|1 = x}}\n\n{|\n|a||b\n|}\n<!-- note -->\nlast [[Weed|w]]s"

/** Names of elements, arguments and languages that meet those that the engine or JavaScript gives. */
const IDS = [
  ...[
    'mw',
    'mwA',
    'mwAg',
    'mwAQ',
    'mw-customcollapsible-0',
    'mw-customcollapsible-0',
    'hasOwnProperty',
    '__proto__',
  ].map((id) => `<div id="${id}">x</div>`),
  '{{{__proto__}}} {{{constructor|x}}}',
  '<syntaxhighlight lang="constructor">code</syntaxhighlight>',
].join('\n')

/** More than the engine could do: it would fill its stack or its memory. */
const DEEP = '[[File:F.jpg|thumb|'.repeat(2000) + ']]'.repeat(2000)

/** Sources that are not given to the engine as they are. */
const SOURCES: readonly (readonly [dbkey: string, contentModel: string, text: string])[] = [
  ['Garden.css', 'css', '\n\n.a > b { color: "<red>" }\r\n\n'],
  ['Garden.js', 'javascript', 'let a = "</pre>&amp;"\n'],
  ['Beds', 'Scribunto', 'return {\n\ttall = { "rose" },\n}'],
  ['Prices', 'json', '{ "rose":3,\n\n "tulip" : [ 1 ] }\n'],
  ['Odd', 'text', ''],
  ['Braces', 'wikitext', `Braces: ${'{{'.repeat(50)}\n\n== End ==`],
]

let server: TestServer
beforeAll(async () => {
  const folder = await folderWith([
    page(1, 'Rose', [revision(1, 'first'), revision(2, TEXT)]),
    page(2, 'Garden/Rose_bed', [revision(3, 'bed')]),
    { ...page(3, 'Colour', [revision(4, 'red {{{1}}}')]), namespace: 10 },
    page(40, 'Ids', [revision(40, IDS)]),
    page(41, '\ufeff', [revision(41, 'This is [[\ufeff]]')]),
    ...SOURCES.map(([dbkey, contentModel, text], n) =>
      page(5 + n, dbkey, [{ ...revision(5 + n, text), contentModel }]),
    ),
  ])
  const store = Store.open(folder)
  const site = { wikiId: 'rosewiki', base: 'https://rose.example/wiki/Rose' }
  new Applier(store).submit({ kind: 'settings', id: 'b'.repeat(32), time: 1_700_000_000, site })
  await store.close()
  server = await startServer(folder)
})

const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  server.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

const postMultipart = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return server.send(path, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body: `${parts.join('')}--edge--\r\n`,
  })
}

describe('GET /{wiki}/{page}', () => {
  test('leads to the latest revision and keeps the query', async () => {
    const { status, headers } = await server.send('/rosewiki/Garden%2FRose_bed?a=b%20c&d')
    expect(status).toBe(302)
    expect(headers.location).toBe(`${server.base}/rosewiki/Garden%2FRose_bed?oldid=3&a=b%20c&d`)
    expect(headers).toMatchObject({
      'cache-control': 'private,no-cache,s-maxage=0',
      deprecation: 'true',
      link: '<https://www.mediawiki.org/wiki/Parsoid/API>; rel="deprecation"',
    })
  })

  test('with a revision answers HTML that says where its elements came from', async () => {
    const { status, headers, bytes } = await server.send('/rosewiki/Rose?oldid=1')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': HTML_TYPE,
      'content-language': 'en',
      'content-revision-id': '1',
      vary: 'Accept, Accept-Encoding',
      deprecation: 'true',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    })
    expect(bytes.toString()).toContain(`<p data-parsoid='{"dsr":[0,5,0,0]}'>first</p>`)
  })
})

describe('POST /{wiki}/{page}', () => {
  test.each([
    ['URL-encoded', post],
    ['multipart', postMultipart],
  ])('converts wikitext to a document, %s', async (_kind, send) => {
    const { status, headers, bytes } = await send('/rosewiki/Any_page', { wt: "hi ''x'' é" })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': HTML_TYPE, deprecation: 'true' })
    expect(bytes.toString()).toMatch(/^<!DOCTYPE html>.*<title>Any page<\/title>.*<i [^>]*>x<\/i> é/s)
  })

  test.each(['1', 'true', 'yes'])('gives only the inside of the body for body=%s', async (body) => {
    const { bytes } = await post('/rosewiki/Any', { wt: 'hi', body })
    expect(bytes.toString()).toMatch(/^<section [^>]*><p [^>]*>hi<\/p><\/section>$/)
  })

  test.each([
    ['URL-encoded', post],
    ['multipart', postMultipart],
  ])('converts HTML to wikitext, %s', async (_kind, send) => {
    const html = '<p>hi <b>x</b></p><h2>t</h2>'
    const { status, headers, bytes } = await send('/rosewiki/Any', { html })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': WIKITEXT_TYPE, deprecation: 'true' })
    expect(bytes.toString()).toBe("hi '''x'''\n\n== t ==\n")
  })

  test.each([
    ['URL-encoded', post],
    ['multipart', postMultipart],
  ])('reads lines as the forms of browsers send them, %s', async (_kind, send) => {
    const lines = [
      '<gallery>',
      'Rose.jpg|one',
      'Tulip.jpg',
      '</gallery>',
      '',
      '* a',
      '* b',
      '{|',
      '| c',
      '|}',
    ]
    const sent = await send('/rosewiki/Any', { wt: lines.join('\r\n'), body: '1' })
    const { bytes } = await post('/rosewiki/Any', { wt: lines.join('\n'), body: '1' })
    expect(bytes.toString().match(/class="gallerybox"/g)).toHaveLength(2)
    expect(sent.bytes.toString()).toBe(bytes.toString())
  })

  test('needs no page', async () => {
    const html = await post('/rosewiki/', { wt: "''x''", body: '1' })
    expect([html.status, html.bytes.toString()]).toEqual([200, expect.stringContaining('<i ')])
    const wikitext = await post('/rosewiki/', { html: '<i>x</i>' })
    expect([wikitext.status, wikitext.bytes.toString()]).toEqual([200, "''x''"])
  })

  test('knows the page of a revision where none is named', async () => {
    const { bytes } = await server.send('/rosewiki/Rose?oldid=2')
    const answer = await post('/rosewiki/', { html: bytes.toString(), oldid: '2' })
    expect([answer.status, answer.bytes.toString()]).toEqual([200, TEXT])
    expect((await post('/rosewiki/', { html: 'x', oldid: '999' })).status).toBe(404)
  })

  test('gives back the same wikitext for the HTML of a revision, byte for byte', async () => {
    const { bytes } = await server.send('/rosewiki/Rose?oldid=2')
    const answer = await post('/rosewiki/Rose', { html: bytes.toString(), oldid: '2' })
    expect(answer.bytes.toString()).toBe(TEXT)
    const { bytes: withIds } = await server.send('/v1/revision/2/html')
    const again = await post('/rosewiki/Rose', { html: withIds.toString(), oldid: '2' })
    expect(again.bytes.toString()).toBe(TEXT)
  })

  test.each(SOURCES)('gives back %s, which is %s, as it was', async (dbkey) => {
    const revisionId = 5 + SOURCES.findIndex(([name]) => name === dbkey)
    const source = SOURCES[revisionId - 5]![2]
    const path = `/rosewiki/${dbkey}`
    const { bytes } = await server.send(`${path}?oldid=${revisionId}`)
    const answer = await post(path, { html: bytes.toString(), oldid: String(revisionId) })
    expect(answer.bytes.toString()).toBe(source)
    const { bytes: withIds } = await server.send(`/v1/revision/${revisionId}/html`)
    const again = await post(path, { html: withIds.toString(), oldid: String(revisionId) })
    expect(again.bytes.toString()).toBe(source)
  })

  test("keeps authors' ids that look like the engine's, and names that objects have", async () => {
    for (const [path, origin] of [
      ['/rosewiki/Ids?oldid=40', 'inline'],
      ['/v1/revision/40/html', 'ids'],
    ] as const) {
      const { status, bytes } = await server.send(path)
      expect([origin, status]).toEqual([origin, 200])
      const html = bytes.toString()
      expect((await post('/rosewiki/Ids', { html, oldid: '40' })).bytes.toString()).toBe(IDS)
      const changed = await post('/rosewiki/Ids', { html: html.replaceAll('>x<', '>y<'), oldid: '40' })
      expect(changed.bytes.toString()).toBe(IDS.replaceAll('>x<', '>y<'))
    }
  })

  test.each(['/v1/page/%EF%BB%BF/html', '/rosewiki/%EF%BB%BF?oldid=41', '/v1/page/%EF%BB%BF'])(
    'U+FEFF is the name of a page like any other: %s',
    async (path) => {
      const { status, bytes } = await server.send(path)
      expect(status).toBe(200)
      expect(bytes.toString()).toContain('\ufeff')
    },
  )

  test('gives code that was changed', async () => {
    const { bytes } = await server.send('/rosewiki/Garden.js?oldid=6')
    const html = bytes.toString().replace('let a', 'const a')
    const answer = await post('/rosewiki/Garden.js', { html, oldid: '6' })
    expect(answer.bytes.toString()).toBe('const a = "</pre>&amp;"\n')
    const json = await server.send('/rosewiki/Prices?oldid=8')
    const changed = await post('/rosewiki/Prices', {
      html: json.bytes.toString().replace('>3<', '>4<'),
      oldid: '8',
    })
    expect(JSON.parse(changed.bytes.toString())).toEqual({ rose: 4, tulip: [1] })
  })

  test('changes only what was changed', async () => {
    const { bytes } = await server.send('/rosewiki/Rose?oldid=2')
    const html = bytes.toString().replace('</section></body>', '<p>more</p></section></body>')
    const answer = await post('/rosewiki/Rose', { html, oldid: '2' })
    expect(answer.bytes.toString()).toBe(`${TEXT}\n\nmore`)
  })

  test('takes a large form, which a thread reads', async () => {
    const wt = 'Many words. '.repeat(20_000)
    for (const send of [post, postMultipart]) {
      const { bytes } = await send('/rosewiki/Any', { wt, body: '1' })
      expect(bytes.toString()).toContain(wt.trim())
    }
  })
})

describe('a conversion is refused', () => {
  test.each([
    ['without input', {}, 400, 'rest-conversion-no-input'],
    ['with a revision that is no number', { html: 'x', oldid: 'x' }, 400, 'paramvalidator-badinteger'],
    ['with an unknown revision', { html: 'x', oldid: '999' }, 404, 'rest-nonexistent-revision'],
    ['with a revision of another page', { html: 'x', oldid: '3' }, 404, 'rest-nonexistent-title-revision'],
    ['with a body that is no boolean', { wt: 'x', body: 'maybe' }, 400, 'paramvalidator-badbool'],
    ['when it nests too deep', { wt: DEEP }, 413, 'rest-conversion-limit'],
    ['when it is too much', { wt: '*'.repeat(500) }, 413, 'rest-conversion-limit'],
  ])('%s', async (_case, fields, status, errorKey) => {
    expect((await post('/rosewiki/Rose', fields)).body).toMatchObject({ httpCode: status, errorKey })
  })

  test.each(['application/json', 'text/plain'])('as %s', async (type) => {
    const headers = { 'content-type': type }
    const { status } = await server.send('/rosewiki/Rose', { method: 'POST', headers, body: '{"wt":"x"}' })
    expect(status).toBe(415)
  })

  test.each([
    ['/rosewiki/Nowhere', 404, 'rest-nonexistent-title'],
    ['/rosewiki/Rose?oldid=3', 404, 'rest-nonexistent-title-revision'],
    ['/rosewiki/Rose?oldid=999', 404, 'rest-nonexistent-title-revision'],
    ['/rosewiki/Rose?oldid=x', 400, 'paramvalidator-badinteger'],
    ['/otherwiki/Rose', 404, 'rest-no-match'],
    ['/rosewiki', 404, 'rest-no-match'],
  ])('at %s', async (path, status, errorKey) => {
    expect((await server.send(path)).body).toMatchObject({ httpCode: status, errorKey })
  })

  test('of a hidden text', async () => {
    const garden = await startGarden()
    const { body } = await garden.send('/gardenwiki/Rain_barrel?oldid=203')
    expect(body).toMatchObject({ httpCode: 403 })
  })

  test('without HTML on this server', async () => {
    const plain = await startGarden({ html: 'none' })
    expect((await plain.send('/gardenwiki/Compost?oldid=101')).status).toBe(500)
  })
})
