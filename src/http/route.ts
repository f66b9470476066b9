/** Routes: how an endpoint declares its path, parameters and handler, with types inferred from the declaration. */
import type { AppContext } from '../context.js'
import type { BoundedCache } from './boundedCache.js'
import type { Conditions } from './conditional.js'
import type { PageReader } from './pageReader.js'
import type { Param } from './params.js'
import { readQuery } from './query.js'
import type { Reply } from './reply.js'
import type { Wiki } from './wiki.js'

export type Method = 'GET' | 'POST' | 'PUT'

/** What handlers may use: the application's context, and the reader that knows how to make page bodies fast. */
export interface HttpContext extends AppContext {
  readonly pages: PageReader
  /** Bodies of finished comparisons, by `from:to`. */
  readonly comparisons: BoundedCache<Uint8Array>
}

/** The request as a handler sees it. */
export interface RequestView {
  readonly conditions: Conditions
  /** Absolute URL of the API, without `/v1` and without a slash at the end. Call it before anything is awaited. */
  baseUrl(): string
}

type ParamValues<Params> = {
  readonly [Name in keyof Params]: Params[Name] extends Param<infer Value> ? Value : never
}
type ParamTable = Readonly<Record<string, Param<unknown>>>

/** What a handler gets. */
export interface HandlerInput<PathParams, QueryParams> {
  readonly params: ParamValues<PathParams>
  readonly query: ParamValues<QueryParams>
  readonly request: RequestView
  /** Site settings as of this request. */
  readonly wiki: Wiki
}

export interface RouteDeclaration<PathParams extends ParamTable, QueryParams extends ParamTable> {
  readonly method: Method
  /** Path below `/v1`: `/page/{title}/bare`. Each `{name}` is a key of `params`. */
  readonly path: string
  readonly params?: PathParams
  readonly query?: QueryParams
  /**
   * Answers in the same tick where it only reads; throws an HttpError for errors of the table. Parameters have been
   * read before, those of the path first, in the order of their declaration.
   */
  handler(input: HandlerInput<PathParams, QueryParams>, context: HttpContext): Reply | Promise<Reply>
}

/** What the router knows of a route: the types of its parameters stay inside `answer`. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** `segments` are the decoded values of the path's parameters in order; `query` is the raw query string. */
  answer(
    segments: readonly string[],
    query: string,
    request: RequestView,
    wiki: Wiki,
    context: HttpContext,
  ): Reply | Promise<Reply>
}

export function defineRoute<
  PathParams extends ParamTable = Record<never, never>,
  QueryParams extends ParamTable = Record<never, never>,
>(declaration: RouteDeclaration<PathParams, QueryParams>): Route {
  const { method, path } = declaration
  const pathParams = pathParamsInOrder(path, declaration.params ?? {})
  const queryParams = Object.entries(declaration.query ?? {})
  const queryNames = queryParams.map(([name]) => name)
  return {
    method,
    path,
    answer(segments, rawQuery, request, wiki, context) {
      const params: Record<string, unknown> = {}
      for (let i = 0; i < pathParams.length; i++) {
        const [name, param] = pathParams[i]!
        params[name] = param.parse(segments[i], name, wiki)
      }
      const query: Record<string, unknown> = {}
      if (queryParams.length > 0) {
        const values = readQuery(rawQuery, queryNames)
        for (const [name, param] of queryParams) query[name] = param.parse(values.get(name), name, wiki)
      }
      return declaration.handler(
        {
          params: params as ParamValues<PathParams>,
          query: query as ParamValues<QueryParams>,
          request,
          wiki,
        },
        context,
      )
    },
  }
}

/** The path's parameters in the order they stand there. Throws when path and declaration name different ones. */
function pathParamsInOrder(path: string, declared: ParamTable): [name: string, param: Param<unknown>][] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  if (names.toSorted().join() !== Object.keys(declared).toSorted().join()) {
    throw new Error(`route ${path}: the parameters declared are not those of the path`)
  }
  return names.map((name) => [name, declared[name]!])
}
