/** Deleting a page, and bringing it back. */
import { untilNobodyIsQuicker } from './saving.js'
import type { Identity } from '../auth/identities.js'
import { USER_TALK } from '../domain/namespaceIds.js'
import { toSeconds } from '../domain/timestamp.js'
import { prefixedText, type Title } from '../domain/title.js'
import { cutWithMark, normaliseComment } from '../edit/comment.js'
import { shownParts } from '../storage/pages/hiddenParts.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { PageSummary } from '../storage/store.js'
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
import { readText } from './readText.js'

export interface Deletion {
  readonly title: Title
  /** Blank: the server writes one, which quotes the page. */
  readonly reason: string
  readonly identity: Identity
}

/** `logId` is that of the entry in the public log. */
export interface DeletedPage {
  readonly reason: string
  readonly logId: number
}

/** Each further attempt follows another change of the page or its file. */
const MAX_ATTEMPTS = 10

/** The page's file goes with it. Throws a PageRefusal. */
export async function deletePage(context: PageActionContext, deletion: Deletion): Promise<DeletedPage> {
  requireKnownActions(context.store)
  return untilNobodyIsQuicker(MAX_ATTEMPTS, () => tryDeleting(context, deletion))
}

/** Undefined when the page changed meanwhile. */
async function tryDeleting(
  context: PageActionContext,
  { title, reason: given, identity }: Deletion,
): Promise<DeletedPage | undefined> {
  const { store, clock } = context
  store.refresh()
  const page = pageAt(store, title)
  const file = fileOf(store, title, 'cannotdelete')
  const reason = normaliseComment(given) || normaliseComment(await reasonFor(context, page))
  const time = toSeconds(clock.nowMs())
  const own = store.mirror.ownProtection(title, time)
  const verdict = await writeAction(context, {
    kind: 'delete',
    ...headOf(page, identity, time),
    reason,
    // A new page under the title is not protected as the old one was.
    protections: isPageProtected(own) ? [{ ...plain(page), ...withoutPage(own) }] : [],
    ...(file !== undefined && { file }),
  })
  if (verdict.result === 'missing') throw new PageRefusal('missingtitle')
  if (verdict.result === 'conflict') return undefined
  if (verdict.result !== 'deleted') throw new Error(`a deletion ended as ${verdict.result}`)
  return { reason, logId: verdict.logId }
}

export interface RestoredPage {
  /** Numbers of what came back. */
  readonly revisions: number
  readonly files: number
  readonly reason: string
}

/** Brings the page back that was deleted last under the title, with its file. Throws a PageRefusal. */
export async function undeletePage(
  context: PageActionContext,
  { title, reason: given, identity }: Deletion,
): Promise<RestoredPage> {
  const { store, clock } = context
  requireKnownActions(store)
  store.refresh()
  const [page] = store.deletedUnder(title)
  if (page === undefined) throw new PageRefusal('cantundelete')
  const reason = normaliseComment(given)
  const head = headOf(page, identity, toSeconds(clock.nowMs()))
  const hasFile = store.isFileDeletedWith(page.pageId)
  const verdict = await writeAction(context, {
    kind: 'undelete',
    ...head,
    reason,
    ...(hasFile && { file: title.dbkey }),
  })
  if (verdict.result === 'missing') throw new PageRefusal('cantundelete')
  // A file without a page can have the name.
  if (verdict.result === 'exists' || verdict.result === 'conflict')
    throw new PageRefusal('articleexists', { args: [prefixedText(title, store.namespaces())] })
  if (verdict.result !== 'undeleted') throw new Error(`a restoration ended as ${verdict.result}`)
  return { revisions: verdict.revisions, files: Number(hasFile), reason }
}

const headOf = (page: PageSummary, { editor }: Identity, time: number) => ({
  id: randomEntryId(),
  time,
  pageId: page.pageId,
  ...plain(page),
  editor,
})

/** Letters of a page that a reason quotes. */
const QUOTED = 255

async function reasonFor(
  context: PageActionContext,
  { pageId, latestId, counts }: PageSummary,
): Promise<string> {
  const { store } = context
  const latest = store.getRevision(latestId)
  const text = (latest && (await readText(context, latest))) ?? ''
  if (text === '') {
    const [, before] = store.lists.history(pageId, { limit: 2 }).rows
    const blanked = before && (await readText(context, before))
    return blanked ? `content before blanking was: "${quoted(blanked)}"` : ''
  }
  const content = `content was: "${quoted(text)}"`
  const name = counts.editors === 1 && latest ? shownParts(latest).user?.name : undefined
  if (name === undefined) return content
  const talk = store.namespaces().nameOf(USER_TALK) ?? 'User talk'
  return `${content}, and the only contributor was "[[Special:Contributions/${name}|${name}]]" ([[${talk}:${name}|talk]])`
}

const quoted = (text: string): string => cutWithMark(text.slice(0, 2 * QUOTED).replaceAll('\n', ' '), QUOTED)
