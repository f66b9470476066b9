/**
 * `<indicator name="star">…</indicator>`: content that a skin shows next to the title. As in Parsoid's HTML, it is not
 * in the text: an invisible element has the HTML in its description.
 */
import { escapeHtml } from '../../domain/html.js'
import type { ExtensionTag, TagWiki } from './tag.js'

/**
 * Attribute that carries the HTML until the document is finished. Wikitext has no such attribute, so pages cannot set
 * it.
 */
export const INDICATOR_HTML = 'data-mw-indicator'
const NO_NAME = 'The indicator tag must have a "name" attribute.'

export async function renderIndicator({ attributes, content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  if ((attributes.get('name') ?? '').trim() === '')
    return `<strong class="error">${escapeHtml(NO_NAME)}</strong>`
  return `<meta ${INDICATOR_HTML}="${escapeHtml(await wiki.describe(content))}"/>`
}
