/** Previews of texts that are not saved. */
import { createHash } from 'node:crypto'
import { addressKey } from '../../../auth/rateLimit.js'
import { prefixedText } from '../../../domain/title.js'
import type { PreparedEdit } from '../../../edit/prepareEdit.js'
import { html, trusted } from '../../../reader/html.js'
import { text } from '../../../reader/messages.js'
import { codePreview } from '../../../reader/views/edit.js'
import type { PagePart } from '../../../reader/views/pagePart.js'
import type { HttpContext } from '../../routing/route.js'
import { htmlError, requireRenderings } from '../../views/html.js'
import type { PagePolicy } from '../pageReply.js'
import type { Visit } from '../visit.js'
import { escapedText } from './texts.js'

export interface Preview {
  readonly parts: readonly PagePart[]
  readonly policy: PagePolicy
}

/** Throws the errors of conversions: a limit of the engine, or a full queue. */
export async function previewOf(
  { text: source, contentModel }: PreparedEdit,
  visit: Visit,
  context: HttpContext,
): Promise<Preview> {
  if (source.trim() === '') return { parts: [html`<p>${text('preview-empty')}</p>`], policy: {} }
  if (contentModel !== 'wikitext') {
    return { parts: codePreview(await escapedText(source, context)), policy: {} }
  }
  const { site, title, namespaces, request } = visit
  const client = addressKey(request.clientAddress())
  const conversion = {
    task: 'toHtml',
    wikitext: source,
    title: prefixedText(title, namespaces),
    bodyOnly: true,
  } as const
  const bytes = await requireRenderings(context)
    .convert(conversion, client)
    .catch((error: unknown) => {
      throw htmlError(error, 0, true)
    })
  const language = html`lang="${site.language}" dir="${site.direction}"`
  return {
    parts: [
      trusted(`<div class="edit-preview mw-parser-output" ${language.text}>`),
      bytes,
      trusted('</div>'),
    ],
    policy: { styleHashes: styleHashes(bytes), mediaOrigins: context.readerSites.mediaOrigins },
  }
}

const STYLE_START = '<style'
const STYLE_END = '</style'
const MAX_STYLES = 100

/** Hashes of the style blocks of templates in clean HTML. */
function styleHashes(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hashes = new Set<string>()
  let end = 0
  for (let n = 0; n < MAX_STYLES; n++) {
    const tag = buffer.indexOf(STYLE_START, end)
    const start = tag < 0 ? -1 : buffer.indexOf('>', tag) + 1
    end = start <= 0 ? -1 : buffer.indexOf(STYLE_END, start)
    if (end < 0) break
    hashes.add(`'sha256-${createHash('sha256').update(buffer.subarray(start, end)).digest('base64')}'`)
  }
  return [...hashes]
}
