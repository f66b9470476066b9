/** Expands a template at the beginning of a line as one there, so that its list continues the list before. */
import type { Load } from './load.js'

interface TemplateToken {
  readonly dataAttribs?: { readonly tsr?: readonly [start: number, end: number] | null }
}
type Settled = (error: unknown, wikitext?: unknown, ...more: unknown[]) => void

interface TemplateHandler {
  readonly manager: { readonly env: { readonly page: { readonly src: string } } }
  /** The token of the call that is being expanded. */
  openToken?: TemplateToken
  onTemplate(token: TemplateToken, ...more: unknown[]): unknown
  fetchExpandedTpl(title: string, text: string, parent: unknown, settled: Settled): unknown
}

/**
 * A result that begins a list or a table gets a newline in front, unless its call begins a line. The package asks for
 * the call alone, which begins a text and no line. This version asks for it after a newline.
 */
export function patchLineStarts(load: Load): void {
  const { prototype } = load<{ TemplateHandler: { prototype: TemplateHandler } }>(
    'lib/wt2html/tt/TemplateHandler.js',
  ).TemplateHandler
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the handler as `this` below
  const { onTemplate, fetchExpandedTpl } = prototype
  prototype.onTemplate = function (token, ...more) {
    this.openToken = token
    return onTemplate.call(this, token, ...more)
  }
  prototype.fetchExpandedTpl = function (title, text, parent, settled) {
    if (!beginsLine(this.openToken, text, this.manager.env.page.src))
      return fetchExpandedTpl.call(this, title, text, parent, settled)
    return fetchExpandedTpl.call(this, title, `\n${text}`, parent, (error, wikitext, ...more) => {
      const isPut = typeof wikitext === 'string' && wikitext.startsWith('\n')
      settled(error, isPut ? wikitext.slice(1) : wikitext, ...more)
    })
  }
}

/** Parts of a page have offsets of their own, so the text at the place must be that of the call. */
function beginsLine(token: TemplateToken | undefined, text: string, source: string): boolean {
  const start = token?.dataAttribs?.tsr?.[0]
  return start !== undefined && source[start - 1] === '\n' && source.startsWith(text, start)
}
