/** The API's description: valid, whole, and true of what the server answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { FORM_DOCS } from '../../src/http/actionApi/docs.js'
import { routes } from '../../src/http/endpoints/index.js'
import { type ErrorKey, ERRORS } from '../../src/http/reply/errors.js'
import { apiDocument } from '../../src/http/openapi/document.js'
import { type Answer, startGarden, type TestServer } from './garden.js'

interface Operation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly requestBody?: { readonly content: Record<string, { schema: { properties: object } }> }
  readonly parameters: readonly { name: string; in: string; description: string }[]
  readonly responses: Readonly<
    Record<string, { description: string; content?: Record<string, { schema?: object }> }>
  >
}
interface Description {
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let garden: TestServer
let answer: Answer
let description: Description
beforeAll(async () => {
  garden = await startGarden()
  answer = await garden.send('/v1/openapi.json')
  description = answer.body as Description
})

const operations = (): Operation[] =>
  Object.values(description.paths).flatMap((item) =>
    Object.entries(item).flatMap(([name, operation]) => (name === 'servers' ? [] : operation)),
  )

describe('the description of the API', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(
      structuredClone(answer.body as Record<string, unknown>),
    )
    expect(errors ?? []).toEqual([])
    expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' })
  })

  test('names every route of the API, with a summary and every parameter explained', () => {
    for (const { method, root, path, doc } of routes) {
      if (doc === undefined) {
        // Parts of the page that shows the description, the address that leads to it, and the older interface.
        expect(path).toMatch(/^\/$|^\/docs\/|^\/api\/rest_v1\//)
        continue
      }
      const whole =
        { v1: '/v1', wiki: '/{wiki}', base: '', folder: '', top: '', variant: '', server: '' }[root] + path
      const described = description.paths[whole]?.[method.toLowerCase()]
      expect(described, `${method} ${path}`).toMatchObject({ operationId: doc.id, summary: doc.summary })
      const names = [...whole.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const inPath = described!.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual(names)
      for (const parameter of described!.parameters) expect(parameter.description).not.toBe('')
    }
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('names every error', () => {
    const text = answer.bytes.toString()
    const named = (key: string): boolean => text.includes(`\`${key.replace('-several', '')}\``)
    const takesBodies = routes.some(({ doc }) => doc?.body !== undefined)
    const missing = Object.keys(ERRORS).filter((key) => !named(key))
    expect(missing.toSorted()).toEqual(takesBodies ? [] : BODY_ERRORS)
  })

  test('can be asked for with its tag', async () => {
    const again = await garden.send('/v1/openapi.json', {
      headers: { 'If-None-Match': String(answer.headers['etag']) },
    })
    expect([answer.status, again.status]).toEqual([200, 304])
  })

  test.each([
    [{ basePath: '', publicUrl: '' }, '/'],
    [{ basePath: '/w/rest.php', publicUrl: '' }, '/w/rest.php'],
    [{ basePath: '/w', publicUrl: 'https://wiki.example/api' }, 'https://wiki.example/api'],
  ])('says where the API is: %o', (config, url) => {
    const document = apiDocument(
      routes,
      { ...config, anonymousEdits: false },
      { wikiId: 'wiki', root: '' },
    ) as unknown as Description
    expect(document.servers).toEqual([{ url }])
    const folder = new URL(`${url.replace(/\/[^/]*$/, '')}/api.php`, 'http://local').href
    const [server] = document.paths['/api.php']!['servers'] as unknown as { url: string }[]
    expect(new URL(`${server!.url.replace(/\/$/, '')}/api.php`, 'http://local').href).toBe(folder)
  })

  test('says which routes need somebody who is signed in, and how', () => {
    const { components } = answer.body as { components: { securitySchemes: object } }
    expect(components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'gardenwiki_session' },
    })
    const secured = (from: Description) =>
      Object.fromEntries(
        Object.values(from.paths)
          .flatMap((item) => Object.values(item))
          .flatMap(({ operationId, security }) => (security === undefined ? [] : [[operationId, security]])),
      ) as unknown
    const [needed, possible] = [
      [{ bearer: [] }, { session: [] }],
      [{}, { bearer: [] }, { session: [] }],
    ]
    expect(secured(description)).toEqual({
      createPage: needed,
      updatePage: needed,
      getAction: possible,
      postAction: possible,
    })
    const open = apiDocument(
      routes,
      { basePath: '', publicUrl: '', anonymousEdits: true },
      { wikiId: 'wiki', root: '' },
    )
    expect(secured(open as unknown as Description)).toMatchObject({ createPage: possible })
  })

  test('names every parameter of the action API', () => {
    const names = (operation: Operation | undefined) => operation?.parameters.map(({ name }) => name)
    expect(names(description.paths['/api.php']!['get'])).toEqual(expect.arrayContaining(['action', 'meta']))
    const { content } = description.paths['/api.php']!['post']!.requestBody!
    expect(Object.keys(content)).toEqual(['application/x-www-form-urlencoded', 'multipart/form-data'])
    for (const { schema } of Object.values(content))
      expect(Object.keys(schema.properties)).toEqual(FORM_DOCS.map(({ name }) => name))
  })

  test('has no array without items', () => {
    const arrays: object[] = []
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('type' in node && [node.type].flat().includes('array')) arrays.push(node)
      Object.values(node).forEach(collect)
    }
    collect(answer.body)
    expect(arrays.length).toBeGreaterThan(5)
    for (const array of arrays) expect(array).toHaveProperty('items')
  })
})

/** What only a route with a body can answer. */
const BODY_ERRORS: readonly ErrorKey[] = [
  'rest-bad-body-field',
  'rest-bad-json-body',
  'rest-body-too-large',
  'rest-json-body-parse-error',
  'rest-missing-body-field',
  'rest-no-content-type',
  'rest-unsupported-content-type',
]

describe('an answer is what the description says', () => {
  test.each([
    ['/v1/page/{title}', '/v1/page/Compost', 200],
    ['/v1/page/{title}', '/v1/page/Nowhere', 404],
    ['/v1/page/{title}/bare', '/v1/page/Compost/bare', 200],
    ['/v1/page/{title}/links/language', '/v1/page/Compost/links/language', 200],
    ['/v1/page/{title}/links/media', '/v1/page/Compost/links/media', 200],
    ['/v1/page/{title}/history', '/v1/page/Compost/history', 200],
    ['/v1/page/{title}/history', '/v1/page/Compost/history?filter=x', 400],
    ['/v1/page/{title}/history', '/v1/page/Compost/history?older_than=1&newer_than=1', 400],
    ['/v1/page/{title}/history/counts/{type}', '/v1/page/Compost/history/counts/edits', 200],
    ['/v1/page/{title}/with_html', '/v1/page/Compost/with_html', 200],
    ['/v1/page/{title}/html', '/v1/page/Compost/html?stash=x', 400],
    ['/v1/revision/{id}/with_html', '/v1/revision/201/with_html', 200],
    ['/v1/revision/{id}', '/v1/revision/201', 200],
    ['/v1/revision/{id}/bare', '/v1/revision/201/bare', 200],
    ['/v1/revision/{id}/bare', '/v1/revision/x/bare', 400],
    ['/v1/revision/{from}/compare/{to}', '/v1/revision/101/compare/102', 200],
    ['/v1/openapi.json', '/v1/openapi.json', 200],
    ['/v1/search/page', '/v1/search/page?q=compost', 200],
    ['/v1/search/title', '/v1/search/title?q=comp', 200],
    ['/api.php', '/api.php?action=query&meta=siteinfo&format=json', 200],
    ['/readyz', '/readyz', 200],
    ['/healthz', '/healthz', 200],
  ])('%s: %s', async (path, target, status) => {
    const got = await garden.send(target)
    expect(got.status).toBe(status)
    expectDescribed(got, path, 'get')
  })
})

describe('a condition that does not hold', () => {
  const targets: Readonly<Record<string, string>> = {
    '{title}': 'Compost',
    '{wiki}': 'gardenwiki',
    '{page}': 'Compost',
    '{type}': 'edits',
    '{id}': '201',
    '{from}': '101',
    '{to}': '102',
  }

  test('gives 412 where the description says so, and nowhere else', async () => {
    const given: string[] = []
    for (const { method, root, path, doc } of routes) {
      // Media has no files in this wiki, figures are not for everybody, and streams have no end.
      if (method !== 'GET' || doc === undefined || /^\/(media|metrics|v2\/stream)/.test(path)) continue
      const whole =
        { v1: '/v1', wiki: '/{wiki}', base: '', folder: '', top: '', variant: '', server: '' }[root] + path
      const target = whole.replace(/\{\w+\}/g, (name) => targets[name]!)
      const query = path.startsWith('/search') ? '?q=compost' : ''
      const got = await garden.send(target + query, { headers: { 'If-Match': '"x"' } })
      const isDescribed = '412' in description.paths[whole]!['get']!.responses
      expect([target, got.status === 412]).toEqual([target, isDescribed])
      if (got.status === 412) {
        given.push(target)
        expect(got.bytes.length).toBe(0)
      }
    }
    expect(given.length).toBeGreaterThan(10)
  })

  test.each(['/v1/page', '/v1/page/{title}'])('gives 412 to a write: %s', async (path) => {
    const method = path === '/v1/page' ? 'POST' : 'PUT'
    const body = JSON.stringify({ title: 'X', source: 'x', comment: '', token: '+\\' })
    const headers = { 'content-type': 'application/json', 'If-Match': '"x"' }
    const got = await garden.send(path.replace('{title}', 'X'), { method, headers, body })
    expect(got.status).toBe(412)
    expect(description.paths[path]![method.toLowerCase()]!.responses).toHaveProperty('412')
  })
})

describe('a page that a write makes', () => {
  test.each([
    ['POST', '/v1/page', '/v1/page'],
    ['PUT', '/v1/page/{title}', '/v1/page/By_PUT'],
  ])('is answered with 201, as the description says: %s', async (method, path, target) => {
    const open = await startGarden({ anonymousEdits: true })
    const body = JSON.stringify({ title: 'By POST', source: 'x', comment: '', token: '+\\' })
    const headers = { 'content-type': 'application/json' }
    const got = await open.send(target, { method, headers, body })
    expect(got.status).toBe(201)
    expectDescribed(got, path, method.toLowerCase())
    const described = description.paths[path]![method.toLowerCase()]!.responses['201'] as {
      headers?: Record<string, object>
    }
    expect(
      Object.keys(described.headers ?? {}).map(
        (name) => name in got.headers || name.toLowerCase() in got.headers,
      ),
    ).toEqual(method === 'POST' ? [true] : [])
  })
})

describe('an error has the fields that the description names', () => {
  let open: TestServer
  beforeAll(async () => {
    open = await startGarden({ anonymousEdits: true })
  })

  const edit = { source: 'x', comment: '', token: '+\\' }
  const json = { 'content-type': 'application/json' }
  test.each([
    ['missingparam', '/v1/search/page', 'GET', '/v1/search/page', 400, {}],
    ['outofrange', '/v1/search/page', 'GET', '/v1/search/page?q=a&limit=0', 400, {}],
    ['badinteger', '/v1/revision/{id}', 'GET', '/v1/revision/x', 400, {}],
    ['badvalue', '/v1/page/{title}/history', 'GET', '/v1/page/Compost/history?filter=x', 400, {}],
    ['badbool', '/v1/page/{title}/html', 'GET', '/v1/page/Compost/html?stash=x', 400, {}],
    ['no content type', '/v1/page', 'POST', '/v1/page', 415, { body: '{}' }],
    ['no body and no content type', '/v1/page', 'POST', '/v1/page', 415, {}],
    ['an update without a body', '/v1/page/{title}', 'PUT', '/v1/page/Compost', 415, {}],
    ['a type without a body', '/v1/page', 'POST', '/v1/page', 400, { headers: json }],
    [
      'another content type',
      '/v1/page',
      'POST',
      '/v1/page',
      415,
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'another origin',
      '/v1/page/{title}',
      'PUT',
      '/v1/page/Compost',
      403,
      { body: JSON.stringify(edit), headers: { ...json, origin: 'https://other.example' } },
    ],
    [
      'no token',
      '/v1/page/{title}',
      'PUT',
      '/v1/page/Compost',
      400,
      { body: JSON.stringify({ ...edit, token: null }), headers: json },
    ],
    [
      'a bad id of the base',
      '/v1/page/{title}',
      'PUT',
      '/v1/page/Compost',
      400,
      { body: JSON.stringify({ ...edit, latest: { id: '1.5' } }), headers: json },
    ],
    [
      'an edit conflict with both sets of changes',
      '/v1/page/{title}',
      'PUT',
      '/v1/page/Compost',
      409,
      { body: JSON.stringify({ ...edit, latest: { id: 201 } }), headers: json },
    ],
  ])('%s', async (_case, path, method, target, status, options) => {
    const got = await open.send(target, { method, ...options })
    expect([got.status, got.headers['content-type']]).toEqual([status, 'application/json'])
    expectDescribed(got, path, method.toLowerCase())
    const { properties } = (answer.body as { components: { schemas: { Error: { properties: object } } } })
      .components.schemas.Error
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(got.body as object)))
  })
})

/** Holds an answer against the schema that the description has for its route and status. */
function expectDescribed(got: Answer, path: string, method: string): void {
  const schema = description.paths[path]![method]!.responses[got.status]!.content!['application/json']!.schema
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ ...(answer.body as object), $id: 'api' })
  const validate = ajv.compile(resolved(schema!))
  expect(
    validate(JSON.parse(got.bytes.toString())),
    `${JSON.stringify(validate.errors)} ${got.bytes.toString()}`,
  ).toBe(true)
}

/** With its pointers into the whole document. */
function resolved(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
}

describe('the page that shows the description', () => {
  test('comes with a policy that allows nothing from elsewhere', async () => {
    const page = await garden.send('/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain(`default-src 'none'; script-src 'self'`)
    expect(page.bytes.toString()).not.toMatch(/https?:|<script>|\bon\w+=/)
  })

  test('names only files that are there', async () => {
    const page = (await garden.send('/docs')).bytes.toString()
    const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name!)
    expect(names).toContain('docs/swagger-ui-bundle.js')
    for (const name of names) {
      const file = await garden.send(`/${name}`)
      expect([name, file.status]).toEqual([name, 200])
      expect(file.bytes.length).toBeGreaterThan(50)
    }
  })

  test('is below the base path, as the API is', async () => {
    const server = await startGarden({ basePath: '/w/rest.php' })
    expect((await server.send('/w/rest.php/docs')).status).toBe(200)
    expect((await server.send('/docs')).status).toBe(404)
    expect((await server.send('/w/rest.php/docs/secret.js')).status).toBe(404)
  })
})
