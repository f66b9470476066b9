/**
 * The service worker that lets readers go back to pages without a network, and the manifest that lets them install the
 * wiki as an app. Operators switch both on; a browser that met the worker once gets one that ends itself afterwards.
 */
import type { Direction } from '../../domain/direction.js'

export interface OfflineOptions {
  /** Path of the wiki's root, without a slash at the end: empty, or `/dewiki`. */
  readonly root: string
  /** Path before the titles, with a slash at the end. */
  readonly wiki: string
  /** Most pages that a browser keeps. */
  readonly pages: number
}

/** Caches of this wiki: several wikis may have one origin. */
const cachePrefix = (root: string): string => `palimpsest:${root}:`

/**
 * Keeps the articles read last, what they load from this server, and pictures. With a network nothing changes: the
 * server answers each page. Pages for one user, forms and special pages are never kept.
 */
export function offlineWorker({ root, wiki, pages }: OfflineOptions): string {
  const prefix = cachePrefix(root)
  const kinds = [
    { path: wiki, name: `${prefix}pages`, limit: pages, isPage: true },
    { path: `${root}/assets/`, name: `${prefix}assets`, limit: 12 },
    { path: `${root}/media/`, name: `${prefix}pictures`, limit: 4 * pages },
  ]
  return `'use strict'\nconst KINDS = ${JSON.stringify(kinds)}\n${WORKER_SCRIPT}`
}

/** `KINDS` says what it keeps: the first kind are the pages. */
const WORKER_SCRIPT = `const MAX_PICTURE_BYTES = 1000000

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  const kind = KINDS.find(({ path }) => pathname.startsWith(path))
  if (!kind) return
  if (kind.isPage && request.mode !== 'navigate') return
  const key = origin + pathname + search
  // Files with a hash in their address never change.
  event.respondWith(kind.isPage ? fresh(request, key, kind, event) : kept(request, key, kind, event))
})

async function fresh(request, key, kind, event) {
  try {
    const answer = await fetch(request)
    if (mayKeep(answer) && !key.includes('?')) event.waitUntil(keep(key, answer.clone(), kind))
    return answer
  } catch {
    return (await find(key, kind)) || listOfPages(kind)
  }
}

async function kept(request, key, kind, event) {
  const old = await find(key, kind)
  if (old) return old
  const answer = await fetch(request)
  if (mayKeep(answer) && isSmall(answer)) event.waitUntil(keep(key, answer.clone(), kind))
  return answer
}

const mayKeep = ({ status, type, headers }) =>
  status === 200 && type === 'basic' && !/private|no-store/.test(headers.get('Cache-Control') || '')
const isSmall = ({ headers }) => Number(headers.get('Content-Length') || 0) <= MAX_PICTURE_BYTES

const find = async (key, { name }) => (await caches.open(name)).match(key)

/** The last ones stay. */
async function keep(key, answer, { name, limit }) {
  const cache = await caches.open(name)
  await cache.delete(key)
  await cache.put(key, answer)
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old)
}

const asText = (text) => text.replace(/[&<>"']/g, (sign) => '&#' + sign.charCodeAt(0) + ';')
const titleOf = (path) => {
  const name = path.slice(KINDS[0].path.length).replaceAll('_', ' ')
  try { return decodeURIComponent(name) } catch { return name }
}

async function listOfPages({ name }) {
  const keys = (await (await caches.open(name)).keys()).reverse()
  const items = keys.map(({ url }) => new URL(url).pathname).map(
    (path) => '<li><a href="' + asText(path) + '"><bdi>' + asText(titleOf(path)) + '</bdi></a></li>')
  const body = '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>No network</title>' +
    '<h1>No network</h1><p>This page was not read before. These were:</p><ul>' + items.join('') + '</ul>'
  return new Response(body, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'" } })
}
`

/** Ends the worker of an earlier setting, and deletes what it kept. */
export const endedWorker = (root: string): string => `'use strict'
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(${JSON.stringify(cachePrefix(root))}))
  await Promise.all(names.map((name) => caches.delete(name)))
  await registration.unregister()
})()))
`

export interface ManifestSite {
  readonly name: string
  readonly language: string
  readonly direction: Direction
  /** Path before the titles. */
  readonly wiki: string
  readonly icon: string
}

/** The web app manifest, as JSON. */
export const webManifest = ({ name, language, direction, wiki, icon }: ManifestSite): string =>
  JSON.stringify({
    name,
    short_name: name,
    lang: language,
    dir: direction,
    id: wiki,
    start_url: wiki,
    scope: wiki,
    display: 'minimal-ui',
    icons: [{ src: icon, sizes: 'any', type: 'image/svg+xml' }],
  })
