/** Renders pages whose content model is not wikitext. */
import { SANITIZED_CSS, SCRIBUNTO } from '../domain/contentModel.js'
import { escapeHtml } from '../domain/html.js'

/** Models whose source is shown as it is. */
export const PLAIN_MODELS = ['css', 'javascript', 'text', SANITIZED_CSS] as const

/** The engine's model for a page. An unknown model is shown as text. */
export function engineModel(contentModel: string): string {
  const models: readonly string[] = ['wikitext', 'json', SCRIBUNTO, ...PLAIN_MODELS]
  return models.includes(contentModel) ? contentModel : 'text'
}

/** A document with a page's source, without the content of its head. */
export function renderSource(model: string, source: string): string {
  const kind = model.toLowerCase().replace(/[^a-z-]/g, '')
  // The HTML parser drops the first line break after the tag.
  return `<!DOCTYPE html><html><body><pre class="mw-code mw-${kind}" dir="ltr">\n${escapeHtml(source)}</pre></body></html>`
}
