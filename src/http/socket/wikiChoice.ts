/** Chooses the wiki that a request is for, by its host or by the first part of its path. */
import type { Logger } from 'pino'
import type { NativeRequest, NativeResponse } from './driver.js'
import type { Origins } from './origins.js'
import { type RequestHandler, UNLIMITED } from './requestHandler.js'

interface ChosenWiki {
  readonly handler: RequestHandler
  readonly wikiName: string
  /** Empty for a wiki with a host of its own. */
  readonly root: string
}

interface WikiChoiceOptions {
  /** Handles requests that are for no wiki. */
  readonly desk: RequestHandler
  readonly log: Logger
  readonly origins: Origins
}

export class WikiChoice {
  readonly #options: WikiChoiceOptions
  readonly #byPath = new Map<string, RequestHandler>()
  readonly #byHost = new Map<string, RequestHandler>()

  constructor(wikis: readonly ChosenWiki[], options: WikiChoiceOptions) {
    this.#options = options
    for (const { handler, wikiName, root } of wikis) {
      const handlers = root === '' ? this.#byHost : this.#byPath
      handlers.set(wikiName, handler)
    }
  }

  /**
   * Passes a request to the handler of its wiki. An error that escapes one, such as of a store that cannot be read,
   * ends the connection of the request: the other wikis go on.
   */
  pass(
    response: NativeResponse,
    native: NativeRequest,
    path: string,
    take: (handler: RequestHandler) => void,
  ): void {
    const handler = this.#choose(response, native, path)
    try {
      take(handler)
    } catch (error) {
      this.#options.log.error({ err: error, wiki: handler.name, path }, 'a request could not be handled')
      endConnection(response)
    }
  }

  /** The host comes first, so one host never shows the wiki of another. */
  #choose(response: NativeResponse, native: NativeRequest, path: string): RequestHandler {
    const { desk, origins } = this.#options
    if (UNLIMITED.includes(path)) return desk
    if (this.#byHost.size > 0) {
      const handler = this.#byHost.get(origins.hostName(response, native))
      if (handler !== undefined) return handler
    }
    const end = path.indexOf('/', 1)
    return (end < 0 ? undefined : this.#byPath.get(path.slice(1, end))) ?? desk
  }
}

function endConnection(response: NativeResponse): void {
  try {
    response.close()
  } catch {
    // The answer was sent already, and the library lets nobody touch it any more.
  }
}
