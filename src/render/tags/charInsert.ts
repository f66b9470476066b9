/** `<charinsert>`: shows the signs that an editor could insert with a click. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { escapeHtml } from '../../domain/html.js'
import { MAX_TAG_LENGTH, type ExtensionTag } from './tag.js'

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
