/** The documentation above the source of a module: the page `Module:X/doc`, or a note that it is missing. */
import { documentationOf } from '../domain/contentModel.js'
import type { Namespaces } from '../domain/namespaces.js'
import { prefixedText, type Title } from '../domain/title.js'

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
