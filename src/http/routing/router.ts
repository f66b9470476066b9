/** Finds the route of a path, in a tree of path segments that is built once. */
import type { Method } from '../openapi/describedRoute.js'

/** The part of a route that the router reads. */
export interface Routed {
  readonly method: Method
  readonly path: string
}

export interface Match<Found extends Routed> {
  /** The route for the request's method, or undefined when the path allows others only. */
  readonly route: Found | undefined
  /** Values of the path's parameters, undecoded. */
  readonly segments: readonly string[]
  /** The allowed methods, as in an `Allow` header. */
  readonly allowed: readonly string[]
}

/*
 *   page ── {title} ●GET ─┬─ bare ●GET
 *                         ├─ links ─┬─ language ●GET
 *                         │         └─ media ●GET
 *                         └─ history ●GET ── counts ── {type} ●GET
 *   revision ── {id} ●GET ── bare ●GET
 *   wiki ── {title...} ●GET POST
 */
interface Node<Found extends Routed> {
  readonly literals: Map<string, Node<Found>>
  /**
   * The child for any segment, even an empty one. A literal at the same place comes first, and there is no way back.
   */
  param: Node<Found> | undefined
  /** The child for the rest of the path, slashes included. A literal and `param` come first. */
  rest: Node<Found> | undefined
  /** Routes that end here, by request method. */
  readonly routes: Map<string, Found>
  allowed: readonly string[]
}

export class Router<Found extends Routed> {
  readonly #root = newNode<Found>()

  /** Throws when two routes have the same method and the same shape of path. */
  constructor(routes: readonly Found[]) {
    for (const route of routes) this.#add(route)
  }

  /**
   * Finds the node of a path; undefined when no route has this path. `path` starts after the root's prefix, with a
   * slash. It is undecoded, and segments must match exactly.
   */
  match(method: string, path: string): Match<Found> | undefined {
    let node: Node<Found> = this.#root
    const segments: string[] = []
    for (let start = 1; start <= path.length;) {
      const slash = path.indexOf('/', start)
      const end = slash < 0 ? path.length : slash
      const segment = path.slice(start, end)
      const literal = node.literals.get(segment)
      if (literal === undefined) {
        if (node.param === undefined && node.rest !== undefined) {
          segments.push(path.slice(start))
          node = node.rest
          break
        }
        if (node.param === undefined) return undefined
        segments.push(segment)
      }
      node = literal ?? node.param!
      // A slash at the end adds one more, empty segment.
      start = end + 1
    }
    return node.routes.size === 0
      ? undefined
      : { route: node.routes.get(method), segments, allowed: node.allowed }
  }

  #add(route: Found): void {
    let node = this.#root
    for (const segment of route.path.slice(1).split('/')) {
      if (segment.endsWith('...}')) node = node.rest ??= newNode()
      else node = segment.startsWith('{') ? (node.param ??= newNode()) : childOf(node, segment)
    }
    for (const method of methodsOf(route.method)) {
      if (node.routes.has(method)) throw new Error(`two routes for ${method} ${route.path}`)
      node.routes.set(method, route)
    }
    node.allowed = METHODS.filter((method) => node.routes.has(method))
  }
}

/** In the order of MediaWiki's Allow header. */
const METHODS = ['HEAD', 'GET', 'PUT', 'POST'] as const

/** The request methods that a route answers. */
function methodsOf(method: Method): string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method]
}

function newNode<Found extends Routed>(): Node<Found> {
  return { literals: new Map(), param: undefined, rest: undefined, routes: new Map(), allowed: [] }
}

function childOf<Found extends Routed>(node: Node<Found>, segment: string): Node<Found> {
  const known = node.literals.get(segment)
  if (known !== undefined) return known
  const child = newNode<Found>()
  node.literals.set(segment, child)
  return child
}
