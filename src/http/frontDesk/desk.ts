/** The front desk of a server with several wikis: it answers requests that are for none of them. */
import type { Logger } from 'pino'
import type { AppContext } from '../../context.js'
import { HttpError, wrongMethodError } from '../reply/errors.js'
import { toHttpError } from '../reply/failures.js'
import { errorReply, optionsReply, type ReadyReply, type Reply, headerLines } from '../reply/reply.js'
import type { AnswersRequests, IncomingRequest } from '../routing/dispatch.js'
import { Router, type Routed } from '../routing/router.js'
import type { ServerContext, SharedServices } from '../routing/services.js'
import { readFile } from 'node:fs/promises'
import { FAVICON } from '../../reader/assets/icon.js'
import { robots } from '../../reader/files.js'
import { Links } from '../../reader/links.js'
import { type ShownWiki, wikiListPage } from '../../reader/views/wikiList.js'
import { AssetFiles } from '../views/readerAssets.js'
import { leadTo, pageHeaders } from '../reader/pageReply.js'
import type { RequestView } from '../request/requestView.js'
import { aliveReply, metricsReply, operatorReply, readiness, type ServerState } from '../views/operators.js'
import { directionOf } from '../../domain/direction.js'
import { languageName } from '../../domain/languageNames.js'

type SharedParts = Pick<SharedServices, 'encoder' | 'server'>

export class Desk implements AnswersRequests {
  readonly #router: Router<DeskRoute>
  readonly #encoder: SharedParts['encoder']
  readonly #log: Logger

  constructor(context: ServerContext, wikis: readonly AppContext[], { encoder, server }: SharedParts) {
    this.#router = new Router(deskRoutes({ ...context, server }, wikis))
    this.#encoder = encoder
    this.#log = context.log
  }

  /** Its answers depend on no settings of a wiki. */
  settings(): object {
    return this
  }

  dispatch(request: IncomingRequest): ReadyReply | Promise<ReadyReply> {
    const { accepted } = request
    const failed = (error: unknown) => this.#encoder.encode(this.#failed(error, request), accepted)
    try {
      const reply = this.#encoder.encode(this.#answer(request), accepted)
      return reply instanceof Promise ? reply.catch(failed) : reply
    } catch (error) {
      return failed(error)
    }
  }

  refuse(_request: unknown, error: HttpError): ReadyReply {
    return errorReply(error)
  }

  #answer(request: IncomingRequest): Reply | Promise<Reply> {
    const { method, path } = request
    const match = this.#router.match(method, path)
    if (method === 'OPTIONS') return optionsReply(match?.allowed ?? [])
    if (match === undefined) throw new HttpError('rest-no-match', [path])
    if (match.route === undefined) throw wrongMethodError(method, match.allowed)
    request.route = match.route
    return match.route.answer(request, match.segments)
  }

  #failed(cause: unknown, { id, method, path }: IncomingRequest): Reply {
    const error = toHttpError(cause)
    if (error.key === 'rest-internal-error')
      this.#log.error({ err: cause, requestId: id, method, path }, 'a request failed')
    return errorReply(error)
  }
}

// Routes of a server with several wikis: the list of the wikis, and files and figures for browsers and operators.

interface DeskRoute extends Routed {
  /** `segments` are the parameters of the path, undecoded. */
  answer(request: RequestView, segments: readonly string[]): Reply | Promise<Reply>
}

type DeskContext = Pick<ServerContext, 'config' | 'metrics'> & { readonly server: ServerState }

const HOUR = 3600
const DAY = 24 * HOUR
const YEAR = 365 * DAY
const FAVICON_BYTES = Buffer.from(FAVICON, 'base64')

function deskRoutes(context: DeskContext, wikis: readonly AppContext[]): readonly DeskRoute[] {
  const { config } = context
  const assets = new AssetFiles('')
  const get = (path: string, answer: DeskRoute['answer']): DeskRoute => ({ method: 'GET', path, answer })
  return [
    get('/', (request) => listReply(wikis, request, assets)),
    get(`${config.basePath}/v1/wikis`, (request) =>
      operatorReply(200, { wikis: listedWikis(wikis, request.baseUrl()) }),
    ),
    get('/healthz', () => aliveReply()),
    get('/readyz', (request) => readyReply(wikis, request, context.server)),
    get('/metrics', (request) => metricsReply(request, context)),
    get('/robots.txt', (request) => robotsReply(wikis, request, config.robotsFile)),
    get('/favicon.ico', () => file(FAVICON_BYTES, 'image/x-icon', DAY)),
    get('/assets/{name}', (_request, [name = '']) => assetReply(assets, name)),
    ...wikis.filter(({ root }) => root !== '').map(({ root }) => get(root, () => leadTo(`${root}/`, 301))),
  ]
}

function listReply(wikis: readonly AppContext[], request: RequestView, assets: AssetFiles): Reply {
  const page = wikiListPage(shownWikis(wikis, request.baseUrl()), assets.links)
  const headers = pageHeaders({}, headerLines({ 'Cache-Control': 'no-cache' }))
  return { status: 200, headers, body: Buffer.from(page) }
}

/** 503 if any wiki is not ready. `reasons` name the wikis. */
function readyReply(wikis: readonly AppContext[], request: RequestView, server: ServerState): Reply {
  const views = wikis.map((wiki) => {
    wiki.store.refresh()
    const { isReady, ...view } = readiness(wiki, server, request.query)
    return [wiki.wikiName, { ready: isReady, ...view }] as const
  })
  const reasons = views.flatMap(([name, view]) => view.reasons.map((reason) => `${name}: ${reason}`))
  const ready = reasons.length === 0
  return operatorReply(ready ? 200 : 503, { ready, reasons, wikis: Object.fromEntries(views) })
}

/** A wiki with a host of its own has its own rules there. */
async function robotsReply(
  wikis: readonly AppContext[],
  request: RequestView,
  robotsFile: string,
): Promise<Reply> {
  const shown = wikis
    .filter(({ root }) => root !== '')
    .map(({ root, config }) => ({ links: new Links(root), basePath: config.basePath }))
  const { origin } = new URL(request.baseUrl())
  const bytes = robotsFile === '' ? Buffer.from(robots(shown, origin)) : await readFile(robotsFile)
  return file(bytes, 'text/plain; charset=utf-8', HOUR)
}

/** An old hash leads to the file of this version. */
function assetReply(assets: AssetFiles, name: string): Reply {
  const found = assets.find(name)
  if (found === undefined) throw new HttpError('rest-no-match', [`/assets/${name}`])
  return found.path.endsWith(`/${name}`) ? file(found.bytes, found.type, YEAR) : leadTo(found.path)
}

function file(body: Uint8Array, type: string, maxAgeSeconds: number): Reply {
  const headers = { 'Content-Type': type, 'Cache-Control': `public, max-age=${maxAgeSeconds}` }
  return { status: 200, headers: headerLines(headers), body }
}

/** A wiki, as the list of the server's wikis shows it. */
type ServedWiki = Pick<AppContext, 'wikiName' | 'root' | 'config' | 'store'>

/** For clients of the API, as JSON. */
interface ListedWiki {
  readonly name: string
  readonly title: string
  readonly language: string
  readonly pages: number
  /** Absolute URL of its pages for readers. */
  readonly url: string
  /** Absolute URL of its API. */
  readonly api: string
}

/** `baseUrl` is the URL of the server's API, as the client of a request sees it. */
function listedWikis(wikis: readonly ServedWiki[], baseUrl: string): ListedWiki[] {
  return wikis.map((wiki) => {
    const { wikiName: name, root, config, store } = wiki
    const origin = originOf(wiki, baseUrl)
    const { name: title, language } = store.site()
    const api = `${config.publicUrl || origin + config.basePath}/v1`
    return { name, title, language, pages: countPages(wiki), url: `${origin}${root}/`, api }
  })
}

function shownWikis(wikis: readonly ServedWiki[], baseUrl: string): ShownWiki[] {
  return wikis.map((wiki) => {
    const { name: title, language } = wiki.store.site()
    return {
      href: wiki.root === '' ? `${originOf(wiki, baseUrl)}/` : `${wiki.root}/`,
      title: title || wiki.wikiName,
      language,
      direction: directionOf(language),
      languageName: languageName(language) ?? language,
      pages: countPages(wiki),
    }
  })
}

function countPages({ store }: ServedWiki): number {
  store.refresh()
  return store.counters().pages
}

/** Scheme and host. A wiki with a host of its own has the scheme and the port of the server. */
function originOf({ wikiName, root, config }: ServedWiki, baseUrl: string): string {
  const url = new URL(config.publicUrl || baseUrl)
  if (root === '' && config.publicUrl === '') url.hostname = wikiName
  return url.origin
}
