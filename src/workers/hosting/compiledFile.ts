import { fileURLToPath } from 'node:url'

/**
 * A file of the compiled product: threads and processes run it from `src` (in tests) as from `dist`. `path` is below
 * `src`.
 */
export function compiledFile(path: string): string {
  return fileURLToPath(new URL(`../../../dist/${path.replace(/\.ts$/, '.js')}`, import.meta.url))
}
