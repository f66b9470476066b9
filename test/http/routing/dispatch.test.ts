import { describe, expect, test } from 'vitest'
import { ACCEPTS_NONE } from '../../../src/http/coding/codings.js'
import { NO_CONDITIONS } from '../../../src/http/reply/conditional.js'
import { HttpError } from '../../../src/http/reply/errors.js'
import { json, type ReadyReply } from '../../../src/http/reply/reply.js'
import { ClientGoneError } from '../../../src/http/request/requestBody.js'
import { text } from '../../../src/http/request/params.js'
import type { IncomingRequest } from '../../../src/http/routing/dispatch.js'
import { defineRoute, type Route } from '../../../src/http/routing/route.js'
import { type HttpParts, httpParts } from '../../support/httpContext.js'
import { temporaryStore } from '../../support/store.js'

const NONE = { etag: undefined, lastModified: undefined }

const failing = (path: string, fail: () => never, parts: Partial<Route> = {}): Route => ({
  ...defineRoute({ method: 'GET', path, handler: fail }),
  ...parts,
})

function throwing(error: Error): () => never {
  return () => {
    throw error
  }
}

const ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/page/{title}',
    params: { title: text('') },
    handler: ({ params, rawQuery }) => json({ title: params.title, rawQuery }, NONE),
  }),
  defineRoute({
    method: 'PUT',
    path: '/page/{title}',
    params: { title: text('') },
    handler: () => json({}, NONE),
  }),
  defineRoute({ method: 'GET', root: 'wiki', path: '/old', handler: () => json({ old: true }, NONE) }),
  failing('/missing', throwing(new HttpError('rest-nonexistent-title', ['Moon']))),
  failing('/broken', throwing(new Error('a secret of the server'))),
  failing('/gone', throwing(new ClientGoneError('gone'))),
  defineRoute({
    method: 'GET',
    path: '/late',
    handler: () => Promise.reject(new HttpError('rest-nonexistent-title', ['Moon'])),
  }),
  failing('/shown', throwing(new HttpError('rest-nonexistent-title', ['Moon'])), {
    errorPage: ({ key, status }) => ({ status, headers: '', body: Buffer.from(`<p>${key}`) }),
  }),
  failing('/unshown', throwing(new HttpError('rest-nonexistent-title', ['Moon'])), {
    errorPage: throwing(new Error('no page')),
  }),
]

interface Answered {
  readonly status: number
  readonly headers: string
  readonly body: string
}

interface Asking extends HttpParts {
  readonly ask: (path: string, parts?: Partial<IncomingRequest>) => Promise<Answered>
}

function open(flags: Record<string, string> = {}): Asking {
  const { store, applier } = temporaryStore()
  applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: 1_700_000_000, site: { wikiId: 'oldwiki' } })
  store.reloadSite()
  const parts = httpParts(store, { routes: ROUTES, flags })
  const ask = async (path: string, changes: Partial<IncomingRequest> = {}): Promise<Answered> => {
    const request = { id: 'r1', method: 'GET', path, query: '', accepted: ACCEPTS_NONE, ...changes }
    return asText(
      await parts.dispatcher.dispatch({
        ...{ conditions: NO_CONDITIONS, route: undefined, ...request },
        ...{ baseUrl: () => 'http://here', header: () => '', clientAddress: () => '192.0.2.1' },
        ...{ hasBody: () => false, readBody: () => Promise.reject(new Error('no body')) },
        ...{ releaseBody: () => undefined, detach: () => undefined },
      }),
    )
  }
  return { ...parts, ask }
}

function asText({ status, headers, body }: ReadyReply): Answered {
  return { status, headers, body: body === undefined ? '' : Buffer.from(body as Uint8Array).toString() }
}

describe('a request', () => {
  test('goes to the route of its path and method, with decoded segments and the raw query', async () => {
    const { ask } = open()
    const { status, body } = await ask('/v1/page/Sea%20of%2FRain', { query: 'a=%20b' })
    expect([status, JSON.parse(body)]).toEqual([200, { title: 'Sea of/Rain', rawQuery: 'a=%20b' }])
  })

  test('is found below the base path alone, and its error names the path below it', async () => {
    const { ask } = open({ basePath: '/w/rest.php' })
    expect((await ask('/w/rest.php/v1/page/Moon')).status).toBe(200)
    expect((await ask('/v1/page/Moon')).status).toBe(404)
    expect((await ask('/w/rest.php/v1/nothing')).body).toContain('relative path (/v1/nothing)')
  })

  test('below the id of the wiki finds the old routes', async () => {
    expect((await open().ask('/oldwiki/old')).body).toBe('{"old":true}')
  })

  test('with a method that the path does not allow learns which it allows', async () => {
    const { ask } = open()
    const refused = await ask('/v1/page/Moon', { method: 'DELETE' })
    expect(refused).toMatchObject({
      status: 405,
      headers: expect.stringContaining('\r\nAllow: HEAD, GET, PUT') as string,
    })
    const options = await ask('/v1/page/Moon', { method: 'OPTIONS' })
    expect([options.status, options.headers]).toEqual([
      204,
      expect.stringContaining('Methods: HEAD, GET, PUT'),
    ])
    expect((await ask('/v1/nothing', { method: 'OPTIONS' })).status).toBe(204)
  })
})

describe('a route that fails', () => {
  test.each([
    ['with an error of the table', '/v1/missing', 404, 'rest-nonexistent-title'],
    ['later', '/v1/late', 404, 'rest-nonexistent-title'],
    ['with any other error', '/v1/broken', 500, 'rest-internal-error'],
    ['and whose page for errors fails too', '/v1/unshown', 404, 'rest-nonexistent-title'],
  ])('%s is answered in JSON with its key', async (_case, path, status, errorKey) => {
    const answer = await open().ask(path)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ errorKey, httpCode: status })
  })

  test('for an unknown reason tells the log why, and the client nothing', async () => {
    const { ask, logged } = open()
    expect((await ask('/v1/broken')).body).not.toContain('secret')
    expect(logged).toEqual([
      expect.objectContaining({ requestId: 'r1', path: '/v1/broken', msg: 'a request failed' }),
    ])
    expect(JSON.stringify(logged)).toContain('a secret of the server')
  })

  test('without its page answers 412 to a client that wants to change it', async () => {
    const conditions = { ...NO_CONDITIONS, ifMatch: '"1"' }
    expect((await open().ask('/v1/missing', { conditions })).status).toBe(412)
  })

  test('shows its own page for errors, also to a request that is refused before', async () => {
    const { ask, dispatcher } = open()
    expect((await ask('/v1/shown')).body).toBe('<p>rest-nonexistent-title')
    const error = new HttpError('rest-rate-limit-exceeded', [1])
    const asked = { method: 'GET', path: '/v1/shown', id: 'r2' }
    expect(asText(dispatcher.refuse(asked, error)).body).toBe('<p>rest-rate-limit-exceeded')
    const elsewhere = asText(dispatcher.refuse({ ...asked, path: '/v1/missing' }, error))
    expect(JSON.parse(elsewhere.body)).toMatchObject({ errorKey: 'rest-rate-limit-exceeded' })
  })

  test('since its client has gone is not logged', async () => {
    const { ask, logged } = open()
    expect((await ask('/v1/gone')).body).toBe('')
    expect(logged).toEqual([])
  })
})

test('the settings that answers are made with are another object once they change', () => {
  const { store, applier } = temporaryStore()
  const { dispatcher } = httpParts(store, {})
  const before = dispatcher.settings()
  expect(dispatcher.settings()).toBe(before)
  applier.submit({ kind: 'settings', id: 'b'.repeat(32), time: 1_700_000_000, site: { name: 'Moonbase' } })
  store.reloadSite()
  expect(dispatcher.settings()).not.toBe(before)
  expect(dispatcher.settings().site.name).toBe('Moonbase')
})
