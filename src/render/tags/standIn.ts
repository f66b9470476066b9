/** A box in place of a picture that this server does not draw: its kind and its texts. */
import { escapeHtml } from '../../domain/html.js'
import { decodeCharacterReferences } from '../../domain/characterReferences.js'

const MAX_LABELS = 200
const MAX_LABEL_LENGTH = 300

/** `title` names the kind, such as `Timeline`. `caption` is finished HTML; labels are plain texts. */
export function standIn(kind: string, title: string, labels: Iterable<string>, caption = ''): string {
  const items: string[] = []
  for (const label of labels) {
    if (items.length >= MAX_LABELS) {
      items.push('<li>…</li>')
      break
    }
    items.push(`<li>${escapeHtml(shorten(label))}</li>`)
  }
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
  const head = `<div class="mw-stand-in-title">${escapeHtml(title)}</div>`
  return `<div class="mw-stand-in mw-stand-in-${kind}">${head}${caption}${list}</div>`
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_LABEL_LENGTH) return plain
  return `${[...plain.slice(0, MAX_LABEL_LENGTH)].slice(0, -1).join('')}…`
}

// The plain text of a label with links and character references: `[[Moon|the moon]]` becomes `the moon`.

const LINK = /\[\[(?:[^[\]|\n]{0,500}\|)?([^[\]|\n]{1,500})\]\]/g
const EXTERNAL_LINK = /\[(?:https?:)?\/\/[^\s[\]]{1,500}\s([^[\]\n]{1,500})\]/g
const QUOTES = /'{2,}/g
const TAG = /<\/?[a-z][^<>]{0,200}>/gi

export function plainLabel(wikitext: string): string {
  const plain = wikitext.replace(LINK, '$1').replace(EXTERNAL_LINK, '$1').replace(QUOTES, '').replace(TAG, '')
  return decodeCharacterReferences(plain).trim()
}

// Texts for readers in the JSON of a graph or map.

/** Keys whose texts a graph or map shows. */
const LABEL_KEYS: ReadonlySet<string> = new Set([
  'title',
  'text',
  'label',
  'subtitle',
  'description',
  'caption',
])
const MAX_NODES = 20_000

/** The texts in the order of the source, without duplicates. Empty when the source is not JSON. */
export function jsonLabels(source: string): Set<string> {
  const labels = new Set<string>()
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch {
    // The source may be no JSON, for example because of an unexpanded template. It then has no labels.
    return labels
  }
  const open: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: json }]
  for (let count = 0; open.length > 0 && count < MAX_NODES; count++) {
    const { key, value } = open.pop()!
    if (typeof value === 'string' && LABEL_KEYS.has(key)) labels.add(plainLabel(value))
    if (typeof value !== 'object' || value === null) continue
    const inherits = Array.isArray(value)
    for (const [name, inner] of Object.entries(value).slice(0, MAX_NODES).reverse()) {
      // Handles `{"text": {"value": "…"}}`, and lists of texts.
      open.push({ key: inherits || name === 'value' ? key : name.toLowerCase(), value: inner })
    }
  }
  labels.delete('')
  return labels
}
