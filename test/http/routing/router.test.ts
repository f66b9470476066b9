import { describe, expect, test } from 'vitest'
import { json } from '../../../src/http/reply/reply.js'
import { defineRoute, type Route } from '../../../src/http/routing/route.js'
import type { Method } from '../../../src/http/openapi/describedRoute.js'
import { Router } from '../../../src/http/routing/router.js'
import { oneOf } from '../../../src/http/request/params.js'

function route(method: Method, path: string): Route {
  const names = [...path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => name!)
  const params = Object.fromEntries(names.map((name) => [name, oneOf(['x'], '')]))
  return defineRoute({
    method,
    path,
    params,
    handler: () => json({}, { etag: undefined, lastModified: undefined }),
  })
}

const routes = [
  route('GET', '/page/{title}/bare'),
  route('GET', '/page/{title}'),
  route('PUT', '/page/{title}'),
  route('POST', '/page'),
  route('GET', '/revision/{id}/bare'),
  route('GET', '/revision/{from}/compare/{to}'),
  route('GET', '/wiki/{title...}'),
  route('GET', '/wiki/own/{name}'),
]
const router = new Router(routes)

describe('a router', () => {
  test.each([
    ['GET', '/page/Moon', '/page/{title}', ['Moon']],
    ['HEAD', '/page/Moon', '/page/{title}', ['Moon']],
    ['GET', '/page/bare', '/page/{title}', ['bare']],
    ['GET', '/page/', '/page/{title}', ['']],
    ['GET', '/page//bare', '/page/{title}/bare', ['']],
    ['GET', '/page/bare/bare', '/page/{title}/bare', ['bare']],
    ['GET', '/page/a%2Fb/bare', '/page/{title}/bare', ['a%2Fb']],
    ['POST', '/page', '/page', []],
    ['GET', '/wiki/', '/wiki/{title...}', ['']],
    ['GET', '/wiki/a', '/wiki/{title...}', ['a']],
    ['GET', '/wiki/a/b//c/', '/wiki/{title...}', ['a/b//c/']],
    ['GET', '/wiki/own/x', '/wiki/own/{name}', ['x']],
    ['GET', '/revision/1/bare', '/revision/{id}/bare', ['1']],
    ['GET', '/revision/1/compare/2', '/revision/{from}/compare/{to}', ['1', '2']],
  ])('leads %s %s to %s', (method, path, route, segments) => {
    const match = router.match(method, path)
    expect(match?.route?.path).toBe(route)
    expect(match?.segments).toEqual(segments)
  })

  test.each([
    '',
    '/',
    '/Page/Moon',
    '/page/Moon/',
    '/page/Moon/bare/',
    '/page/a/b',
    '/revision',
    '/revision/1',
    '/revision/1/compare',
    '/wiki',
    '//page/Moon',
  ])('knows no route %s', (path) => {
    expect(router.match('GET', path)).toBeUndefined()
  })

  test.each([
    ['/page/Moon', ['HEAD', 'GET', 'PUT']],
    ['/page', ['POST']],
    ['/page/Moon/bare', ['HEAD', 'GET']],
  ])('tells which methods %s allows', (path, allowed) => {
    expect(router.match('DELETE', path)).toEqual(expect.objectContaining({ route: undefined, allowed }))
  })

  test('refuses two routes of one method and shape', () => {
    expect(() => new Router([route('GET', '/page/{title}'), route('GET', '/page/{key}')])).toThrow(
      'two routes',
    )
  })
})

test('a route must declare the parameters of its path, and no others', () => {
  expect(() =>
    defineRoute({
      method: 'GET',
      path: '/page/{title}',
      handler: () => json({}, { etag: undefined, lastModified: undefined }),
    }),
  ).toThrow('/page/{title}')
})
