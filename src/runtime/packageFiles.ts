/** Where the files of this package are. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder that has package.json. This module may be in src, as in tests, or in any file that the build makes. */
function packageRoot(): URL {
  let folder = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', folder))) {
    const parent = new URL('..', folder)
    if (parent.href === folder.href) throw new Error('the file package.json of palimpsest is missing')
    folder = parent
  }
  return folder
}

/** The path of a file of the package, given its path below the package's folder. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, packageRoot()))
}

/**
 * The path of a compiled file in `dist`, given its source path below `src`. Threads and processes run compiled code,
 * even when the caller runs from `src`, as in tests. The file is one of the entries of build.mjs.
 */
export function compiledFile(path: string): string {
  return packageFile(`dist/${path.replace(/\.ts$/, '.js')}`)
}
