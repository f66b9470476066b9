/** Pages that are no wikitext: how each kind is shown. */
import { escapeHtml } from '../domain/html.js'

/** Shown as they stand. */
export const PLAIN_MODELS = ['css', 'javascript', 'text', 'sanitized-css', 'Scribunto'] as const

/** Which of the models that the engine knows shows a page: a model that nobody knows is shown as text. */
export function engineModel(contentModel: string): string {
  if (contentModel === 'wikitext' || contentModel === 'json') return contentModel
  return (PLAIN_MODELS as readonly string[]).includes(contentModel) ? contentModel : 'text'
}

/** A document with a page's source, ready to be given its head. */
export function renderSource(model: string, source: string): string {
  const kind = model.toLowerCase().replace(/[^a-z-]/g, '')
  // The parser drops the first line break after the tag.
  return `<!DOCTYPE html><html><body><pre class="mw-code mw-${kind}" dir="ltr">\n${escapeHtml(source)}</pre></body></html>`
}
