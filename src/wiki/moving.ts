/** Moving a page: what it needs is read outside of the writer, and written in one transaction. */
import type { Identity } from '../auth/identities.js'
import { isModelAllowed, type KnownContentModel } from '../domain/contentModel.js'
import { mimeTypeOfName } from '../domain/mediaTypes.js'
import { CATEGORY, FILE } from '../domain/namespaceIds.js'
import { Refusal } from '../domain/refusal.js'
import { toSeconds } from '../domain/timestamp.js'
import { parseTitle, prefixedText, type Title, titleId } from '../domain/title.js'
import { normaliseComment } from '../edit/comment.js'
import { foreignTitle, protectedTitle } from '../edit/titleErrors.js'
import type { Entry } from '../storage/entries/entries.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { Store } from '../storage/store.js'
import {
  fileOf,
  isPageProtected,
  type PageActionContext,
  pageAt,
  plain,
  withoutPage,
  writeAction,
} from './pageActions.js'
import { PageRefusal, requireKnownActions } from './pageRefusal.js'
import { requireUnprotected } from './protection.js'
import { readText } from './readText.js'
import { refusalOf, untilNobodyIsQuicker } from './saving.js'

export interface Move {
  readonly from: Title
  readonly to: Title
  readonly reason: string
  /** Undoing this needs the right `suppressredirect`. */
  readonly leavesRedirect: boolean
  readonly identity: Identity
}

export interface MovedPage {
  readonly pageId: number
  readonly hasRedirect: boolean
  readonly isOverRedirect: boolean
}

/** Each further attempt follows another change of one of the pages. */
const MAX_ATTEMPTS = 10

type MoveEntry = Extract<Entry, { kind: 'move' }>

/**
 * Moves a page. Throws a PageRefusal, or a Refusal: protectedpagetext, invalidtitle, content-not-allowed-here, and
 * those of titles that only some users may edit.
 */
export async function movePage(context: PageActionContext, move: Move): Promise<MovedPage> {
  requireKnownActions(context.store)
  return untilNobodyIsQuicker(MAX_ATTEMPTS, () => tryMoving(context, move))
}

/** Undefined when one of the pages changed meanwhile. */
async function tryMoving(context: PageActionContext, move: Move): Promise<MovedPage | undefined> {
  context.store.refresh()
  const entry = await prepareMove(context, move)
  const verdict = await writeAction(context, entry)
  if (verdict.result === 'moved') {
    const { pageId, redirect } = verdict
    return { pageId, hasRedirect: redirect !== undefined, isOverRedirect: entry.replaced !== null }
  }
  if (!['missing', 'exists', 'conflict'].includes(verdict.result))
    throw new Error(`a move ended as ${verdict.result}`)
  return undefined
}

async function prepareMove(context: PageActionContext, move: Move): Promise<MoveEntry> {
  const { store, clock } = context
  const { from, to, identity, reason: given } = move
  const page = pageAt(store, from)
  if (titleId(from) === titleId(to)) throw new PageRefusal('selfmove')
  const time = toSeconds(clock.nowMs())
  const latest = store.getRevision(page.latestId)
  const model = (latest?.contentModel ?? 'wikitext') as KnownContentModel
  requireAllowed(store, move, { model, time })
  const replaced = replacedAt(store, move)
  // Another change meanwhile makes the entry a conflict.
  const text = latest && (await readText(context, latest))
  if (text === undefined) throw new PageRefusal('missingcontent')
  const file = fileOf(store, from, 'filemove-elsewhere')
  const reason = normaliseComment(given)
  const leaves = (move.leavesRedirect || !identity.rights.has('suppressredirect')) && model === 'wikitext'
  const names = [from, to].map((title) => prefixedText(title, store.namespaces()))
  const how = replaced !== null ? ' over redirect' : leaves ? '' : ' without leaving a redirect'
  const comment = normaliseComment(
    `${identity.editor.name} moved page [[${names[0]}]] to [[${names[1]}]]${how}${reason && `: ${reason}`}`,
  )
  const colon = to.namespace === CATEGORY ? ':' : ''
  return {
    kind: 'move',
    id: randomEntryId(),
    time,
    editor: identity.editor,
    comment,
    minor: true,
    contentModel: model,
    text,
    pageId: page.pageId,
    baseRevisionId: page.latestId,
    from: plain(from),
    ...plain(to),
    reason,
    redirect: leaves ? { ...plain(from), comment, text: `#REDIRECT [[${colon}${names[1]}]]` } : null,
    replaced: replaced && { ...replaced, reason: `Deleted to make way for move from "[[${names[0]}]]"` },
    protections: carriedProtections(store, { from, to, leaves, time }),
    ...(file !== undefined && { file: { from: file, to: to.dbkey } }),
  }
}

/** Who may not edit a page may not move it either, nor move a page to its title. */
function requireAllowed(
  store: Store,
  { from, to, identity }: Move,
  { model, time }: { readonly model: KnownContentModel; readonly time: number },
): void {
  if (from.namespace !== FILE && to.namespace === FILE) throw new PageRefusal('nonfile-cannot-move-to-file')
  requireFileAllowed(store, { from, to, identity })
  const name = prefixedText(to, store.namespaces())
  const foreign = foreignTitle(name, to, store.interwiki())
  if (foreign !== undefined) throw refusalOf(foreign)
  const isTaken = store.getPage(to.namespace, to.dbkey) !== undefined
  const { move = 'none', ...protection } = store.getProtection(from, time)
  requireUnprotected(identity, protection, true)
  requireUnprotected(identity, { edit: move, create: 'none' }, true)
  requireUnprotected(identity, store.getProtection(to, time), isTaken)
  const { editor, anonymous, rights } = identity
  for (const title of [from, to]) {
    const error = protectedTitle(title, model, { name: editor.name, anonymous, rights })
    if (error !== undefined) throw refusalOf(error)
  }
  if (!isModelAllowed(model, to.namespace))
    throw new Refusal('content-not-allowed-here', [model, name, 'main'])
}

function requireFileAllowed(
  store: Store,
  { from, to, identity }: Pick<Move, 'from' | 'to' | 'identity'>,
): void {
  const file = fileOf(store, from, 'filemove-elsewhere')
  if (file === undefined) return
  if (!identity.rights.has('movefile')) throw new PageRefusal('cantmovefile')
  if (to.namespace !== FILE) throw new PageRefusal('nonfilenamespace')
  if (store.getOwnFile(file)?.sha256 === null) throw new PageRefusal('filemove-elsewhere')
  const [was, is] = [from, to].map(({ dbkey }) => mimeTypeOfName(dbkey))
  if (was !== is) throw new PageRefusal('filetypemismatch')
  if (store.getFile(to.dbkey) !== undefined)
    throw new PageRefusal('articleexists', { args: [prefixedText(to, store.namespaces())] })
}

/** A redirect with one revision that leads back goes. Throws an articleexists for other pages, or a redirectexists. */
function replacedAt(
  store: Store,
  { from, to }: Move,
): (Title & { readonly pageId: number; readonly latestId: number }) | null {
  const page = store.getPageByTitle(to)
  if (page === undefined) return null
  const { redirectTarget, counts, latestId } = page
  const name = prefixedText(to, store.namespaces())
  if (redirectTarget === undefined || counts.revisions > 1)
    throw new PageRefusal('articleexists', { args: [name] })
  const target = parseTitle(redirectTarget, store.namespaces())
  if (!target.ok || titleId(target.title) !== titleId(from))
    throw new PageRefusal('redirectexists', { args: [name] })
  return { ...plain(to), pageId: page.pageId, latestId }
}

interface Carried extends Pick<Move, 'from' | 'to'> {
  readonly leaves: boolean
  readonly time: number
}

/** The new title is protected as the old one was. A protection that an earlier page left there ends. */
function carriedProtections(store: Store, { from, to, leaves, time }: Carried): MoveEntry['protections'] {
  const [was, is] = [from, to].map((title) => store.mirror.ownProtection(title, time))
  const [before, there] = [was!, is!]
  if (!isPageProtected(before)) return isPageProtected(there) ? [{ ...plain(to), ...withoutPage(there) }] : []
  const carried = { ...plain(to), ...before, create: there.create }
  return leaves ? [carried] : [{ ...plain(from), ...withoutPage(before) }, carried]
}
