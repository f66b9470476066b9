/** Routes: an endpoint declares its path, parameters and handler, and the declaration gives the types. */
import type { AppContext } from '../../context.js'
import type { ClusterSecret } from '../../auth/clusterSecret.js'
import type { Accounts } from '../../auth/accounts.js'
import type { BoundedCache } from '../../runtime/boundedCache.js'
import type { Identities } from '../../auth/identities.js'
import type { ApiDescription, ViewerFiles } from '../openapi/document.js'
import type { DescribedRoute, Method, Root, RouteDoc } from '../openapi/describedRoute.js'
import type { RequestView, RequestWithBody } from '../request/requestView.js'
import type { Pacer } from '../../runtime/pacer.js'
import type { ExpandedLinks } from '../cache/expandedLinks.js'
import type { ChangeStreams } from '../views/changeStreams.js'
import type { PageAnswers } from '../views/pageAnswers.js'
import { type Param, readQuery } from '../request/params.js'
import type { ReaderSites } from '../views/readerSites.js'
import type { Comparer, SearchBatches } from '../../workers/compute/batches.js'
import type { HttpError } from '../reply/errors.js'
import type { Reply } from '../reply/reply.js'
import type { Wiki } from '../request/wiki.js'
import type { BodyReader } from '../request/bodyFields.js'
import type { ServerState } from '../views/operators.js'

/** Everything that handlers may use: the application's context, and services of the HTTP layer. */
export interface HttpContext extends AppContext {
  readonly pages: PageAnswers
  /** Bodies of finished comparisons. Keys are `from:to`. */
  readonly comparisons: ComparisonCache
  readonly expandedLinks: ExpandedLinks
  readonly comparer: Comparer
  readonly changeStreams: ChangeStreams
  readonly searches: SearchBatches
  readonly identities: Identities
  readonly accounts: Accounts
  /** Undefined: nobody may copy the store. */
  readonly clusterSecret: ClusterSecret | undefined
  readonly description: ApiDescription
  readonly viewer: ViewerFiles
  readonly readerSites: ReaderSites
  readonly server: ServerState
  /** Spreads requests with a body over turns of the event loop: each turn parses and handles one. */
  readonly pacer: Pacer
}

export type ComparisonCache = Pick<BoundedCache<Uint8Array>, 'get' | 'set'>

type ParamValues<Params> = {
  readonly [Name in keyof Params]: Params[Name] extends Param<infer Value> ? Value : never
}
type ParamTable = Readonly<Record<string, Param<unknown>>>

/** Input of a handler. */
interface HandlerInput<PathParams, QueryParams, Body = undefined> {
  readonly params: ParamValues<PathParams>
  readonly query: ParamValues<QueryParams>
  /** As received, without the question mark. */
  readonly rawQuery: string
  readonly body: Body
  readonly request: RequestView
  /** Site settings as of this request. */
  readonly wiki: Wiki
}

interface RouteDeclaration<PathParams extends ParamTable, QueryParams extends ParamTable, Body> {
  readonly method: Method
  /** `v1` by default. */
  readonly root?: Root
  /**
   * Path below the root, such as `/page/{title}/bare`. Each `{name}` is a key of `params`. `{name...}` at the end takes
   * the rest of the path, slashes included.
   */
  readonly path: string
  /** Entry in the description of the API; a route without `doc` does not appear there. */
  readonly doc?: RouteDoc
  readonly params?: PathParams
  readonly query?: QueryParams
  /** Absent: the server skips bodies. */
  readonly body?: BodyReader<Body>
  /**
   * Answers in the same tick when it only reads; throws an HttpError for errors of the table. The server parses the
   * parameters first: those of the path, then those of the query, each in the order of declaration. The body comes
   * last.
   */
  handler(input: HandlerInput<PathParams, QueryParams, Body>, context: HttpContext): Reply | Promise<Reply>
  /** Answers errors of this route, if not as JSON. */
  readonly errorPage?: ErrorPage
}

/** Makes the answer to a failed request. */
export type ErrorPage = (error: HttpError, wiki: Wiki, context: HttpContext) => Reply

/** A route for the router. `answer` hides the types of the parameters. */
export interface Route extends DescribedRoute {
  readonly errorPage: ErrorPage | undefined
  /** `segments` are the decoded values of the path's parameters in order; `query` is the raw query string. */
  answer(
    segments: readonly string[],
    query: string,
    request: RequestWithBody,
    wiki: Wiki,
    context: HttpContext,
  ): Reply | Promise<Reply>
}

export function defineRoute<
  PathParams extends ParamTable = Record<never, never>,
  QueryParams extends ParamTable = Record<never, never>,
  Body = undefined,
>(declaration: RouteDeclaration<PathParams, QueryParams, Body>): Route {
  const { method, root = 'v1', path, doc, errorPage } = declaration
  const pathParams = pathParamsInOrder(path, declaration.params ?? {})
  const queryParams = Object.entries(declaration.query ?? {})
  const queryNames = queryParams.map(([name]) => name)
  return {
    method,
    root,
    path,
    doc,
    errorPage,
    params: pathParams.map(([name, param]) => ({ name, param })),
    query: queryParams.map(([name, param]) => ({ name, param })),
    answer(segments, rawQuery, request, wiki, context) {
      const params = parsePath(pathParams, segments, wiki)
      const query = parseQuery(queryParams, queryNames, rawQuery, wiki)
      const handle = (body: Body) =>
        declaration.handler(
          {
            params: params as ParamValues<PathParams>,
            query: query as ParamValues<QueryParams>,
            rawQuery,
            body,
            request,
            wiki,
          },
          context,
        )
      // Without a reader, Body is undefined.
      if (declaration.body === undefined) return handle(undefined as Body)
      return withBody(declaration.body, request, context, handle)
    },
  }
}

type NamedParams = readonly (readonly [name: string, param: Param<unknown>])[]

function parsePath(params: NamedParams, segments: readonly string[], wiki: Wiki): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (let i = 0; i < params.length; i++) {
    const [name, param] = params[i]!
    values[name] = param.parse(segments[i], name, wiki)
  }
  return values
}

function parseQuery(
  params: NamedParams,
  names: readonly string[],
  rawQuery: string,
  wiki: Wiki,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  if (params.length === 0) return values
  const given = readQuery(rawQuery, names)
  for (const [name, param] of params) values[name] = param.parse(given.get(name), name, wiki)
  return values
}

/** Keeps the body's share of memory until the request is answered, since the parsed values may need as much. */
async function withBody<Body>(
  reader: BodyReader<Body>,
  request: RequestWithBody,
  context: HttpContext,
  handle: (body: Body) => Reply | Promise<Reply>,
): Promise<Reply> {
  const contentType = request.header('content-type')
  reader.checkType(contentType, request.hasBody())
  try {
    const bytes = await request.readBody()
    await context.pacer.turn()
    return await handle(await reader.parse(bytes, context, contentType))
  } finally {
    request.releaseBody()
  }
}

/** The path's parameters in their order. Throws when the path and the declaration name different ones. */
function pathParamsInOrder(path: string, declared: ParamTable): [name: string, param: Param<unknown>][] {
  const names = [...path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => name!)
  if (names.toSorted().join() !== Object.keys(declared).toSorted().join()) {
    throw new Error(`route ${path}: the parameters declared are not those of the path`)
  }
  return names.map((name) => [name, declared[name]!])
}
