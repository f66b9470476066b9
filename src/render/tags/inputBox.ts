/** `<inputbox>`: the texts of a form. Pages must not contain forms, since other sites could read the data sent. */
import { escapeHtml } from '../../domain/html.js'
import { SPECIAL } from '../../domain/namespaceIds.js'
import { linkHtml, type ExtensionTag, type TagWiki } from './tag.js'

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
