/** Outlines for HTML that a test makes up. */
import { encodeOutline, type Outline } from '../../src/domain/outline.js'

/** The outline of HTML with a body element that has no attributes, and nothing else in it. */
export function outlineFor(html: Uint8Array, parts: Partial<Outline> = {}): Uint8Array {
  const text = Buffer.from(html).toString('latin1')
  const body = [text.indexOf('<body>') + '<body>'.length, text.indexOf('</body>')] as const
  return encodeOutline({ body, headings: [], categories: [], languages: [], styles: [], lead: '', ...parts })
}
