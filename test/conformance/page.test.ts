import { beforeAll, describe, expect, test } from 'vitest'
import { badParameter, LICENSE, noTitle, startGarden, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

const CACHED = { 'content-type': 'application/json', 'cache-control': 'max-age=5' }
const TURNING = {
  id: 6,
  key: 'Compost/Turning',
  title: 'Compost/Turning',
  latest: { id: 601, timestamp: '2024-04-09T10:00:00Z' },
  content_model: 'wikitext',
  license: LICENSE,
}

describe('GET /page/{title}', () => {
  test('answers the page with its latest source', async () => {
    const { status, headers, body } = await garden.send('/v1/page/Compost%2FTurning')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      ...CACHED,
      etag: expect.stringMatching(/^"[0-9a-f]{40}"$/) as string,
      'last-modified': 'Tue, 09 Apr 2024 10:00:00 GMT',
      'x-content-type-options': 'nosniff',
    })
    expect(body).toEqual({ ...TURNING, source: 'Turn it once a month.' })
  })

  test.each([
    ['Cyrillic', '%D0%A1%D0%B0%D0%B4', 'Сад', 'Сад — это терпение.'],
    ['Japanese', '%E5%BA%AD', '庭', '庭には苔があります。'],
    ['an astral character in the source', 'Caf%C3%A9_au_jardin', 'Café au jardin', 'Sous le tilleul. 🌳'],
    ['signs', '100%25_%22natural%22%3F', '100% "natural"?', 'A & B < C\tand "so" on \\ further.'],
    ['a talk page', 'Talk:Compost', 'Talk:Compost', 'How long does it take?'],
    ['a redirect, which is not followed', 'Mulch', 'Mulch', '#REDIRECT [[Compost]]'],
  ])('answers %s', async (_case, path, title, source) => {
    const { body } = await garden.send(`/v1/page/${path}`)
    expect(body).toMatchObject({ title, key: title.replaceAll(' ', '_'), source })
  })

  test.each([
    ['User:Ann%2Fgarden.css', 'css', '.leaf > .stem { color: green }'],
    ['MediaWiki:Seasons.json', 'json', '{"spring": 3, "quote": "\\"soon\\""}'],
  ])('answers %s with its content model', async (path, model, source) => {
    const { body } = await garden.send(`/v1/page/${path}`)
    expect(body).toMatchObject({ content_model: model, source })
  })

  test('says that a hidden latest text cannot be loaded', async () => {
    const { status, body } = await garden.send('/v1/page/Sealed_letter')
    expect(status).toBe(404)
    expect(body).toMatchObject({ errorKey: 'rest-source-hidden' })
  })
})

describe('GET /page/{title}/bare', () => {
  test('answers the page with the URL of its HTML in place of the source', async () => {
    const { status, headers, body } = await garden.send('/v1/page/Compost%2FTurning/bare')
    expect(status).toBe(200)
    expect(headers).toMatchObject(CACHED)
    expect(body).toEqual({ ...TURNING, html_url: `${garden.base}/v1/page/Compost%2FTurning/html` })
  })

  test.each([
    ['spaces and accents', 'Caf%C3%A9_au_jardin', 'Caf%C3%A9%20au%20jardin'],
    ['colons', 'Talk:Compost', 'Talk%3ACompost'],
    ['quotes and question marks', '100%25_%22natural%22%3F', '100%25%20%22natural%22%3F'],
    ['what encodeURIComponent leaves', "Don't_(panic)!", 'Don%27t%20%28panic%29%21'],
  ])('encodes %s in the URL', async (_case, path, encoded) => {
    const { body } = await garden.send(`/v1/page/${path}/bare`)
    expect(body).toMatchObject({ html_url: `${garden.base}/v1/page/${encoded}/html` })
  })

  test('works for a page whose latest text is hidden', async () => {
    const { status, body } = await garden.send('/v1/page/Sealed_letter/bare')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 3, latest: { id: 302 } })
  })

  test('answers 500 on a server without HTML, and 404 for missing pages there too', async () => {
    const plain = await startGarden({ html: 'none' })
    expect(await plain.send('/v1/page/Compost/bare')).toMatchObject({
      status: 500,
      body: { errorKey: 'rest-html-not-configured', httpReason: 'Internal Server Error' },
    })
    expect(await plain.send('/v1/page/Nowhere/bare')).toMatchObject({ status: 404 })
    expect(await plain.send('/v1/page/Compost')).toMatchObject({ status: 200 })
  })
})

describe('a title in the path', () => {
  test.each([
    ['spaces', 'Rain%20barrel'],
    ['underscores', 'Rain_barrel'],
    ['runs of both, at the ends too', '__Rain_%20_barrel_'],
    ['character references', '%26%2382%3Bain%26nbsp%3Bbarrel'],
    ['a first letter in lower case', 'rain_barrel'],
    ['a leading colon', ':Rain_barrel'],
    ['a fragment', 'Rain_barrel%23in_summer'],
    ['escapes that nobody needs', '%52ain%5Fbarrel'],
  ])('is understood with %s', async (_case, path) => {
    expect(await garden.send(`/v1/page/${path}`)).toMatchObject({ status: 200, body: { id: 2 } })
  })

  test('folds decomposed accents', async () => {
    expect(await garden.send('/v1/page/Cafe%CC%81_au_jardin')).toMatchObject({ body: { id: 9 } })
  })

  test('understands a namespace in any case', async () => {
    expect(await garden.send('/v1/page/tALK:compost')).toMatchObject({ body: { id: 5 } })
  })

  test.each([
    ['a missing page', 'Nowhere', 'Nowhere'],
    ['a title in the spelling asked for', 'no%20_where', 'no _where'],
    ['another case', 'RAIN_barrel', 'RAIN_barrel'],
    ['a plus, which is no space', 'Rain+barrel', 'Rain+barrel'],
    ['a forbidden sign', 'A%7Cb', 'A|b'],
    ['brackets', '%5B%5BTitle%5D%5D', '[[Title]]'],
    ['a lone underscore', '_', '_'],
    ['256 bytes', 'x'.repeat(256), 'x'.repeat(256)],
    ['invalid UTF-8', 'a%FFb', 'a\u{fffd}b'],
    ['a broken escape', '%zz', '%zz'],
    ['a special page', 'Special:Version', 'Special:Version'],
    ['a media link', 'Media:Rose.png', 'Media:Rose.png'],
    ['another wiki', 'de:Kompost', 'de:Kompost'],
    ['a namespace without a page', 'Talk:', 'Talk:'],
  ])('names no page: %s', async (_case, path, shown) => {
    for (const route of ['', '/bare', '/history', '/history/counts/edits', '/links/language']) {
      const { status, body } = await garden.send(`/v1/page/${path}${route}`)
      expect({ route, status, body }).toEqual({ route, status: 404, body: noTitle(shown) })
    }
  })

  test.each(['/v1/page/', '/v1/page//bare', '/v1/page//history'])('is required: %s', async (path) => {
    const { status, body } = await garden.send(path)
    expect(status).toBe(400)
    expect(body).toEqual(badParameter('title', '', 'missingparam', 'The "title" parameter must be set.'))
  })

  test('holds no NUL byte', async () => {
    expect(await garden.send('/v1/page/a%00b')).toMatchObject({
      status: 400,
      body: { errorKey: 'rest-nul-in-path' },
    })
  })
})
