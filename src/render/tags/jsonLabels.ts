/** Texts for readers in the JSON of a graph or map. */
import { plainLabel } from './plainLabel.js'

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
