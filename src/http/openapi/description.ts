/** The API's description in bytes, made at the first request and kept. */
import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.js'
import type { DescribedRoute } from '../routing/describedRoute.js'
import { apiDocument } from './document.js'

export interface ReadyDescription {
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
