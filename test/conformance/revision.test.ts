import { beforeAll, describe, expect, test } from 'vitest'
import { badParameter, errorWith, LICENSE, startGarden, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden()
})

const FIRST_BARREL = {
  id: 201,
  size: 13,
  minor: false,
  timestamp: '2024-04-01T10:00:00Z',
  content_model: 'wikitext',
  page: { id: 2, key: 'Rain_barrel', title: 'Rain barrel' },
  license: LICENSE,
  user: { id: 1, name: 'Ann' },
  comment: 'a barrel',
  delta: null,
}

describe('GET /revision/{id}/bare', () => {
  test('answers a revision with its page and the URL of its HTML', async () => {
    const { status, headers, body } = await garden.send('/v1/revision/201/bare')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'max-age=5',
      etag: expect.stringMatching(/^"[0-9a-f]{40}"$/) as string,
      'last-modified': 'Mon, 01 Apr 2024 10:00:00 GMT',
    })
    expect(body).toEqual({ ...FIRST_BARREL, html_url: `${garden.base}/v1/revision/201/html` })
  })

  test('shows a hidden editor and summary as null, and forbids keeping the answer', async () => {
    const { status, headers, body } = await garden.send('/v1/revision/202/bare')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBeUndefined()
    expect(headers['last-modified']).toBe('Tue, 02 Apr 2024 10:00:00 GMT')
    expect(body).toMatchObject({ id: 202, user: null, comment: null, size: 23, delta: 10 })
  })

  test('works for a hidden text, without Last-Modified', async () => {
    const { status, headers, body } = await garden.send('/v1/revision/203/bare')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBeUndefined()
    expect(headers['last-modified']).toBeUndefined()
    expect(body).toMatchObject({ id: 203, size: 30, user: { id: 2, name: 'Bert' } })
  })
})

describe('GET /revision/{id}', () => {
  test('answers the source in place of the URL', async () => {
    const { status, headers, body } = await garden.send('/v1/revision/201')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'max-age=5' })
    expect(body).toEqual({ ...FIRST_BARREL, source: 'Rain is free.' })
  })

  test.each([101, 109, 117, 124])('rebuilds the text of revision %i, which is not the latest', async (id) => {
    const layers = id === 117 ? 15 : id - 100
    const grown = Array.from(
      { length: layers - 1 },
      (_, n) => `* Layer ${n + 2}: leaves, peelings and patience.\n`,
    )
    const { body } = await garden.send(`/v1/revision/${id}`)
    const source = (body as { source: string }).source
    expect(source.startsWith(`Compost is soil in the making.\n${grown.slice(0, 14).join('')}`)).toBe(true)
    expect(Buffer.byteLength(source)).toBe((body as { size: number }).size)
  })

  test('refuses a hidden text', async () => {
    const { status, body } = await garden.send('/v1/revision/203')
    expect(status).toBe(403)
    expect(body).toEqual(
      errorWith(
        403,
        'rest-permission-denied-revision',
        "User doesn't have access to the requested revision (203).",
        'Forbidden',
      ),
    )
  })

  test('shares its tag with page source and page bare while it is the latest', async () => {
    const paths = [
      '/v1/revision/601',
      '/v1/revision/601/bare',
      '/v1/page/Compost%2FTurning',
      '/v1/page/Compost%2FTurning/bare',
    ]
    const tags = await Promise.all(paths.map(async (path) => (await garden.send(path)).headers.etag))
    expect(new Set(tags).size).toBe(1)
  })
})

describe('a revision id', () => {
  test.each([
    ['999999', '999999'],
    ['0', '0'],
    ['-5', '-5'],
    ['000', '0'],
    ['+0', '0'],
    ['+999999', '999999'],
    ['+4294967297', '4294967297'],
    ['+9223372036854775807', '9223372036854775807'],
    ['4294967297', '4294967297'],
    ['9223372036854775807', '9223372036854775807'],
  ])('%s names no revision', async (id, shown) => {
    for (const route of ['', '/bare']) {
      const { status, body } = await garden.send(`/v1/revision/${id}${route}`)
      expect(status).toBe(404)
      const text = `The specified revision (${shown}) does not exist`
      expect(body).toEqual(errorWith(404, 'rest-nonexistent-revision', text, 'Not Found'))
    }
  })

  test.each([
    ['abc', 'abc'],
    ['', ''],
    ['1.5', '1.5'],
    ['++5', '++5'],
    ['5+', '5+'],
    ['%205', ' 5'],
    ['9223372036854775808', '9223372036854775808'],
  ])('%s is no integer', async (id, shown) => {
    const { status, body } = await garden.send(`/v1/revision/${id}/bare`)
    expect(status).toBe(400)
    expect(body).toEqual(
      badParameter('id', shown, 'badinteger', `Invalid value "${shown}" for integer parameter "id".`),
    )
  })
})
