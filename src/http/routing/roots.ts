/** What stands before the paths of routes. */
import type { Root } from './describedRoute.js'

/**
 * The paths of the roots but that of the wiki, which follows its id; without a slash at the end: that of a server
 * without a base path is empty.
 */
export function rootPaths(basePath: string): Readonly<Record<Exclude<Root, 'wiki'>, string>> {
  return {
    v1: `${basePath}/v1`,
    base: basePath,
    folder: basePath.replace(/\/[^/]*$/, ''),
    server: '',
  }
}
