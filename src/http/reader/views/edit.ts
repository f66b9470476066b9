/** `?action=edit`: the form with the text of a page, or its source for readers who cannot edit it. */
import type { Refusal } from '../../../domain/refusal.js'
import { type Fragment, html, type PagePart } from '../../../reader/html.js'
import { sentence, text } from '../../../reader/messages.js'
import { editPage, type EditResult, sourcePage } from '../../../reader/views/edit.js'
import type { RevisionRow } from '../../../storage/store.js'
import { whyNoEdit } from '../../../wiki/permission.js'
import { HttpError } from '../../reply/errors.js'
import type { Reply } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { requireRevision, requireRevisionOfPage } from '../../views/lookup.js'
import { numberOf, type Visit, type VisitHandler } from '../visit.js'
import { menuOf, type Sender, senderOf } from './sender.js'
import { problemPage } from '../pageReply.js'
import { escapedSource, escapedText } from './source.js'
import { pageShell, privateReply, type PrivateReplyOptions } from './viewReply.js'

export const showEdit: VisitHandler = async (visit, context) => {
  const sender = await senderOf(visit, context)
  const { revision, latestId } = revisionToEdit(visit, context)
  const asked = numberOf(visit.query, 'section')
  // Old revisions have other sections.
  const section = revision !== undefined && latestId === revision.id ? asked : undefined
  const shown = await textToEdit(revision, section, context)
  if (shown === undefined) return problemPage(visit.site, 404, text('edit-no-section'))
  const { source } = shown
  const refusal = whyNoEdit(context, sender.identity, visit.title)
  if (refusal !== undefined) {
    if (revision === undefined) throw new HttpError('rest-nonexistent-title', [visit.asked])
    return sourceReply(visit, context, sender, { source, refusal })
  }
  const isOld = revision !== undefined && revision.id !== latestId
  const notices = [revision === undefined && text('edit-new'), isOld && text('edit-old')]
  return formReply(visit, context, sender, { ...shown, baseId: latestId, notices, section })
}

/** The text of the form, and its summary to begin with. Undefined if the page has no such section. */
async function textToEdit(
  revision: RevisionRow | undefined,
  section: number | undefined,
  context: HttpContext,
): Promise<Pick<FormContents, 'source' | 'summary'> | undefined> {
  if (revision === undefined) return { source: html`` }
  if (section === undefined) return { source: await escapedSource(revision, context) }
  const bytes = await context.pool.run('sectionText', { of: { revisionId: revision.id }, section })
  if (bytes === undefined) throw new HttpError('rest-nonexistent-revision', [revision.id])
  if (bytes === 'no-section') return undefined
  const wikitext = Buffer.from(bytes).toString()
  const [, heading] = /^=+(.*?)=+[ \t]*(?:\n|$)/.exec(wikitext) ?? []
  const summary = heading === undefined ? '' : `/* ${heading.trim().replaceAll('*/', '')} */ `
  return { source: await escapedText(wikitext, context), summary }
}

/** The revision whose text to edit: that of `oldid`, or the latest one. Undefined for a page that does not exist. */
function revisionToEdit(
  { title, query, asked }: Visit,
  { store, pages }: HttpContext,
): { readonly revision: RevisionRow | undefined; readonly latestId: number | undefined } {
  const page = pages.find(title)
  if (page === undefined) return { revision: undefined, latestId: undefined }
  const { pageId, latestId } = page
  const oldid = numberOf(query, 'oldid')
  const revision =
    oldid === undefined
      ? requireRevision(store, latestId)
      : requireRevisionOfPage(store, oldid, pageId, asked)
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  return { revision, latestId }
}

/** What the form holds. */
export interface FormContents {
  readonly source: PagePart
  /** Of the page, if the source is one. */
  readonly section?: number | undefined
  readonly baseId: number | undefined
  readonly notices: readonly Fragment[]
  readonly summary?: string
  readonly minor?: boolean
  readonly result?: EditResult
}

export function formReply(
  visit: Visit,
  context: HttpContext,
  sender: Sender,
  contents: FormContents,
  options: PrivateReplyOptions = {},
): Reply {
  const { key, site } = visit
  const { identity, cookie } = sender
  const { source, section, baseId, notices, summary = '', minor = false, result } = contents
  const parts = editPage({
    site,
    links: visit.links,
    key,
    source,
    section,
    baseId,
    token: cookie.token('csrf'),
    summary,
    minor,
    mayMarkMinor: identity.rights.has('minoredit'),
    address: identity.anonymous ? identity.editor.name : undefined,
    license: site.license,
    result,
  })
  const exists = baseId !== undefined
  const ofPage = exists ? 'edit-heading' : 'create-heading'
  const message = section === undefined ? ofPage : 'section-heading'
  const shell = pageShell(visit, context, {
    path: visit.links.action(key, 'edit'),
    selected: 'edit',
    message,
  })
  const view = {
    ...shell,
    user: menuOf(sender, key, visit.site),
    notices: notices.filter((notice) => notice !== false),
  }
  return privateReply(view, parts, { ...options, headers: (options.headers ?? '') + cookie.lines() })
}

interface SourceContents {
  readonly source: PagePart
  readonly refusal: Refusal
}

/** The text of a page that the reader cannot edit, with the reason. */
export function sourceReply(
  visit: Visit,
  context: HttpContext,
  sender: Sender,
  { source, refusal }: SourceContents,
  options: PrivateReplyOptions = {},
): Reply {
  const { key } = visit
  const message = 'source-heading'
  const shell = pageShell(visit, context, {
    path: visit.links.action(key, 'edit'),
    selected: 'edit',
    message,
  })
  const view = { ...shell, user: menuOf(sender, key, visit.site), notices: [reasonOf(refusal, visit)] }
  return privateReply(view, sourcePage(source), options)
}

/** The reason in words, with the way to log in if that helps. */
function reasonOf(refusal: Refusal, { key, links }: Visit): Fragment {
  if (refusal.key !== 'apierror-permissiondenied') return text('source-read-only', refusal.message)
  const link = html`<a href="${links.special('UserLogin', { returnto: key })}">${text('log-in')}</a>`
  return sentence('must-log-in', link)
}
