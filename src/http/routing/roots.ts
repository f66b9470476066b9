/** Prefixes of the paths of routes. */
import type { Root } from './describedRoute.js'

/**
 * The prefixes of all roots except `wiki`, which depends on the wiki's id. They have no slash at the end, so the base
 * path may be empty.
 */
export function rootPaths(basePath: string): Readonly<Record<Exclude<Root, 'wiki'>, string>> {
  return {
    v1: `${basePath}/v1`,
    base: basePath,
    folder: basePath.replace(/\/[^/]*$/, ''),
    server: '',
  }
}
