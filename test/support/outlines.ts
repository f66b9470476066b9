/** Outlines for HTML that a test makes up. */
import { decodeOutline, encodeOutline, type Outline } from '../../src/domain/outline.js'
import { packedParts, packInParts, unpackParts } from '../../src/storage/html/packedHtml.js'
import { type Rendering, renderingTag } from '../../src/storage/html/renderings.js'

/** The outline of HTML with a body element that has no attributes, and nothing else in it. */
function outlineFor(html: Uint8Array, parts: Partial<Outline> = {}): Uint8Array {
  const text = Buffer.from(html).toString('latin1')
  const body = [text.indexOf('<body>') + '<body>'.length, text.indexOf('</body>')] as const
  return encodeOutline({ body, headings: [], categories: [], languages: [], styles: [], lead: '', ...parts })
}

/** HTML that a test makes up, as a rendering has it. Without a body element it is one part. */
export function madeHtml(html: string): Pick<Rendering, 'packedHtml' | 'outline' | 'tag'> {
  const bytes = Buffer.from(html)
  const outline = outlineFor(bytes)
  const cuts = html.includes('<body>') ? decodeOutline(outline).body : []
  return { packedHtml: packInParts(bytes, cuts), outline, tag: renderingTag(bytes) }
}

/** The HTML of a rendering. */
export const htmlIn = ({ packedHtml }: Pick<Rendering, 'packedHtml'>): string =>
  unpackParts(packedParts(packedHtml)).toString()
