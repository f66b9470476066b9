/** Names that objects of JavaScript have from birth, wherever a client may put a name: they are names like any others. */
// @module-tag hostile
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App } from '../../src/app/app.js'
import { afterFile } from '../support/cleanUp.js'
import { ANONYMOUS_TOKEN } from './editing.js'
import { createToken, createUser } from './signedIn.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { type Answer, gardenFolder, testConfig, TestServer } from './garden.js'

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toLocaleString',
  'toJSON',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'then',
  'length',
]
/** Above this a thread parses a body. */
const LARGE_BYTES = 70_000
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

const logged: string[] = []
let garden: TestServer
let wikiId: string
let sysopToken: string
beforeAll(async () => {
  const flags = { anonymousEdits: true, createAccounts: true, logLevel: 'warn' }
  const folder = await gardenFolder()
  const store = Store.open(folder)
  const applier = new Applier(store)
  sysopToken = createToken(applier, createUser(applier, 'Ann', ['sysop']))
  await store.close()
  const app = await App.open(testConfig(folder, flags), {
    logTo: { write: (line) => logged.push(line) },
  })
  afterFile(() => app.close())
  garden = new TestServer(app.port, app)
  wikiId = app.context.store.site().wikiId
})

afterAll(() => {
  // The server runs in this process: what it pollutes is polluted here.
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  // With uWebSockets.js, the start may warn of its binary.
  expect(logged.filter((line) => !line.includes('uWebSockets.js serves'))).toEqual([])
})

const comparable = ({ status, headers, bytes }: Answer) => ({
  status,
  type: headers['content-type'],
  text: bytes.toString(),
})

/** A route of each family, the `wiki` in it for the id of the wiki. */
const READS = [
  '/v1/page/Compost',
  '/v1/page/Compost/bare',
  '/v1/page/Compost/html',
  '/v1/page/Compost/with_html',
  '/v1/page/Compost/history',
  '/v1/page/Compost/history/counts/edits',
  '/v1/page/Compost/links/language',
  '/v1/page/Compost/links/media',
  '/v1/page/Nowhere',
  '/v1/revision/101',
  '/v1/revision/101/bare',
  '/v1/revision/101/compare/102',
  '/v1/search/page?q=compost',
  '/v1/search/title?q=compost',
  '/v1/file/None.png',
  '/v1/openapi.json',
  '/v1/nothing',
  '/wiki/Compost?oldid=101',
  '/media/x/y',
  '/docs',
  '/healthz',
  '/readyz',
]
const pathOf = (path: string): string => path.replace(/^\/wiki\//, `/${wikiId}/`)

describe.each(READS)('GET %s is the same', (path) => {
  let plain: ReturnType<typeof comparable>
  beforeAll(async () => {
    plain = comparable(await garden.send(pathOf(path)))
    expect(plain.status).toBeLessThan(500)
  })

  test.each(['', '[]', '[__proto__]'])(
    'with such names in the query, and "%s" behind them',
    async (brackets) => {
      for (const key of KEYS) {
        const query = `${key}${brackets}=${key}&${encodeURIComponent(key + brackets)}=1&${key}`
        const separator = path.includes('?') ? '&' : '?'
        expect(comparable(await garden.send(`${pathOf(path)}${separator}${query}`)), key).toEqual(plain)
      }
    },
  )

  test('with such names of headers and cookies', async () => {
    const cookies = KEYS.map((key) => `${key}=${key}`).join('; ')
    const lines = [...KEYS, ...KEYS].map((key) => `${key}: ${key}`)
    const head = [`GET ${pathOf(path)} HTTP/1.1`, `Host: 127.0.0.1:${garden.port}`, 'Connection: close']
    const sent = [...head, `Cookie: ${cookies}`, ...lines, '', ''].join('\r\n')
    const answer = await garden.raw(sent, () => false)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${plain.status} `))
    const body = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString()
    expect(body).toBe(plain.text)
  })
})

describe.each(KEYS)('as a value: %s', (key) => {
  test.each([
    [`/v1/page/${key}`, 404, 'rest-nonexistent-title'],
    [`/v1/page/${key}/bare`, 404, 'rest-nonexistent-title'],
    [`/v1/page/${key}/html`, 404, 'rest-nonexistent-title'],
    [`/v1/page/${key}/history`, 404, 'rest-nonexistent-title'],
    [`/v1/page/${key}:x`, 404, 'rest-nonexistent-title'],
    [`/v1/page/Compost/history?filter=${key}`, 400, 'paramvalidator-badvalue-enumnotmulti'],
    [`/v1/page/Compost/history?older_than=${key}`, 400, 'paramvalidator-badinteger'],
    [`/v1/page/Compost/history/counts/${key}`, 400, 'paramvalidator-badvalue-enumnotmulti'],
    [`/v1/page/Compost?redirect=${key}`, 200, undefined],
    [`/v1/page/Compost/html?redirect=${key}`, 200, undefined],
    [`/v1/revision/${key}`, 400, 'paramvalidator-badinteger'],
    [`/v1/revision/101/compare/${key}`, 400, 'paramvalidator-badinteger'],
    [`/v1/search/page?q=${key}`, 200, undefined],
    [`/v1/search/page?q=${key}:${key}`, 200, undefined],
    [`/v1/search/title?q=${key}`, 200, undefined],
    [`/v1/file/${key}`, 404, 'rest-nonexistent-title'],
    [`/v1/${key}`, 404, 'rest-no-match'],
    [`/${key}`, 404, 'rest-no-match'],
    [`/docs/${key}`, 404, 'rest-no-match'],
    [`/media/${key}/${key}`, 404, undefined],
    [`/media/${key}/${key}/${key}`, 404, undefined],
    [`/wiki/${key}`, 404, 'rest-nonexistent-title'],
    [`/wiki/Compost?oldid=${key}`, 400, 'paramvalidator-badinteger'],
  ] as const)('GET %s', async (path, status, errorKey) => {
    const answer = await garden.send(pathOf(path))
    expect(answer.status).toBe(status)
    if (errorKey !== undefined) expect(answer.body).toMatchObject({ errorKey })
  })

  test('as method, path and version of HTTP, it is refused', async () => {
    const sent = `${key} ${key} ${key}\r\nHost: x\r\nConnection: close\r\n\r\n`
    expect(await garden.raw(sent, () => false)).toMatch(/^(HTTP\/1\.1 (400|405|505) |$)/)
  })
})

/** An object as JSON text, with names that a literal could not have. */
const object = (fields: readonly (readonly [name: string, json: string])[]): string =>
  `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
const POLLUTION = object([
  ['polluted', 'true'],
  ['title', '"Polluted"'],
  ['source', '"polluted"'],
  ['comment', '"polluted"'],
  ['token', '"polluted"'],
  ['content_model', '"css"'],
  ['id', '101'],
])
const HOSTILE_FIELDS = KEYS.flatMap((key) => [
  [key, POLLUTION] as const,
  [`${key}.${key}`, POLLUTION] as const,
  [`nested_${key}`, object([[key, object([['prototype', POLLUTION]])]])] as const,
])
const TOKEN = ['token', JSON.stringify(ANONYMOUS_TOKEN)] as const
const padding = (bytes: number) => ['padding', JSON.stringify('x'.repeat(bytes))] as const

describe.each([
  ['on the event loop', 0],
  ['in a thread', LARGE_BYTES],
])('fields of a body of JSON, parsed %s,', (_where, bytes) => {
  const post = (fields: readonly (readonly [string, string])[]): Promise<Answer> =>
    garden.send('/v1/page', { method: 'POST', headers: JSON_TYPE, body: object([...fields, padding(bytes)]) })
  const put = (title: string, fields: readonly (readonly [string, string])[]): Promise<Answer> =>
    garden.send(`/v1/page/${title}`, {
      method: 'PUT',
      headers: JSON_TYPE,
      body: object([...fields, padding(bytes)]),
    })

  test('are passed over, at the top and below', async () => {
    const title = `Fields ${bytes}`
    const own = [['title', JSON.stringify(title)], ['source', '"clean"'], ['comment', 'null'], TOKEN] as const
    const created = await post([...HOSTILE_FIELDS, ...own, ...HOSTILE_FIELDS])
    expect(created).toMatchObject({
      status: 201,
      body: { title, source: 'clean', content_model: 'wikitext' },
    })
    const { latest } = created.body as { latest: { id: number } }
    const latestFields = object([...HOSTILE_FIELDS, ['id', String(latest.id)], ...HOSTILE_FIELDS])
    const changed = [['source', '"changed"'], ['comment', 'null'], TOKEN, ['latest', latestFields]] as const
    expect(await put(encodeURIComponent(title), [...HOSTILE_FIELDS, ...changed])).toMatchObject({
      status: 200,
      body: { title, source: 'changed', content_model: 'wikitext' },
    })
  })

  test.each(KEYS)('are no prototype that lends what is missing: %s', async (key) => {
    expect(await post([[key, POLLUTION]])).toMatchObject({
      status: 400,
      body: { errorKey: 'rest-missing-body-field' },
    })
    const latest = object([[key, POLLUTION]])
    const fields = [['source', '"x"'], ['comment', 'null'], TOKEN, ['latest', latest]] as const
    // Without the id of a revision, it would be a new page.
    expect(await put('Compost', fields)).toMatchObject({
      status: 409,
      body: { errorKey: 'rest-update-cannot-create-page' },
    })
  })

  test.each(KEYS)('may have it as value: %s', async (key) => {
    const text = JSON.stringify(key)
    const title = JSON.stringify(`${key} as value ${bytes}`)
    const saved = await post([['title', title], ['source', text], ['comment', text], TOKEN])
    expect(saved).toMatchObject({ status: 201, body: { source: key } })
    const fields = [['title', title], ['source', text], ['comment', text], TOKEN] as const
    const badModel = await post([...fields, ['content_model', text]])
    expect(badModel).toMatchObject({ status: 400, body: { errorKey: 'rest-bad-content-model' } })
    const badToken = await post([...fields.slice(0, 3), ['token', text]])
    expect(badToken.status).toBe(403)
  })
})

test('a page of JSON keeps such names, and shows them', async () => {
  const source = object(KEYS.map((key) => [key, object([[key, '1']])]))
  const body = JSON.stringify({
    title: 'Keys.json',
    source,
    comment: '',
    token: ANONYMOUS_TOKEN,
    content_model: 'json',
  })
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${sysopToken}` }
  const saved = await garden.send('/v1/page', { method: 'POST', headers, body })
  expect(saved).toMatchObject({ status: 201 })
  const { source: kept } = saved.body as { source: string }
  expect(kept.replace(/\s/g, '')).toBe(source)
  const html = await garden.send('/v1/page/Keys.json/html')
  expect(html.status).toBe(200)
  for (const key of KEYS) expect(html.bytes.toString()).toContain(`>${key}<`)
})

const multipart = (fields: readonly (readonly [string, string])[]): { type: string; body: string } => ({
  type: 'multipart/form-data; boundary=edge',
  body: `${fields.map(([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--edge--\r\n`,
})
const urlEncoded = (fields: readonly (readonly [string, string])[]): { type: string; body: string } => ({
  type: FORM['Content-Type'],
  body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
})

describe.each([
  ['URL-encoded', urlEncoded],
  ['multipart', multipart],
])('fields of a form, %s,', (_name, encode) => {
  const hostile = KEYS.flatMap((key) => [[key, key] as const, [`${key}[${key}]`, key] as const])
  const post = (path: string, fields: readonly (readonly [string, string])[]): Promise<Answer> => {
    const { type, body } = encode(fields)
    return garden.send(pathOf(path), { method: 'POST', headers: { 'Content-Type': type }, body })
  }

  test.each([0, LARGE_BYTES])('are passed over by a conversion, beside %d bytes', async (bytes) => {
    const rest = [['padding', 'x'.repeat(bytes)]] as const
    const fields = [
      ['wt', "''a''"],
      ['body', 'true'],
    ] as const
    const plain = await post('/wiki/Compost', fields)
    const answer = await post('/wiki/Compost', [...hostile, ...fields, ...hostile, ...rest])
    expect([plain.status, comparable(answer)]).toEqual([200, comparable(plain)])
    expect(await post('/wiki/Compost', [...hostile, ...rest])).toMatchObject({
      status: 400,
      body: { errorKey: 'rest-conversion-no-input' },
    })
  })

  test('are passed over by the action API', async () => {
    const fields = [
      ['action', 'query'],
      ['format', 'json'],
      ['meta', 'tokens'],
      ['type', 'login'],
      ['formatversion', '2'],
    ] as const
    const { status, bytes } = await post('/api.php', [...hostile, ...fields])
    expect(status).toBe(200)
    expect(JSON.parse(bytes.toString())).toMatchObject({
      query: { tokens: { logintoken: expect.any(String) as string } },
    })
  })
})

describe.each(KEYS)('the action API and %s', (key) => {
  const parsed = ({ status, bytes }: Answer): unknown => {
    expect(status).toBe(200)
    return JSON.parse(bytes.toString())
  }
  const get = (query: string): Promise<Answer> => garden.send(`/api.php?format=json&formatversion=2&${query}`)
  const ask = async (query: string): Promise<unknown> => parsed(await get(query))

  test.each(['action', 'assert', 'generator'])('as value of %s', async (name) => {
    const answer = await ask(name === 'action' ? `action=${key}` : `action=query&${name}=${key}`)
    expect(answer).toHaveProperty('error.code')
  })

  test('as value of format, which is told in HTML', async () => {
    const { status, headers } = await garden.send(`/api.php?action=query&format=${key}`)
    expect([status, headers['mediawiki-api-error']]).toEqual([200, 'badvalue'])
    expect(headers['content-type']).toContain('text/html')
  })

  test('as a part to tell, or a name beside, it is passed over with a warning', async () => {
    for (const name of ['meta', 'prop', 'list'])
      expect(await ask(`action=query&${name}=${key}`)).toHaveProperty('warnings')
    expect(await ask(`action=query&meta=siteinfo&siprop=general|${key}`)).toMatchObject({
      warnings: {},
      query: { general: {} },
    })
    expect(await ask(`action=query&meta=userinfo&${key}=1&${key}[${key}]=1`)).toMatchObject({
      query: { userinfo: {} },
    })
  })

  test('as name and password of an account', async () => {
    const answer = await get('action=query&meta=tokens&type=login')
    const { query } = parsed(answer) as { query: { tokens: { logintoken: string } } }
    const [cookie = ''] = answer.headers['set-cookie']![0]!.split(';')
    const form = { action: 'login', lgname: key, lgpassword: key, lgtoken: query.tokens.logintoken }
    const login = await garden.send('/api.php?format=json', {
      method: 'POST',
      headers: { ...FORM, Cookie: cookie },
      body: new URLSearchParams({ ...form, [`x${key}`]: key }).toString(),
    })
    expect(parsed(login)).toHaveProperty('login.result', 'Failed')
  })
})
