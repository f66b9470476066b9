/** Uploading a file: its contents go to the disk, and then one entry makes file, page and log tell of it. */
import type { Config } from '../config/config.js'
import type { AppContext } from '../context.js'
import type { FileFacts } from '../domain/file.js'
import { mimeTypeOfName, UNKNOWN_MIME_TYPE } from '../domain/mediaTypes.js'
import { FILE } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { toSeconds } from '../domain/timestamp.js'
import { parseTitle, prefixedText, type Title } from '../domain/title.js'
import { normaliseComment } from '../edit/comment.js'
import { removeLeftOver, withArrivingPath, withPlacedContents, writeContents } from '../files/arriving.js'
import type { Received } from '../files/originals.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { Entry } from '../storage/entries/entries.js'
import { mayBeImporting } from '../storage/lease.js'
import type { Identity } from '../auth/identities.js'
import { FileTaskError } from '../workers/files/fileProcesses.js'
import { type PageActionContext, plain, writeAction } from './pageActions.js'
import { PageRefusal, requireKnownActions } from './pageRefusal.js'
import { requireUnprotected } from './protection.js'
import { readText } from './readText.js'
import { draftEdit, untilNobodyIsQuicker } from './saving.js'

export interface Upload {
  /** As the client gives it, with or without the prefix of the namespace. */
  readonly filename: string
  /** One after the other. They must stay until the promise resolves. */
  readonly contents: readonly Uint8Array[]
  readonly comment: string
  /** Of the page, if there is none. */
  readonly text: string
  readonly ignoresWarnings: boolean
  readonly identity: Identity
}

/** What the uploader should know, under MediaWiki's names. Files are named by their dbkeys. */
export interface UploadWarnings {
  readonly badfilename?: string
  readonly exists?: string
  /** Seconds since 1970: the present version has the same contents. */
  readonly nochange?: number
  readonly 'page-exists'?: string
  readonly 'was-deleted'?: string
  readonly duplicate?: readonly string[]
}

export interface UploadOutcome {
  readonly title: Title
  readonly warnings: UploadWarnings
  /** False: nothing was written, because of the warnings. */
  readonly isDone: boolean
}

export interface UploadContext extends PageActionContext, Pick<AppContext, 'fileProcesses'> {
  readonly config: Pick<Config, 'dataDir'>
}

/** Each further attempt follows another change of the page. */
const MAX_ATTEMPTS = 10
/** MediaWiki's, in bytes. */
const MAX_NAME_BYTES = 240
const MAX_DUPLICATES = 50

type UploadEntry = Extract<Entry, { kind: 'upload' }>

/** Throws a PageRefusal, or the refusals of edits. */
export async function uploadFile(context: UploadContext, upload: Upload): Promise<UploadOutcome> {
  const { store, config, clock } = context
  const { contents, identity } = upload
  requireKnownActions(store)
  store.refresh()
  if (contents.every(({ length }) => length === 0)) throw new PageRefusal('empty-file')
  const name = nameOf(upload.filename, store.namespaces())
  const { title } = name
  const protection = store.getProtection(title, toSeconds(clock.nowMs()))
  requireUnprotected(identity, protection, store.getPageByTitle(title) !== undefined)
  // A command deletes contents that no file had when it looked.
  if (mayBeImporting(store)) throw new PageRefusal('importing')
  await removeLeftOver(config.dataDir, clock.nowMs())
  return withArrivingPath(config.dataDir, async (path) => {
    const received = await writeContents(path, contents)
    const facts = await inspect(context, received, upload, title)
    const warnings = await warningsFor(context, received, name)
    const isSame = warnings.nochange !== undefined
    if (!upload.ignoresWarnings && Object.keys(warnings).length > 0) return { title, warnings, isDone: false }
    if (isSame)
      throw new PageRefusal('fileexists-no-change', { args: [prefixedText(title, store.namespaces())] })
    await withPlacedContents(received, config.dataDir, () => write(context, upload, { title, facts }))
    return { title, warnings, isDone: true }
  })
}

interface WantedName {
  readonly title: Title
  /** The name is not the one that was asked for. */
  readonly isOther: boolean
}

const UNUSABLE = /[\0-\x1f\x7f#<>[\]{}|:/\\]/g

function nameOf(given: string, namespaces: Namespaces): WantedName {
  const whole = parseTitle(given, namespaces)
  const asked = whole.ok && whole.title.namespace === FILE ? whole.title.dbkey : given
  const parsed = parseTitle(namespaces.keyPrefix(FILE) + asked.replace(UNUSABLE, '-'), namespaces)
  if (!parsed.ok || parsed.title.namespace !== FILE)
    throw new PageRefusal('illegal-filename', { data: { filename: asked } })
  const { title } = parsed
  const [, stem] = /^(.*)\.[^.]+$/s.exec(title.dbkey) ?? []
  if (stem === undefined) throw new PageRefusal('filetype-missing')
  const data = { invalidparameter: 'filename' }
  if (stem === '') throw new PageRefusal('filename-tooshort', { data })
  if (Buffer.byteLength(title.dbkey) > MAX_NAME_BYTES) throw new PageRefusal('filename-toolong', { data })
  const comparable = parseTitle(namespaces.keyPrefix(FILE) + given, namespaces)
  return { title, isOther: !comparable.ok || comparable.title.dbkey !== title.dbkey }
}

/** Another process opens the file, since it may be hostile. Its name must tell what it is. */
async function inspect(
  { fileProcesses, clock }: Pick<UploadContext, 'fileProcesses' | 'clock'>,
  { path, sizeBytes, sha1, sha256 }: Received,
  { identity }: Pick<Upload, 'identity'>,
  { dbkey }: Title,
): Promise<FileFacts> {
  try {
    const { facts, problem } = await fileProcesses.run('inspect', { path, name: dbkey })
    const ending = dbkey.slice(dbkey.lastIndexOf('.') + 1)
    const [found, named] = [facts.mimeType, mimeTypeOfName(dbkey)]
    if (named === UNKNOWN_MIME_TYPE && found === named)
      throw new PageRefusal('filetype-banned', { data: { filetype: ending } })
    if (problem !== undefined || !isOfType(found, named))
      throw new PageRefusal('filetype-mime-mismatch', {
        args: [ending, found],
        data: { details: ['filetype-mime-mismatch', ending, found] },
      })
    const timestamp = toSeconds(clock.nowMs())
    return { ...facts, sizeBytes, sha1, sha256, timestamp, uploader: identity.editor }
  } catch (error) {
    if (error instanceof FileTaskError) throw new PageRefusal('verification-error', { args: [error.message] })
    throw error
  }
}

/** Containers of sound and video have several types. Browsers show pictures and documents, so these are exact. */
function isOfType(found: string, named: string): boolean {
  const isPlayed = (type: string): boolean => /^(?:audio|video|model)\/|^application\/ogg$/.test(type)
  return found === named || (isPlayed(found) && isPlayed(named))
}

async function warningsFor(
  { store, pool }: UploadContext,
  { sha1, sha256 }: Received,
  { title, isOther }: WantedName,
): Promise<UploadWarnings> {
  const { dbkey } = title
  const twins = await pool.run('filesWithContents', { sha1, limit: MAX_DUPLICATES + 1 })
  store.refresh()
  const before = store.getOwnFile(dbkey)
  const duplicate = twins.filter((name) => name !== dbkey).slice(0, MAX_DUPLICATES)
  const hasPage = store.getPageByTitle(title) !== undefined
  return {
    ...(isOther && { badfilename: dbkey }),
    ...(before !== undefined && { exists: dbkey }),
    ...(before?.sha256 === sha256 && { nochange: before.timestamp }),
    ...(before === undefined && hasPage && { 'page-exists': dbkey }),
    ...(before === undefined && store.deletedUnder(title).length > 0 && { 'was-deleted': dbkey }),
    ...(duplicate.length > 0 && { duplicate }),
  }
}

async function write(
  context: UploadContext,
  upload: Upload,
  file: { readonly title: Title; readonly facts: FileFacts },
): Promise<void> {
  await untilNobodyIsQuicker(MAX_ATTEMPTS, async () => {
    context.store.refresh()
    const verdict = await writeAction(context, await prepare(context, upload, file))
    const { result } = verdict
    if (result === 'uploaded') return verdict
    if (!['missing', 'exists', 'conflict'].includes(result)) throw new Error(`an upload ended as ${result}`)
    return undefined
  })
}

async function prepare(
  context: UploadContext,
  { comment, text, identity }: Upload,
  { title, facts }: { readonly title: Title; readonly facts: FileFacts },
): Promise<UploadEntry> {
  const { store } = context
  const page = store.getPageByTitle(title)
  const common = {
    kind: 'upload',
    id: randomEntryId(),
    time: toSeconds(context.clock.nowMs()),
    ...plain(title),
    editor: identity.editor,
    comment: normaliseComment(comment),
    minor: false,
    file: { dbkey: title.dbkey, facts },
  } as const
  if (page === undefined) {
    const edit = { title, source: text, comment, contentModel: undefined, baseId: undefined, identity }
    const draft = await draftEdit(context, edit)
    return {
      ...common,
      pageId: null,
      baseRevisionId: null,
      contentModel: draft.contentModel,
      text: draft.text,
    }
  }
  const { pageId, latestId } = page
  const latest = store.getRevision(latestId)
  const present = latest && (await readText(context, latest))
  if (latest === undefined || present === undefined) throw new PageRefusal('missingcontent')
  return { ...common, pageId, baseRevisionId: latestId, contentModel: latest.contentModel, text: present }
}
