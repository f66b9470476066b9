/** Files of the packaged viewer of the API's description, read once and then kept. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** What the page needs of the package, with types. */
export const VIEWER_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const
export type ViewerFile = keyof typeof VIEWER_FILES

export class ViewerFiles {
  readonly #files = new Map<ViewerFile, Promise<Uint8Array>>()

  read(name: ViewerFile): Promise<Uint8Array> {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
      this.#files.set(name, file)
      // A file that could not be read is tried again.
      file.catch(() => this.#files.delete(name))
    }
    return file
  }
}
