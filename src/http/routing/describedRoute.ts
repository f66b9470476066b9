/** Location and parameters of a route, as the router and the description of the API see them. */
import type { RouteDoc } from '../openapi/routeDoc.js'
import type { Param } from '../request/params.js'

export type Method = 'GET' | 'POST' | 'PUT'

/**
 * Prefix of a route's path:
 *
 *     v1      version of the API: /w/rest.php/v1
 *     wiki    the wiki's id: /w/rest.php/gdwiki
 *     base    base path of the API: /w/rest.php
 *     folder  folder of the base path: /w
 *     top     root of the wiki: none, or /NAME if the server has several wikis
 *     server  none: routes of the server itself rather than of the wiki
 */
export type Root = 'v1' | 'wiki' | 'base' | 'folder' | 'top' | 'server'

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
