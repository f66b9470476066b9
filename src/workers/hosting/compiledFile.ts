import { fileURLToPath } from 'node:url'

/**
 * The path of a compiled file in `dist`, given its source path below `src`. Threads and processes run compiled code,
 * even when the caller runs from `src`, as in tests.
 */
export function compiledFile(path: string): string {
  return fileURLToPath(new URL(`../../../dist/${path.replace(/\.ts$/, '.js')}`, import.meta.url))
}
