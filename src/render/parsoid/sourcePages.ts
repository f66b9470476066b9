/** Content models whose pages show their source. */
import { PLAIN_MODELS, renderSource } from '../contentModels.js'
import type { DomElement } from './dom.js'
import type { ContentHandler, ParsoidPackage } from './package.js'

export function sourcePages(parsoid: ParsoidPackage): Record<string, ContentHandler> {
  const handler = (model: string): ContentHandler => ({
    toHTML: (env) => {
      const document = env.createDocument(renderSource(model, env.page.src))
      parsoid.addMetaData(env, document)
      return parsoid.Promise.resolve(document)
    },
    fromHTML: (_env, body) => parsoid.Promise.resolve(shownSource(body)),
  })
  return Object.fromEntries(PLAIN_MODELS.map((model) => [model, handler(model)]))
}

/** The source in a page's HTML: the last block of code, since the documentation of a module may contain others. */
export function shownSource(body: DomElement): string {
  const shown = Array.from(body.querySelectorAll('pre.mw-code')).at(-1) ?? body
  return shown.textContent
}
