/** Saving an edit: prepared outside of the writer, merged where others were quicker, written once. */
import { hash } from 'node:crypto'
import type { KnownContentModel } from '../domain/contentModel.js'
import type { Title } from '../domain/title.js'
import type { EditError } from '../edit/editErrors.js'
import { isQuickToPrepare, type PreparedEdit } from '../edit/prepareEdit.js'
import { protectedTitle } from '../edit/titleErrors.js'
import { randomEntryId } from '../storage/entryIds.js'
import type { CreateEntry, EditEntry, Verdict } from '../storage/entries.js'
import { getProtection } from '../storage/protections.js'
import type { Store } from '../storage/store.js'
import { PoolFullError } from '../workers/compute/pool.js'
import { prepare, type Preparation } from '../workers/compute/prepare.js'
import { requireUnprotected } from './auth/protection.js'
import { HttpError } from './reply/errors.js'
import type { Identity } from './identity.js'
import type { HttpContext } from './routing/route.js'

/** How often an edit is prepared again because the page has moved on: each time, somebody else's was saved. */
const MAX_ATTEMPTS = 50
/** Latest texts up to which an edit is prepared in the event loop: a summary may need to read them. */
const MAX_INLINE_BYTES = 32 * 1024

export interface Submission {
  readonly title: Title
  /** The title as asked for: errors repeat it. */
  readonly asked: string
  readonly source: string
  /** Undefined: the server writes one. */
  readonly comment: string | undefined
  readonly contentModel: string | undefined
  /** Revision that the editor started from; undefined to create a page. */
  readonly baseId: number | undefined
  readonly identity: Identity
}

export interface SavedEdit extends PreparedEdit {
  readonly pageId: number
  readonly revisionId: number
  /** Whether the page is new. */
  readonly created: boolean
}

/** What makes 409s of an existing page: POST and PUT tell it in their own words. */
export type ExistsError = (asked: string) => HttpError

/**
 * Saves an edit; it is on the disk, and every process shows it, when this returns. A text that is the latest one
 * already makes no revision. Throws the errors of the API: the page exists or does not, edit conflict, and those of
 * `src/edit`.
 */
export async function saveEdit(
  context: HttpContext,
  submission: Submission,
  existsError: ExistsError,
): Promise<SavedEdit> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const saved = await trySaving(context, submission, existsError)
    if (saved !== undefined) return saved
  }
  throw new PoolFullError(`others were quicker ${MAX_ATTEMPTS} times`)
}

/** Undefined when the page changed on the way. */
async function trySaving(
  context: HttpContext,
  submission: Submission,
  existsError: ExistsError,
): Promise<SavedEdit | undefined> {
  const { store, pages, writer, clock } = context
  const { title, asked, baseId, identity } = submission
  store.refresh()
  const page = pages.find(title)
  // The row is a view of the store: what is needed after the first wait is taken out of it.
  const latest = page && { pageId: page.pageId, latestId: page.latestId, sizeBytes: page.source.length }
  if (latest !== undefined && baseId === undefined) throw existsError(asked)
  if (latest === undefined && baseId !== undefined) throw new HttpError('apierror-missingtitle')
  const time = Math.floor(clock.nowMs() / 1000)
  const protection = getProtection(store.tables, [title.namespace, title.dbkey], time)
  requireUnprotected(identity, protection, latest !== undefined)
  const edit = await prepareMerged(context, submission, latest, time)
  const head = { id: randomEntryId(), time, editor: identity.editor, minor: false, ...edit }
  const entry: CreateEntry | EditEntry =
    latest === undefined
      ? { kind: 'create', ...title, ...head }
      : { kind: 'edit', pageId: latest.pageId, baseRevisionId: latest.latestId, ...head }
  return judge(await writer.write(entry), submission, edit, existsError)
}

/** Undefined when the page has got another revision since the edit was prepared, or has gone. */
function judge(
  verdict: Verdict,
  { asked, baseId }: Submission,
  edit: PreparedEdit,
  existsError: ExistsError,
): SavedEdit | undefined {
  const { result } = verdict
  if (result === 'saved' || result === 'unchanged') {
    const { pageId, revisionId } = verdict
    return { ...edit, pageId, revisionId, created: baseId === undefined }
  }
  if (result === 'exists') throw existsError(asked)
  if (result === 'missing' || result === 'conflict') return undefined
  throw new Error(`an edit ended as ${result}`)
}

/** A page as it was when the edit was prepared. */
interface LatestState {
  readonly pageId: number
  readonly latestId: number
  readonly sizeBytes: number
}

/** The edit as it is to be stored on top of the latest revision: merged where that is not the base. */
async function prepareMerged(
  context: HttpContext,
  submission: Submission,
  latest: LatestState | undefined,
  time: number,
): Promise<PreparedEdit> {
  const { title, source, comment, contentModel, baseId, identity } = submission
  const preparation: Preparation = {
    title,
    source,
    comment,
    contentModel,
    latestId: latest?.latestId,
    baseId,
    editor: { name: identity.editor.name, anonymous: identity.anonymous },
    mayChangeContentModel: identity.rights.has('editcontentmodel'),
    time,
  }
  const sizeBytes = latest?.sizeBytes ?? 0
  const mine = await prepareAnywhere(context, preparation, sizeBytes)
  requireTitleRight(submission, mine.contentModel)
  if (latest === undefined || baseId === undefined || baseId === latest.latestId) return mine
  if (isTextOf(context.store, latest.latestId, mine.text)) return mine
  const merged = await merge(context, baseId, latest, mine.text)
  return prepareAnywhere(context, { ...preparation, source: merged }, sizeBytes)
}

async function prepareAnywhere(
  { store, pool }: Pick<HttpContext, 'store' | 'pool'>,
  preparation: Preparation,
  latestBytes: number,
): Promise<PreparedEdit> {
  const isQuick = isQuickToPrepare(preparation.source) && latestBytes <= MAX_INLINE_BYTES
  const result = isQuick ? prepare(store, preparation) : await pool.run('prepareEdit', preparation)
  if (!result.ok) throw refusedEdit(result.error)
  return result.edit
}

/** The text that joins the changes of both sides; throws the edit conflict when there is none. */
async function merge(
  { store, pool }: Pick<HttpContext, 'store' | 'pool'>,
  baseId: number,
  { pageId, latestId }: LatestState,
  mine: string,
): Promise<string> {
  const base = store.getRevision(baseId)
  if (base === undefined || base.textHidden) throw new HttpError('apierror-editconflict')
  const isOfPage = base.pageId === pageId
  const merged = await pool.run('mergeEdit', { baseId, currentId: latestId, mine, mayMerge: isOfPage })
  if (merged === undefined) throw new HttpError('apierror-editconflict')
  if (merged.clean) return merged.text
  const { local, remote } = merged
  throw new HttpError('apierror-editconflict', [], {
    data: { base: baseId, current: latestId },
    json: { local, remote },
  })
}

function isTextOf(store: Pick<Store, 'getRevision'>, revisionId: number, text: string): boolean {
  const revision = store.getRevision(revisionId)
  return revision?.sha1.equals(hash('sha1', text, 'buffer')) ?? false
}

/** Pages that only some may edit, by their titles. */
function requireTitleRight({ title, identity }: Submission, contentModel: KnownContentModel): void {
  const { editor, anonymous, rights } = identity
  const error = protectedTitle(title, contentModel, { name: editor.name, anonymous, rights })
  if (error !== undefined) throw refusedEdit(error)
}

/** The answer for an edit that cannot be saved, with the code that MediaWiki's edit machinery gives. */
export function refusedEdit({ key, args }: EditError): HttpError {
  const data = key === 'rest-bad-content-model' ? {} : { actionModuleErrorCode: key }
  return new HttpError(key, args, { data })
}
