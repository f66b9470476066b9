/** Where a route is and what it takes: what the router and the description of the API know of it. */
import type { RouteDoc } from '../openapi/routeDoc.js'
import type { Param } from '../request/params.js'

export type Method = 'GET' | 'POST' | 'PUT'

/**
 * What a route's path is below: `/v1` of the API; the wiki's id there (`/w/rest.php/gdwiki`); the API's base path
 * (`/w/rest.php`); the folder that the base path is in (`/w`); or nothing, for what concerns the server and not the
 * wiki.
 */
export type Root = 'v1' | 'wiki' | 'base' | 'folder' | 'server'

/** A parameter as its route declares it. */
export interface DeclaredParam {
  readonly name: string
  readonly param: Param<unknown>
}

/** What the description of the API tells of a route. */
export interface DescribedRoute {
  readonly method: Method
  readonly root: Root
  readonly path: string
  readonly doc: RouteDoc | undefined
  /** Of the path, in its order. */
  readonly params: readonly DeclaredParam[]
  readonly query: readonly DeclaredParam[]
}
