/** Turns one request into a Reply: routing, parameters, handler, errors. Knows nothing of sockets. */
import { type Accepted, ACCEPTS_NONE } from '../coding/codings.js'
import type { Encoder } from '../coding/encoder.js'
import { failsOnMissing } from '../reply/conditional.js'
import { type ErrorKey, HttpError, wrongMethodError } from '../reply/errors.js'
import { decodePercent } from '../../domain/percent.js'
import { toHttpError } from '../reply/failures.js'
import {
  errorReply,
  optionsReply,
  preconditionFailed,
  type ReadyReply,
  type Reply,
  withOwnBody,
} from '../reply/reply.js'
import { ClientGoneError } from '../request/requestBody.js'
import { rootPaths } from '../openapi/describedRoute.js'
import type { HttpContext, Route } from './route.js'
import type { RequestWithBody } from '../request/requestView.js'
import { type Match, Router } from './router.js'
import { CurrentWiki, type Wiki, type WikiVariants } from '../request/wiki.js'

/** A request as server.ts hands it over. */
export interface IncomingRequest extends RequestWithBody {
  readonly id: string
  /** As sent: case matters. */
  readonly method: string
  /** Raw: not decoded, without the query. */
  readonly path: string
  readonly accepted: Accepted
  /** The matching route. The dispatcher sets it before the handler runs. */
  route: MatchedRoute | undefined
  /** Copies what handlers may read, so that a handler can run after an await. For requests without a body. */
  detach(): void
}

/** A route, as figures and errors need it. */
export type MatchedRoute = Pick<Route, 'method' | 'path'> & Partial<Pick<Route, 'errorPage'>>

/** Turns requests into replies. */
export interface AnswersRequests {
  /** Never throws or rejects. */
  dispatch(request: IncomingRequest): ReadyReply | Promise<ReadyReply>
  /** Answers a request that goes no further with an error. */
  refuse(request: Pick<IncomingRequest, 'method' | 'path' | 'id'>, error: HttpError): ReadyReply
  /** The settings that answers are made with. New ones are another object. */
  settings(): AnswerSettings
}

/** What an answer depends on beside its URL. */
export interface AnswerSettings {
  /** Present if answers differ by the languages that a reader understands. */
  readonly variants?: Pick<WikiVariants, 'keyOf'> | undefined
}

/** The order in which the dispatcher tries the roots. */
const ROOTS = ['v1', 'wiki', 'base', 'folder', 'top', 'variant', 'server'] as const
/** Errors for a URL that names something nonexistent. */
const MISSING: readonly ErrorKey[] = [
  'rest-nonexistent-title',
  'rest-nonexistent-title-revision',
  'rest-nonexistent-revision',
  'rest-cannot-load-file',
]
/** Reply to a request whose client has gone; never sent. */
const NEVER_SENT: ReadyReply = { status: 400, headers: '', body: undefined }

type RootRouter = readonly [prefix: (path: string) => string | undefined, router: Router<Route>]

const onlyReads = ({ method }: IncomingRequest): boolean => method === 'GET' || method === 'HEAD'

export class Dispatcher implements AnswersRequests {
  readonly #context: HttpContext
  readonly #encoder: Encoder
  /** Routers by the prefix of their paths; the first one that matches wins. */
  readonly #routers: readonly RootRouter[]
  readonly #wikis: CurrentWiki

  constructor(context: HttpContext, routes: readonly Route[], encoder: Encoder) {
    this.#context = context
    this.#encoder = encoder
    const paths = rootPaths(context.config.basePath, context.root)
    this.#routers = ROOTS.map((root) => [
      this.#prefixOf(root, paths),
      new Router<Route>(routes.filter((route) => route.root === root)),
    ])
    this.#wikis = new CurrentWiki(context)
  }

  /** The part of a path before those of a root; undefined if the path has no such part. */
  #prefixOf(root: (typeof ROOTS)[number], paths: ReturnType<typeof rootPaths>): RootRouter[0] {
    if (root === 'wiki') return () => this.#wikis.current().pathPrefix
    if (root !== 'variant') return () => paths[root]
    return (path) => {
      const { variants } = this.#wikis.current()
      if (variants === undefined || !path.startsWith(`${paths.top}/`)) return undefined
      const start = paths.top.length + 1
      return variants.has(path.slice(start, path.indexOf('/', start))) ? paths.top : undefined
    }
  }

  /** The values of the wiki's settings. */
  settings(): Wiki {
    return this.#wikis.current()
  }

  /** Answers a request, in the same tick when the handler only reads. Never throws or rejects. */
  dispatch(request: IncomingRequest): ReadyReply | Promise<ReadyReply> {
    const { accepted } = request
    try {
      const { isAlert } = this.#context.store.coldReads
      const reply = isAlert && onlyReads(request) ? this.#attempt(request) : this.#encoded(request)
      if (!(reply instanceof Promise)) return reply
      return reply.catch((error: unknown) =>
        this.#encoder.encodeLater(this.#failed(error, request), accepted),
      )
    } catch (error) {
      return this.#encoder.encode(this.#failed(error, request), accepted)
    }
  }

  /** The answer to a request that is refused before it gets here, in the form of its route's errors. */
  refuse(
    { method, path, id }: Pick<IncomingRequest, 'method' | 'path' | 'id'>,
    error: HttpError,
  ): ReadyReply {
    const reply = this.#errorReply(error, { route: this.#match(method, path)?.route, id })
    const ready = this.#encoder.encode(reply, ACCEPTS_NONE)
    return ready instanceof Promise ? errorReply(error) : ready
  }

  #encoded(request: IncomingRequest): ReadyReply | Promise<ReadyReply> {
    return this.#encoder.encode(this.#answer(request), request.accepted)
  }

  /** Answers a read that may wait for rows. Then it is not sent in the tick of its answer, whose bytes are shared. */
  #attempt(request: IncomingRequest): ReadyReply | Promise<ReadyReply> {
    let hasWaited = false
    const answer = (): ReadyReply | Promise<ReadyReply> => {
      const reply = this.#encoded(request)
      return hasWaited && !(reply instanceof Promise) ? withOwnBody(reply) : reply
    }
    return this.#context.store.coldReads.run(answer, () => {
      hasWaited = true
      request.detach()
    })
  }

  #answer(request: IncomingRequest): Reply | Promise<Reply> {
    const { method, path } = request
    const match = this.#match(method, path)
    if (method === 'OPTIONS') return optionsReply(match?.allowed ?? [])
    if (match === undefined) throw new HttpError('rest-no-match', [this.#pathInBase(path)])
    if (match.route === undefined) throw wrongMethodError(method, match.allowed)
    request.route = match.route
    const segments = match.segments.map(decodePercent)
    return match.route.answer(segments, request.query, request, this.#wikis.current(), this.#context)
  }

  #match(method: string, path: string): Match<Route> | undefined {
    for (const [prefixNow, router] of this.#routers) {
      const prefix = prefixNow(path)
      const isBelow = prefix !== undefined && path.startsWith(prefix) && path.charAt(prefix.length) === '/'
      const match = isBelow ? router.match(method, path.slice(prefix.length)) : undefined
      if (match !== undefined) return match
    }
    return undefined
  }

  /** The path below the base path; a path outside of it is returned unchanged. */
  #pathInBase(path: string): string {
    const { basePath } = this.#context.config
    const rest = path.startsWith(basePath) ? path.slice(basePath.length) : path
    return rest === '' || rest.startsWith('/') ? rest : path
  }

  #failed(cause: unknown, request: IncomingRequest): Reply {
    if (cause instanceof ClientGoneError) return NEVER_SENT
    const error = toHttpError(cause)
    if (MISSING.includes(error.key) && failsOnMissing(request.conditions)) return preconditionFailed()
    if (error.key === 'rest-internal-error') {
      const { id, method, path, query } = request
      this.#context.log.error({ err: cause, requestId: id, method, path, query }, 'a request failed')
    }
    if (error.cause !== undefined) {
      // A fault outside the program: where it came from in the code helps nobody.
      const { cause: reason } = error
      const isOutside = error.key === 'rest-storage-full' || error.key === 'rest-storage-unwritable'
      const facts = isOutside && reason instanceof Error ? { reason: reason.message } : { err: reason }
      this.#context.log.warn({ ...facts, requestId: request.id }, error.message)
    }
    return this.#errorReply(error, request)
  }

  #errorReply(error: HttpError, { route, id }: Pick<IncomingRequest, 'route' | 'id'>): Reply {
    if (route?.errorPage === undefined) return errorReply(error)
    try {
      return route.errorPage(error, this.#wikis.current(), this.#context)
    } catch (cause) {
      this.#context.log.error({ err: cause, requestId: id }, 'a page for an error could not be made')
      return errorReply(error)
    }
  }
}
