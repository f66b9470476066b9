/** A box in place of a picture that this server does not draw: its kind and its texts. */
import { escapeHtml } from '../../domain/html.js'

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
