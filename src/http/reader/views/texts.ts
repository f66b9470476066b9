/** Texts of pages for forms: escaped, here where they are short, else in a thread. */
import { html } from '../../../reader/html.js'
import type { PagePart } from '../../../reader/views/pagePart.js'
import type { RevisionRow } from '../../../storage/store.js'
import { MAX_INLINE_BYTES } from '../../../workers/compute/inline.js'
import { HttpError } from '../../reply/errors.js'
import type { HttpContext } from '../../routing/route.js'

type TextContext = Pick<HttpContext, 'store' | 'pool'>

/** A text that was sent, escaped. */
export async function escapedText(text: string, { pool }: Pick<TextContext, 'pool'>): Promise<PagePart> {
  if (text.length <= MAX_INLINE_BYTES.body) return html`${text}`
  return required(await pool.run('textBytes', { of: { text }, form: 'escaped' }), 0)
}

/** The text of a revision, escaped. Throws rest-nonexistent-revision. */
export async function escapedSource(revision: RevisionRow, context: TextContext): Promise<PagePart> {
  if (isShort(revision)) return html`${required(context.store.getText(revision.id), revision.id)}`
  const of = { revisionId: revision.id }
  return required(await context.pool.run('textBytes', { of, form: 'escaped' }), revision.id)
}

/** The text of a revision as UTF-8. Throws rest-nonexistent-revision. */
export function sourceBytes(revision: RevisionRow, context: TextContext): Uint8Array | Promise<Uint8Array> {
  const { id } = revision
  if (isShort(revision)) return Buffer.from(required(context.store.getText(id), id))
  return context.pool
    .run('textBytes', { of: { revisionId: id }, form: 'plain' })
    .then((bytes) => required(bytes, id))
}

const isShort = ({ sizeBytes }: RevisionRow): boolean =>
  sizeBytes !== undefined && sizeBytes <= MAX_INLINE_BYTES.olderText

/** The text; when another process has hidden or removed it since its row was read, throws rest-nonexistent-revision. */
function required<Text>(text: Text | undefined, revisionId: number): Text {
  if (text === undefined) throw new HttpError('rest-nonexistent-revision', [revisionId])
  return text
}
