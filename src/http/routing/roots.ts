/** Prefixes of the paths of routes. */
import type { Root } from './describedRoute.js'

/**
 * The prefixes of all roots except `wiki`, which depends on the wiki's id. They have no slash at the end, so the base
 * path may be empty. `root` is the path of the wiki, with which `basePath` begins.
 */
export function rootPaths(basePath: string, root: string): Readonly<Record<Exclude<Root, 'wiki'>, string>> {
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
