/** `?action=submit`: saves a form, or shows a preview, the changes, or both sides of a conflict. */
import { createHash } from 'node:crypto'
import { addressKey } from '../../../auth/rateLimit.js'
import { Refusal } from '../../../domain/refusal.js'
import { prefixedText } from '../../../domain/title.js'
import type { PreparedEdit } from '../../../edit/prepareEdit.js'
import { html, trusted, type PagePart } from '../../../reader/html.js'
import { text } from '../../../reader/messages.js'
import { codePreview, type EditResult } from '../../../reader/views/edit.js'
import { whyNoEdit } from '../../../wiki/permission.js'
import { draftEdit, EditConflict, saveEdit, type Submission } from '../../../wiki/saving.js'
import { HttpError } from '../../reply/errors.js'
import { refusalError, toHttpError } from '../../reply/failures.js'
import { headerLines, type Reply } from '../../reply/reply.js'
import { credentialsOf } from '../../request/credentials.js'
import type { HttpContext } from '../../routing/route.js'
import { htmlError, requireRenderings } from '../../views/html.js'
import { requireRevisionOfPage } from '../../views/lookup.js'
import { leadTo, type PagePolicy } from '../pageReply.js'
import type { FormFields, FormHandler, Visit } from '../visit.js'
import { type FormContents, formReply, sourceReply } from './edit.js'
import { hasToken, type Sender, senderOf } from './sender.js'
import { escapedSource, escapedText } from './source.js'
import type { PrivateReplyOptions } from './viewReply.js'

const STYLE_START = '<style'
const STYLE_END = '</style'
const MAX_STYLES = 100
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The edit in a form, and all that the form is shown again with. */
interface Attempt {
  /** Number of the section whose text the form has; undefined for the whole page. */
  readonly section: number | undefined
  /** The edit of the whole page; as far as it is not known, that of the form. */
  readonly whole: Submission
  readonly visit: Visit
  readonly context: HttpContext
  readonly sender: Sender
  /** As the form has it. */
  readonly submission: Submission
}

export const submitEdit: FormHandler = async (visit, fields, context) => {
  const source = fields.wpTextbox1
  if (source === undefined) throw new HttpError('rest-missing-body-field', ['wpTextbox1'])
  const sender = await senderOf(visit, context)
  const submission = submissionOf(visit, fields, source, sender)
  const section = submission.baseId === undefined ? undefined : sectionOf(fields)
  let attempt: Attempt = { section, visit, context, sender, submission, whole: submission }
  const refusal = whyNoEdit(context, sender.identity, visit.title)
  if (refusal !== undefined) {
    const escaped = await escapedText(source, context)
    return sourceReply(visit, context, sender, { source: escaped, refusal }, statusOf(refusal))
  }
  if (!hasToken(sender, 'csrf', fields.wpEditToken)) {
    return showAgain(attempt, { notices: [text('edit-lost-session')] }, { status: 403 })
  }
  try {
    if (fields.wpPreview !== undefined) return await showPreview(attempt)
    const whole = await wholeEdit(attempt)
    if (whole === undefined)
      return showAgain(attempt, { notices: [text('edit-no-section')] }, { status: 409 })
    attempt = { ...attempt, whole }
    if (fields.wpDiff !== undefined) return await showChanges(attempt)
    return await save(attempt)
  } catch (error) {
    const known = toHttpError(error)
    if (known.key === 'rest-internal-error') throw error
    return explain(attempt, known)
  }
}

function submissionOf(
  { title }: Visit,
  fields: FormFields,
  source: string,
  { identity }: Sender,
): Submission {
  const base = fields.parentRevId ?? ''
  if (!/^\d{0,15}$/.test(base)) throw new HttpError('paramvalidator-badinteger', ['parentRevId', base])
  return {
    title,
    source,
    comment: fields.wpSummary,
    contentModel: undefined,
    baseId: Number(base) > 0 ? Number(base) : undefined,
    minor: fields.wpMinoredit !== undefined,
    identity,
  }
}

function sectionOf({ wpSection: section = '' }: FormFields): number | undefined {
  if (!/^\d{0,6}$/.test(section)) throw new HttpError('paramvalidator-badinteger', ['wpSection', section])
  return section === '' ? undefined : Number(section)
}

/**
 * The edit of the whole page, in which only the section of the form is another than in its base. So it meets edits of
 * other people as every edit does. Undefined if the base has no such section.
 */
async function wholeEdit({ section, visit, context, submission }: Attempt): Promise<Submission | undefined> {
  const { source, baseId } = submission
  if (section === undefined || baseId === undefined) return submission
  const page = context.pages.find(visit.title)
  if (page === undefined) throw new Refusal('apierror-missingtitle')
  const base = requireRevisionOfPage(context.store, baseId, page.pageId, visit.asked)
  if (base.textHidden) throw new EditConflict()
  const made = await context.pool.run('withSection', {
    ...{ of: { revisionId: baseId }, section },
    text: source,
  })
  if (made === undefined) throw new EditConflict()
  return made === 'no-section' ? undefined : { ...submission, source: decoder.decode(made) }
}

async function save({ visit, context, sender, whole: submission }: Attempt): Promise<Reply> {
  const { request, wiki, key } = visit
  const own = { ...credentialsOf(request, wiki), isFromOtherSite: () => false }
  // The form has shown that it comes from this session.
  const { csrfToken } = submission.identity
  const identity = await context.identities.requireWriter(own, wiki.namespaces, csrfToken)
  await saveEdit(context, { ...submission, identity })
  context.store.refresh()
  const isRedirect = context.pages.find(visit.title)?.redirect === true
  const reply = leadTo(visit.links.page(key, isRedirect ? { redirect: 'no' } : {}), 303)
  sender.cookie.tellPosition(context.store)
  return { ...reply, headers: reply.headers + sender.cookie.lines() }
}

async function showPreview(attempt: Attempt): Promise<Reply> {
  const { visit, context, submission } = attempt
  const { parts, policy } = await previewOf(await draftEdit(context, submission), visit, context)
  return showAgain(attempt, { result: { kind: 'preview', content: parts } }, { policy })
}

async function showChanges(attempt: Attempt): Promise<Reply> {
  const { visit, context, whole } = attempt
  const draft = await draftEdit(context, whole)
  const latestId = context.pages.find(visit.title)?.latestId
  const from = latestId === undefined ? { text: '' } : { revisionId: latestId }
  const content = await context.pool.run('comparisonTable', { from, to: { text: draft.text }, path: '' })
  if (content === undefined) throw new HttpError('rest-nonexistent-revision', [latestId ?? 0])
  return showAgain(attempt, { result: { kind: 'changes', content: [content] } })
}

/** The form with the text as it was sent. */
async function showAgain(
  { section, visit, context, sender, submission }: Attempt,
  more: Partial<FormContents>,
  options: PrivateReplyOptions = {},
): Promise<Reply> {
  const { source, baseId, comment, minor = false } = submission
  const escaped = await escapedText(source, context)
  const contents = { source: escaped, section, baseId, notices: [], summary: comment ?? '', minor, ...more }
  return formReply(visit, context, sender, contents, options)
}

/** Shows why an edit was not saved. No text is lost. */
async function explain(attempt: Attempt, error: HttpError): Promise<Reply> {
  const isConflict = error.key === 'apierror-editconflict' || error.key === 'apierror-articleexists'
  if (isConflict) return showConflict(attempt)
  if (error.key === 'apierror-missingtitle') {
    const { submission } = attempt
    const gone = { ...attempt, section: undefined, submission: { ...submission, baseId: undefined } }
    return showAgain(gone, { notices: [text('edit-gone')] }, { status: 409 })
  }
  if (error.cause !== undefined) attempt.context.log.warn({ err: error.cause }, error.message)
  const isUnsure = error.key === 'rest-write-unknown'
  const notice = isUnsure ? error.message : text('edit-refused', error.message)
  return showAgain(attempt, { notices: [notice] }, optionsOf(error))
}

/** The present text of the whole page in the form, and the sent one below it. */
async function showConflict({ visit, context, sender, whole: submission }: Attempt): Promise<Reply> {
  context.store.refresh()
  const latestId = context.pages.find(visit.title)?.latestId
  const latest = latestId === undefined ? undefined : context.store.getRevision(latestId)
  if (latest === undefined || latest.textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const { source } = submission
  const compared = { from: { revisionId: latest.id }, to: { text: source }, path: '' }
  const [present, yours, comparison] = await Promise.all([
    escapedSource(latest, context),
    escapedText(source, context),
    context.pool.run('comparisonTable', compared),
  ])
  const result: EditResult = { kind: 'conflict', yours, comparison }
  const message = submission.baseId === undefined ? 'edit-conflict-exists' : 'edit-conflict'
  const { comment = '', minor = false } = submission
  const contents = {
    source: present,
    baseId: latest.id,
    notices: [text(message)],
    summary: comment,
    minor,
    result,
  }
  return formReply(visit, context, sender, contents, { status: 409 })
}

const statusOf = (refusal: Refusal): PrivateReplyOptions => optionsOf(refusalError(refusal))

const optionsOf = ({ status, extras }: HttpError): PrivateReplyOptions => ({
  status,
  headers: headerLines(extras.headers ?? {}),
})

interface Preview {
  readonly parts: readonly PagePart[]
  readonly policy: PagePolicy
}

/** A preview of a text that is not saved. Throws the errors of conversions: a limit of the engine, or a full queue. */
async function previewOf(
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
