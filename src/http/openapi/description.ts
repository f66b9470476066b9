/** The API's description and its viewer (Swagger UI) in bytes, each made or read at the first request and kept. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import type { DescribedRoute } from './describedRoute.js'
import { apiDocument } from './document.js'

interface ReadyDescription {
  readonly bytes: Uint8Array
  readonly etag: string
}

export class ApiDescription {
  readonly #routes: readonly DescribedRoute[]
  readonly #config: Config
  readonly #root: string
  #ready: (ReadyDescription & { readonly wikiId: string }) | undefined

  /** `root` is the path before everything of the wiki. */
  constructor(routes: readonly DescribedRoute[], config: Config, root: string) {
    this.#routes = routes
    this.#config = config
    this.#root = root
  }

  /** The description for a wiki's id, which is part of the name of the session cookie. */
  ready(wikiId: string): ReadyDescription {
    if (this.#ready?.wikiId !== wikiId) this.#ready = { ...this.#make(wikiId), wikiId }
    return this.#ready
  }

  #make(wikiId: string): ReadyDescription {
    const bytes = Buffer.from(
      JSON.stringify(apiDocument(this.#routes, this.#config, { wikiId, root: this.#root })),
    )
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, etag: `"${hash}"` }
  }
}

/** The viewer's files, with their types. build.mjs copies them out of its package. */
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
