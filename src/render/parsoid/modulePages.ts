/** Pages of modules: their documentation, followed by their highlighted source. */
import { escapeHtml } from '../../domain/html.js'
import { documentationWikitext } from '../moduleDocumentation.js'
import { highlight } from '../tags/syntaxHighlight.js'
import type { DomDocument } from './dom.js'
import type { ContentHandler, ParserEnv, ParsoidPackage } from './package.js'
import { shownSource } from './sourcePages.js'

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
