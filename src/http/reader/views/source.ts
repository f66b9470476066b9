/** The source of a page: as plain text for `?action=raw`, and escaped for forms. Threads read and escape long texts. */
import { html, type PagePart } from '../../../reader/html.js'
import type { RevisionRow } from '../../../storage/store.js'
import { MAX_INLINE_BYTES } from '../../../workers/compute/tasks.js'
import { HttpError } from '../../reply/errors.js'
import type { HttpContext } from '../../routing/route.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../../reply/reply.js'
import { requirePage, requireRevision, requireRevisionOfPage } from '../../views/lookup.js'
import { numberOf, type VisitHandler } from '../visit.js'

/** Browsers must not run anything. Every answer of the server forbids them to guess its type. */
const headersFor = (type: string): string =>
  headerLines({
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-cache',
  })

/** Types that `ctype` may ask for. No page is a script: pages for readers run all scripts of their own server. */
const RAW_TYPES: ReadonlySet<string> = new Set(['text/x-wiki', 'text/css', 'application/json'])
export const rawType = (asked: string | null, fallback: string): string =>
  asked !== null && RAW_TYPES.has(asked) ? asked : fallback

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
function sourceBytes(revision: RevisionRow, context: TextContext): Uint8Array | Promise<Uint8Array> {
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

/** The bytes of one section of a revision. Throws rest-nonexistent-revision. */
async function sectionBytes(
  revision: RevisionRow,
  section: number,
  { pool }: TextContext,
): Promise<Uint8Array> {
  const found = await pool.run('sectionText', { of: { revisionId: revision.id }, section })
  return found === 'no-section' ? new Uint8Array() : required(found, revision.id)
}

/** The source of a page, or of one of its revisions, or of a section. */
export const showRaw: VisitHandler = (visit, context) => {
  const { store, pages } = context
  const { page } = requirePage(pages, visit)
  const { pageId, latestId, textHidden } = page
  const asked = numberOf(visit.query, 'oldid')
  const section = numberOf(visit.query, 'section')
  const headers = headersFor(rawType(visit.query.get('ctype'), 'text/plain'))
  if (asked === undefined && textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const revision =
    asked === undefined
      ? requireRevision(store, latestId)
      : requireRevisionOfPage(store, asked, pageId, visit.asked)
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  const validators = { etag: visit.wiki.revisionTag(revision.id, {}), lastModified: revision.timestamp }
  return conditionally<Reply | Promise<Reply>>(visit.request.conditions, validators, () => {
    const answer = (body: Uint8Array): Reply =>
      reusable({ status: 200, headers: headers + validatorLines(validators), body }, { validators })
    const bytes =
      section === undefined ? sourceBytes(revision, context) : sectionBytes(revision, section, context)
    return bytes instanceof Promise ? bytes.then(answer) : answer(bytes)
  })
}
