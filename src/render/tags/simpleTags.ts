/** Tags that take a few lines each, and a placeholder for the tags of missing extensions. */
import { CATEGORY, FILE, SPECIAL } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { escapeHtml } from '../../domain/html.js'
import { linkHtml, type ExtensionTag, type TagWiki, MAX_TAG_LENGTH } from './tag.js'
import { decodeCharacterReferences } from '../../domain/characterReferences.js'

// `<categorytree>`: a link to the category, as readers without scripts see it.

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

// `<phonos file="Hello.ogg" ipa="həˈləʊ">label</phonos>`: a pronunciation, as a link to the file or as phonetic signs.

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

// `<charinsert>`: shows the signs that an editor could insert with a click.

const NOWIKI = /<nowiki>([^]*?)<\/nowiki>/gi
const MAX_ITEMS = 2000

/** Blanks separate items, except within `nowiki`. Line breaks stay as in the source. */
export function renderCharInsert({ content }: ExtensionTag): string {
  const lines = content.slice(0, MAX_TAG_LENGTH).trim().split('\n')
  let left = MAX_ITEMS
  const shown = lines.map((line) => {
    const items = itemsOf(line).slice(0, left)
    left -= items.length
    return items.map((item) => `<span class="mw-charinsert-item">${escapeHtml(item)}</span>`).join(' ')
  })
  const html = shown.filter((line) => line !== '').join('<br/>')
  return html === '' ? '' : `<span class="mw-charinsert">${html}</span>`
}

/** Placeholder for the blanks within an item. */
const KEPT_BLANK = '\u0001'

function itemsOf(line: string): string[] {
  const joined = line.replace(NOWIKI, (_tag, inner: string) => inner.replace(/\s/g, KEPT_BLANK))
  return joined
    .split(/\s+/)
    .map((item) => decodeCharacterReferences(item.replaceAll(KEPT_BLANK, ' ')))
    .filter((item) => item.trim() !== '')
}

// `<indicator name="star">…</indicator>`: content that a skin shows next to the title. As in Parsoid's HTML, it is not
// in the text: an invisible element has the HTML in its description.

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

// `<inputbox>`: the texts of a form. Pages must not contain forms, since other sites could read the data sent.

const LINE = /^\s*([a-z]{1,30})\s*=\s*(.*?)\s*$/i
const SEARCHES: ReadonlySet<string> = new Set(['search', 'search2', 'fulltext'])
const MAX_LINES = 100
const MAX_TEXT_LENGTH = 2000

/** The label and the text of the button. A search becomes a link to the search page. */
export async function renderInputBox({ content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  const options = optionsOf(content)
  const option = (name: string): string => (options.get(name) ?? '').slice(0, MAX_TEXT_LENGTH)
  const type = option('type').toLowerCase()
  const label = option('labeltext') === '' ? '' : (await wiki.parseInline(option('labeltext'))).innerHTML
  const button = SEARCHES.has(type) ? await searchLink(option, wiki) : buttonText(option('buttonlabel'))
  const parts = [label, button].filter((part) => part !== '')
  return parts.length === 0 ? '' : `<div class="mw-inputbox-element">${parts.join(' ')}</div>`
}

async function searchLink(option: (name: string) => string, wiki: TagWiki): Promise<string> {
  const given = option('searchbuttonlabel') || option('buttonlabel') || 'Search'
  const link = await linkHtml(wiki, `${wiki.namespaces.keyPrefix(SPECIAL)}Search`, escapeHtml(given))
  return link ?? buttonText(given)
}

function buttonText(label: string): string {
  return label === '' ? '' : `<span class="mw-inputbox-button">${escapeHtml(label)}</span>`
}

function optionsOf(content: string): Map<string, string> {
  const options = new Map<string, string>()
  for (const line of content.split('\n', MAX_LINES)) {
    const [, name = '', value = ''] = LINE.exec(line.slice(0, 2 * MAX_TEXT_LENGTH)) ?? []
    if (name !== '') options.set(name.toLowerCase(), value)
  }
  return options
}

// Tags of missing extensions: a visible and safe placeholder for their content.

/** Tags for machines, or tags that only mark a position; nothing is shown for them. */
const SILENT: ReadonlySet<string> = new Set(['section'])

/** Content of several lines becomes a block. */
export function renderForeign({ name, content }: ExtensionTag): string {
  if (SILENT.has(name) || content.trim() === '') return ''
  const text = escapeHtml(content.slice(0, MAX_TAG_LENGTH))
  const element = content.includes('\n') ? 'pre' : 'code'
  return `<${element} class="mw-ext-unsupported" data-mw-tag="${escapeHtml(name)}">${text}</${element}>`
}

/** Splits the source of a tag as a page contains it. */
export function parseTag(source: string): ExtensionTag {
  const [start = '', name = ''] = /^<([^\s/<>]+)[^>]*>/.exec(source) ?? []
  const end = source.toLowerCase().lastIndexOf(`</${name.toLowerCase()}`)
  const content = end < start.length ? '' : source.slice(start.length, end)
  return { name: name.toLowerCase(), attributes: new Map(), content }
}
