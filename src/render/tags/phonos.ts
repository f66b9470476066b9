/**
 * `<phonos file="Hello.ogg" ipa="həˈləʊ">label</phonos>`: a pronunciation, as a link to the file or as phonetic signs.
 */
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { escapeHtml } from '../../domain/html.js'
import { linkHtml, type ExtensionTag, type TagWiki } from './tag.js'

const MAX_LABEL_LENGTH = 1000

export async function renderPhonos({ attributes, content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  const label = content.trim() || (attributes.get('text') ?? '').trim()
  const ipa = (attributes.get('ipa') ?? '').trim()
  const shown = label === '' ? escapeHtml(ipa.slice(0, MAX_LABEL_LENGTH)) : await plainHtml(label, wiki)
  const link = await soundLink(attributes.get('file') ?? '', shown, wiki)
  const html = link ?? shown
  return html === '' ? '' : `<span class="ext-phonos">${html}</span>`
}

async function plainHtml(label: string, wiki: TagWiki): Promise<string> {
  return escapeHtml((await wiki.parseInline(label.slice(0, MAX_LABEL_LENGTH))).textContent)
}

/** A link to the sound, labelled with its name by default. Undefined when no file is named. */
async function soundLink(file: string, label: string, wiki: TagWiki): Promise<string | undefined> {
  const { namespaces } = wiki
  const prefixed = namespaces.keyPrefix(FILE) + file.trim()
  const parsed = parseTitle(prefixed, namespaces)
  if (file.trim() === '' || !parsed.ok || parsed.title.namespace !== FILE) return undefined
  const name = parsed.title.dbkey.replaceAll('_', ' ')
  return linkHtml(wiki, `Media:${name}`, label === '' ? escapeHtml(name) : label)
}
