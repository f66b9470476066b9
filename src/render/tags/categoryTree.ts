/** `<categorytree>`: a link to the category, as readers without scripts see it. */
import { CATEGORY } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { escapeHtml } from '../../domain/html.js'
import { linkHtml, type ExtensionTag, type TagWiki } from './tag.js'

export async function renderCategoryTree({ content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  const { namespaces } = wiki
  const name = content.trim()
  const given = parseTitle(name, namespaces)
  const isPrefixed = given.ok && given.title.namespace === CATEGORY
  const parsed = isPrefixed ? given : parseTitle(namespaces.keyPrefix(CATEGORY) + name, namespaces)
  if (!parsed.ok || parsed.title.namespace !== CATEGORY) return ''
  const shown = parsed.title.dbkey.replaceAll('_', ' ')
  const link = await linkHtml(wiki, `:${namespaces.keyPrefix(CATEGORY)}${shown}`, escapeHtml(shown))
  if (link === undefined) return ''
  return `<div class="CategoryTreeTag"><div class="CategoryTreeItem">${link}</div></div>`
}
