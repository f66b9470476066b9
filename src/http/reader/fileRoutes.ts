/** Files beside the pages: style sheet, scripts and icon, what browsers and robots ask for, and sitemaps. */
import { readFile } from 'node:fs/promises'
import { FAVICON } from '../../reader/assets/icon.js'
import { endedWorker, offlineWorker, webManifest } from '../../reader/assets/offlineWorker.js'
import { openSearch, robots } from '../../reader/files.js'
import { HttpError } from '../reply/errors.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../reply/reply.js'
import { restOfPath } from '../request/params.js'
import { defineRoute, type HttpContext, type Route } from '../routing/route.js'
import { leadTo } from './pageReply.js'
import { IDS_PER_SITEMAP } from '../../reader/sitemap.js'
import type { AssetFile } from '../views/readerAssets.js'
import type { Validators } from '../reply/conditional.js'
import type { RequestView } from '../request/requestView.js'

const FOREVER = headerLines({ 'Cache-Control': 'public, max-age=31536000, immutable' })
const FAVICON_BYTES = Buffer.from(FAVICON, 'base64')

/** Answers a file of the pages. An old hash leads to the file of this version: its page came from another one. */
const getAsset = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/assets/{name}',
  params: { name: restOfPath() },
  handler({ params, request }, { readerSites, pool }) {
    if (params.name.startsWith(WIKI_SHEET)) return wikiSheet(params.name, request, { readerSites, pool })
    const file = readerSites.assets.find(params.name)
    if (file === undefined) throw new HttpError('rest-no-match', [`/assets/${params.name}`])
    if (!file.path.endsWith(`/${params.name}`)) return leadTo(file.path)
    const validators = { etag: file.etag, lastModified: undefined }
    return conditionally<Reply>(request.conditions, validators, () => assetReply(file, validators))
  },
})

function assetReply({ type, bytes }: Pick<AssetFile, 'type' | 'bytes'>, validators: Validators): Reply {
  const headers = headerLines({ 'Content-Type': type }) + validatorLines(validators) + FOREVER
  return reusable({ status: 200, headers, body: bytes }, { validators, isCurrent: () => true })
}

const WIKI_SHEET = 'wiki.'

/** The wiki's own style sheet, which a thread makes. */
function wikiSheet(
  name: string,
  request: RequestView,
  { readerSites, pool }: Pick<HttpContext, 'readerSites' | 'pool'>,
): Reply | Promise<Reply> {
  const sheet = readerSites.wikiSheets.current()
  if (sheet === undefined) throw new HttpError('rest-no-match', [`/assets/${name}`])
  if (!sheet.path.endsWith(`/${name}`)) return leadTo(sheet.path)
  const validators = { etag: `"${name}"`, lastModified: undefined }
  return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
    const bytes = await readerSites.wikiSheets.bytes(sheet, pool)
    return assetReply({ type: 'text/css; charset=utf-8', bytes }, validators)
  })
}

const getFavicon = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/favicon.ico',
  handler: () => plainFile(FAVICON_BYTES, 'image/x-icon', 86_400),
})

/** So that browsers can add the wiki as a search engine. */
const getOpenSearch = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/opensearch.xml',
  handler({ request, wiki }, { config, readerSites }) {
    const { origin } = new URL(request.baseUrl())
    const { links } = readerSites.site(wiki)
    const xml = openSearch({ name: wiki.site.name, origin, links, api: `${origin}${config.basePath}/v1` })
    return plainFile(Buffer.from(xml), 'application/opensearchdescription+xml; charset=utf-8', 3600)
  },
})

/** Browsers ask for the worker again each day: a server without one has a worker that ends itself. */
const getWorker = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/offline.js',
  handler({ wiki }, { config, readerSites }) {
    const { wiki: path, root } = readerSites.site(wiki).links
    const pages = config.readerOfflinePages
    const text = pages > 0 ? offlineWorker({ root, wiki: path, pages }) : endedWorker(root)
    return { status: 200, headers: WORKER_HEADERS, body: Buffer.from(text) }
  },
})

const WORKER_HEADERS = headerLines({
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
})

const getManifest = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/manifest.webmanifest',
  handler({ wiki }, { readerSites }) {
    const { offline, name, language, direction, links, assets } = readerSites.site(wiki)
    if (offline === undefined) throw new HttpError('rest-no-match', ['/manifest.webmanifest'])
    const json = webManifest({ name, language, direction, wiki: links.wiki, icon: assets.icon })
    return plainFile(Buffer.from(json), 'application/manifest+json; charset=utf-8', 3600)
  },
})

const getRobots = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/robots.txt',
  async handler({ request, wiki }, { config, readerSites }) {
    const { robotsFile, basePath } = config
    const { links } = readerSites.site(wiki)
    const bytes =
      robotsFile === ''
        ? Buffer.from(robots([{ links, basePath }], new URL(request.baseUrl()).origin))
        : await readFile(robotsFile)
    return plainFile(bytes, 'text/plain; charset=utf-8', 3600)
  },
})

const getSitemapIndex = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/sitemap.xml',
  handler: ({ request }, context) => sitemapReply(undefined, request, context),
})

/** The router has parameters for whole parts of a path, so the number is a part of its own. */
const getSitemap = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/sitemap/{name}',
  params: { name: restOfPath() },
  handler({ params, request }, context) {
    const [, digits] = /^([1-9]\d{0,5})\.xml$/.exec(params.name) ?? []
    const number = Number(digits)
    const last = Math.ceil((context.store.counters().nextPageId - 1) / IDS_PER_SITEMAP)
    if (digits === undefined || number > last)
      throw new HttpError('rest-no-match', [`/sitemap/${params.name}`])
    return sitemapReply(number, request, context)
  },
})

export const fileRoutes: readonly Route[] = [
  getAsset,
  getFavicon,
  getOpenSearch,
  getWorker,
  getManifest,
  getRobots,
  getSitemapIndex,
  getSitemap,
]

function plainFile(body: Uint8Array, type: string, maxAgeSeconds: number): Reply {
  const headers = { 'Content-Type': type, 'Cache-Control': `max-age=${maxAgeSeconds}` }
  return { status: 200, headers: headerLines(headers), body }
}

/** A sitemap for search engines. A compute thread makes it, since it may have 50,000 pages. */
async function sitemapReply(
  number: number | undefined,
  request: RequestView,
  { pool, root }: HttpContext,
): Promise<Reply> {
  const { origin } = new URL(request.baseUrl())
  const body = await pool.run('sitemap', { number, origin, root })
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'max-age=3600' }
  return { status: 200, headers: headerLines(headers), body }
}
