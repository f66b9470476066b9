/** Pages whose content model is not wikitext: they show their source. */
import type { DomElement, DomDocument } from '../html/dom.js'
import type { ContentHandler, ParsoidPackage, ParserEnv } from './package.js'
import { SANITIZED_CSS, SCRIBUNTO, documentationOf } from '../../domain/contentModel.js'
import { escapeHtml } from '../../domain/html.js'
import { highlight } from '../tags/syntaxHighlight.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedText, type Title } from '../../domain/title.js'

/** Models whose source is shown as it is. */
const PLAIN_MODELS = ['css', 'javascript', 'text', SANITIZED_CSS] as const

/** The engine's model for a page. An unknown model is shown as text. */
export function engineModel(contentModel: string): string {
  const models: readonly string[] = ['wikitext', 'json', SCRIBUNTO, ...PLAIN_MODELS]
  return models.includes(contentModel) ? contentModel : 'text'
}

/** A document with a page's source, without the content of its head. */
function renderSource(model: string, source: string): string {
  const kind = model.toLowerCase().replace(/[^a-z-]/g, '')
  // The HTML parser drops the first line break after the tag.
  return `<!DOCTYPE html><html><body><pre class="mw-code mw-${kind}" dir="ltr">\n${escapeHtml(source)}</pre></body></html>`
}

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

// The documentation above the source of a module: the page `Module:X/doc`, or a note that it is missing.

/**
 * Wikitext; empty for pages that are not modules. As in MediaWiki it comes from the messages `scribunto-doc-page-show`
 * and `scribunto-doc-page-does-not-exist`, which pages of the wiki can replace.
 */
export function documentationWikitext(
  module: Title,
  namespaces: Namespaces,
  pageExists: (title: Title) => boolean,
): string {
  const page = documentationOf(module)
  if (page === undefined) return ''
  const message = pageExists(page) ? 'scribunto-doc-page-show' : 'scribunto-doc-page-does-not-exist'
  return `{{int:${message}|${prefixedText(page, namespaces)}}}`
}

// Pages of modules: their documentation, followed by their highlighted source.

const LANGUAGE = 'lua'

export function modulePages(parsoid: Pick<ParsoidPackage, 'Promise'>): ContentHandler {
  return {
    toHTML: (env) => {
      const source = env.page.src
      const { title, namespaces, source: wiki } = env.tagFacts
      env.page.src = documentationWikitext(title, namespaces, (page) => wiki.pageExists(page))
      env.topFrame.srcText = env.page.src
      const documentation = env.getContentHandler('wikitext').toHTML(env)
      return documentation.then((document) => withSource(document, source))
    },
    fromHTML: (_env: ParserEnv, body) => parsoid.Promise.resolve(shownSource(body)),
  }
}

function withSource(document: DomDocument, source: string): DomDocument {
  const holder = document.createElement('div')
  const code = highlight(source, LANGUAGE) ?? escapeHtml(source)
  // The HTML parser drops the first line break after the tag.
  holder.innerHTML =
    `<div class="mw-highlight mw-highlight-lang-${LANGUAGE} mw-content-ltr" dir="ltr">` +
    `<pre class="mw-code mw-scribunto">\n${code}</pre></div>`
  const [block] = Array.from(holder.querySelectorAll('div'))
  if (block !== undefined) document.body.appendChild(block)
  return document
}
