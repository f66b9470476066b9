/**
 * Routes as the router and the description of the API see them: where they are, what they take, and their
 * documentation.
 */
import type { ErrorKey } from '../reply/errors.js'
import type { JsonSchema, Param } from '../request/params.js'

export type Method = 'GET' | 'POST' | 'PUT'

/**
 * Prefix of a route's path:
 *
 *     v1      version of the API: /w/rest.php/v1
 *     wiki    the wiki's id: /w/rest.php/gdwiki
 *     base    base path of the API: /w/rest.php
 *     folder  folder of the base path: /w
 *     top     root of the wiki: none, or /NAME if the server has several wikis
 *     variant the same, with a variant of the wiki's language as first segment
 *     server  none: routes of the server itself rather than of the wiki
 */
export type Root = 'v1' | 'wiki' | 'base' | 'folder' | 'top' | 'variant' | 'server'

/** A parameter as its route declares it. */
export interface DeclaredParam {
  readonly name: string
  readonly param: Param<unknown>
}

/** The part of a route that the description of the API shows. */
export interface DescribedRoute {
  readonly method: Method
  readonly root: Root
  readonly path: string
  readonly doc: RouteDoc | undefined
  /** Parameters of the path, in its order. */
  readonly params: readonly DeclaredParam[]
  readonly query: readonly DeclaredParam[]
}

export type Tag = 'Search' | 'Pages' | 'History' | 'Revisions' | 'Files' | 'Conversion' | 'Session' | 'Server'

/** The documentation of a route, in addition to its declaration. */
export interface RouteDoc {
  /** Operation id for generators of clients, such as `getPageHistory`. */
  readonly id: string
  readonly tag: Tag
  /** One line without a full stop. */
  readonly summary: string
  /** Further description, in Markdown. */
  readonly description?: string
  readonly deprecated?: boolean
  /** The answer on success. */
  readonly answer: AnswerDoc
  /** Other successful answers, each with its status. */
  readonly otherAnswers?: readonly AnswerDoc[]
  /**
   * Supported conditions: `read` is those of GET, with 304 and 412; `write` is preconditions with 412. The default is
   * `read` for GET, except on routes of the server itself, and `none` for the others.
   */
  readonly conditions?: 'read' | 'write' | 'none'
  /** Whether a request needs credentials or may have some. */
  readonly signIn?: 'needed' | 'possible'
  /** Query parameters that the handler parses itself. */
  readonly query?: readonly QueryDoc[]
  /** The request's body, when the route has one. */
  readonly body?: BodyDoc
  /** Errors of the handler. Parameters, body and server limits add theirs automatically. */
  readonly errors: readonly ErrorKey[]
}

export interface QueryDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

export interface AnswerDoc {
  /** 200 by default. */
  readonly status?: number
  readonly description: string
  /** JSON by default. */
  readonly type?: string | readonly string[]
  /** Absent: any value of the type. */
  readonly schema?: JsonSchema
  /** Headers of this answer, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface BodyDoc {
  readonly description: string
  /** Content types; JSON by default. */
  readonly types?: readonly string[]
  readonly schema: JsonSchema
}

/**
 * The prefixes of all roots except `wiki`, which depends on the wiki's id. They have no slash at the end, so the base
 * path may be empty. `root` is the path of the wiki, with which `basePath` begins.
 */
export function rootPaths(
  basePath: string,
  root: string,
): Readonly<Record<Exclude<Root, 'wiki' | 'variant'>, string>> {
  return {
    v1: `${basePath}/v1`,
    base: basePath,
    folder: folderOf(basePath, root),
    top: root,
    server: '',
  }
}

/** The folder of the base path, for `api.php`. */
export const folderOf = (basePath: string, root: string): string =>
  basePath === root ? root : basePath.replace(/\/[^/]*$/, '')
