/** Files of the API viewer (Swagger UI), which the build copies out of its package. Each is read once and kept. */
import { readFile } from 'node:fs/promises'
import { compiledFile } from '../../runtime/packageFiles.js'

/** The files that the page loads, with their types. build.mjs copies them. */
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
      file = readFile(compiledFile(`viewer/${name}`))
      this.#files.set(name, file)
      // A later request tries an unreadable file again.
      file.catch(() => this.#files.delete(name))
    }
    return file
  }
}
