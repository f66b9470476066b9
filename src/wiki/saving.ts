/** Saving an edit: prepared outside of the writer, merged with edits that came first, written once. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { whyMirror } from '../auth/closedWiki.js'
import type { Identity } from '../auth/identities.js'
import type { Clock } from '../context.js'
import type { KnownContentModel } from '../domain/contentModel.js'
import { Refusal } from '../domain/refusal.js'
import type { Title } from '../domain/title.js'
import { expectedContentModel } from '../edit/contentModels.js'
import type { EditError } from '../edit/editErrors.js'
import { prepare, type Preparation } from '../edit/preparation.js'
import { isQuickToPrepare, type PreparedEdit } from '../edit/prepareEdit.js'
import { protectedTitle } from '../edit/titleErrors.js'
import type { EntryWriter } from '../log/entryWriter.js'
import type { CreateEntry, EditEntry, Verdict } from '../storage/entries/entries.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { Store } from '../storage/store.js'
import type { ComputePool } from '../workers/compute/pool.js'
import { PoolFullError } from '../workers/hosting/poolErrors.js'
import { requireUnprotected } from './protection.js'
import { toSeconds } from '../domain/timestamp.js'
import { MAX_INLINE_BYTES } from '../workers/compute/tasks.js'

/** Attempts to save an edit. Each further one follows another editor's save of the same page. */
const MAX_ATTEMPTS = 50
/** Longest wait for a base revision that is not there yet, and the time between two looks. */
const BASE_WAIT_MS = 300
const BASE_POLL_MS = 5

export interface Submission {
  readonly title: Title
  readonly source: string
  /** Undefined: the server writes the comment. */
  readonly comment: string | undefined
  readonly contentModel: string | undefined
  /** Revision that the editor started from; undefined when the edit creates a page. */
  readonly baseId: number | undefined
  /** Whether the editor marks the edit as minor; false if absent. Needs the right `minoredit`. */
  readonly minor?: boolean
  readonly identity: Identity
}

export interface SavedEdit extends PreparedEdit {
  readonly pageId: number
  readonly revisionId: number
  /** Whether the page is new. */
  readonly created: boolean
}

export interface SavingContext {
  readonly store: Store
  readonly pool: Pick<ComputePool, 'run'>
  readonly writer: EntryWriter
  readonly clock: Clock
}

/** Both sides of an edit conflict. */
export interface ConflictSides {
  readonly baseId: number
  readonly latestId: number
  /** The editor's changes, and those that others saved since then: comparisons as JSON in UTF-8. */
  readonly local: Uint8Array
  readonly remote: Uint8Array
}

export class EditConflict extends Refusal {
  override readonly name = 'EditConflict'
  /** Undefined: a text is hidden or missing, so there is nothing to show. */
  readonly sides: ConflictSides | undefined

  constructor(sides?: ConflictSides) {
    super('apierror-editconflict')
    this.sides = sides
  }
}

/**
 * Saves an edit. When the promise resolves, the edit is on disk and every process shows it. A text equal to the latest
 * one makes no revision. Throws a Refusal: protectedpagetext, apierror-articleexists (without a base),
 * apierror-missingtitle (with one), an EditConflict, and the refusals of `src/edit`.
 */
export async function saveEdit(context: SavingContext, submission: Submission): Promise<SavedEdit> {
  await baseArrives(context.store, submission.baseId)
  return untilNobodyIsQuicker(MAX_ATTEMPTS, () => trySaving(context, submission))
}

/** Tries until there is a result: `attempt` has none if another change came first. Throws a PoolFullError. */
export async function untilNobodyIsQuicker<Result>(
  most: number,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let tried = 0; tried < most; tried++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new PoolFullError(`others were quicker ${most} times`)
}

/** The base of an edit may have been saved on another node of the cluster a moment ago. */
async function baseArrives(store: Store, baseId: number | undefined): Promise<void> {
  store.refresh()
  if (baseId === undefined || store.log.membership() === undefined) return
  for (let waitedMs = 0; waitedMs < BASE_WAIT_MS; waitedMs += BASE_POLL_MS) {
    if (store.getRevision(baseId) !== undefined) return
    await sleep(BASE_POLL_MS)
    store.refresh()
  }
}

/** Undefined when the page changed in the meantime. */
async function trySaving(context: SavingContext, submission: Submission): Promise<SavedEdit | undefined> {
  const { store, writer, clock } = context
  const { title, baseId, identity } = submission
  store.refresh()
  const page = store.getPage(title.namespace, title.dbkey)
  // The row is a view into the store: copy the fields that are needed after the first await.
  const latest = page && { pageId: page.pageId, latestId: page.latestId, sizeBytes: page.source.length }
  if (latest !== undefined && baseId === undefined) throw new Refusal('apierror-articleexists')
  if (latest === undefined && baseId !== undefined) throw new Refusal('apierror-missingtitle')
  const time = toSeconds(clock.nowMs())
  const protection = store.getProtection(title, time)
  requireUnprotected(identity, protection, latest !== undefined)
  const edit = await prepareMerged(context, submission, latest, time)
  const minor = submission.minor === true && identity.rights.has('minoredit')
  const head = { id: randomEntryId(), time, editor: identity.editor, minor, ...edit }
  const entry: CreateEntry | EditEntry =
    latest === undefined
      ? { kind: 'create', ...title, ...head }
      : { kind: 'edit', pageId: latest.pageId, baseRevisionId: latest.latestId, ...head }
  const verdict = await writer.write(entry)
  if (verdict.result === 'following') {
    // It has begun to follow meanwhile.
    store.refresh()
    throw whyMirror(store) ?? new Refusal('apierror-readonly')
  }
  return judge(verdict, submission, edit)
}

/** Undefined when the page got another revision or was deleted after the edit was prepared. */
function judge(verdict: Verdict, { baseId }: Submission, edit: PreparedEdit): SavedEdit | undefined {
  const { result } = verdict
  if (result === 'saved' || result === 'unchanged') {
    const { pageId, revisionId } = verdict
    return { ...edit, pageId, revisionId, created: baseId === undefined }
  }
  if (result === 'exists') throw new Refusal('apierror-articleexists')
  if (result === 'missing' || result === 'conflict') return undefined
  throw new Error(`an edit ended as ${result}`)
}

/**
 * The edit as it would be stored if nobody else saved, for previews. It writes nothing, and does not merge.
 * Throws the refusals of `src/edit`.
 */
export async function draftEdit(context: SavingContext, submission: Submission): Promise<PreparedEdit> {
  const { store, clock } = context
  const { title } = submission
  const page = store.getPage(title.namespace, title.dbkey)
  const latest = page && { pageId: page.pageId, latestId: page.latestId, sizeBytes: page.source.length }
  return prepareMerged(context, { ...submission, baseId: undefined }, latest, toSeconds(clock.nowMs()))
}

/**
 * A text as a new page of the title would have it: substituted and signed. The sender need not be allowed to edit the
 * page. Throws the refusals of `src/edit`.
 */
export async function savedText(
  context: Pick<SavingContext, 'store' | 'pool' | 'clock'>,
  {
    title,
    source,
    contentModel,
    identity,
  }: Pick<Submission, 'title' | 'source' | 'contentModel' | 'identity'>,
): Promise<string> {
  const submission = { title, source, comment: undefined, contentModel, baseId: undefined, identity }
  const preparation = preparationOf(submission, undefined, toSeconds(context.clock.nowMs()))
  return (await prepareAnywhere(context, preparation, 0)).text
}

/** The state of a page when the edit was prepared. */
interface LatestState {
  readonly pageId: number
  readonly latestId: number
  readonly sizeBytes: number
}

/** The edit to store on top of the latest revision. Merges when the latest revision is not the base. */
async function prepareMerged(
  context: SavingContext,
  submission: Submission,
  latest: LatestState | undefined,
  time: number,
): Promise<PreparedEdit> {
  const { baseId } = submission
  const preparation = preparationOf(submission, latest?.latestId, time)
  const sizeBytes = latest?.sizeBytes ?? 0
  const mine = await prepareAnywhere(context, preparation, sizeBytes)
  requireTitleRight(submission, mine.contentModel)
  if (latest === undefined || baseId === undefined || baseId === latest.latestId) return mine
  if (isTextOf(context.store, latest.latestId, mine.text)) return mine
  const merged = await merge(context, baseId, latest, mine.text)
  return prepareAnywhere(context, { ...preparation, source: merged }, sizeBytes)
}

function preparationOf(
  { title, source, comment, contentModel, baseId, identity }: Submission,
  latestId: number | undefined,
  time: number,
): Preparation {
  return {
    title,
    source,
    comment,
    contentModel,
    latestId,
    baseId,
    editor: { name: identity.editor.name, anonymous: identity.anonymous },
    mayChangeContentModel: identity.rights.has('editcontentmodel'),
    time,
  }
}

async function prepareAnywhere(
  { store, pool }: Pick<SavingContext, 'store' | 'pool'>,
  preparation: Preparation,
  latestBytes: number,
): Promise<PreparedEdit> {
  const { title, source, contentModel: stated, latestId } = preparation
  const current = latestId === undefined ? undefined : store.getRevision(latestId)?.contentModel
  const model = expectedContentModel({ title, stated, current })
  const isQuick =
    isQuickToPrepare(source, model, store.namespaces().language) && latestBytes <= MAX_INLINE_BYTES.editedText
  const result = isQuick ? prepare(store, preparation) : await pool.run('prepareEdit', preparation)
  if (!result.ok) throw refusalOf(result.error)
  return result.edit
}

/** The merged text of both sides. Throws an EditConflict when they cannot be merged. */
async function merge(
  { store, pool }: Pick<SavingContext, 'store' | 'pool'>,
  baseId: number,
  { pageId, latestId }: LatestState,
  mine: string,
): Promise<string> {
  const base = store.getRevision(baseId)
  if (base === undefined || base.textHidden) throw new EditConflict()
  const isOfPage = base.pageId === pageId
  const merged = await pool.run('mergeEdit', { baseId, currentId: latestId, mine, mayMerge: isOfPage })
  if (merged === undefined) throw new EditConflict()
  if (merged.clean) return merged.text
  throw new EditConflict({ baseId, latestId, local: merged.local, remote: merged.remote })
}

function isTextOf(store: Pick<Store, 'getRevision'>, revisionId: number, text: string): boolean {
  const revision = store.getRevision(revisionId)
  return revision?.sha1.equals(hash('sha1', text, 'buffer')) ?? false
}

/** Throws for titles that only some users may edit. */
function requireTitleRight({ title, identity }: Submission, contentModel: KnownContentModel): void {
  const { editor, anonymous, rights } = identity
  const error = protectedTitle(title, contentModel, { name: editor.name, anonymous, rights })
  if (error !== undefined) throw refusalOf(error)
}

export const refusalOf = ({ key, args }: EditError): Refusal => new Refusal(key, args)
