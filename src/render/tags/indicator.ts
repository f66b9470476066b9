/**
 * `<indicator name="star">…</indicator>`: what a skin shows beside the title. As in Parsoid's HTML it stands nowhere in
 * the text: its HTML is in the description of an element that shows nothing.
 */
import { escapeHtml } from '../../domain/html.js'
import type { ExtensionTag, TagWiki } from './tag.js'

/**
 * Attribute that carries the HTML until the document is finished. Pages cannot write it: it is no attribute of
 * wikitext.
 */
export const INDICATOR_HTML = 'data-mw-indicator'
const NO_NAME = 'The indicator tag must have a "name" attribute.'

export async function renderIndicator({ attributes, content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  if ((attributes.get('name') ?? '').trim() === '')
    return `<strong class="error">${escapeHtml(NO_NAME)}</strong>`
  return `<meta ${INDICATOR_HTML}="${escapeHtml(await wiki.describe(content))}"/>`
}
