/** Deleting a page, and bringing it back. */
import type { Identity } from '../auth/identities.js'
import { FILE, USER_TALK } from '../domain/namespaceIds.js'
import { toSeconds } from '../domain/timestamp.js'
import { prefixedText, type Title } from '../domain/title.js'
import { cutWithMark, normaliseComment } from '../edit/comment.js'
import { shownParts } from '../storage/pages/hiddenParts.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import type { PageSummary } from '../storage/store.js'
import {
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

/** Throws a PageRefusal. */
export async function deletePage(
  context: PageActionContext,
  { title, reason: given, identity }: Deletion,
): Promise<DeletedPage> {
  const { store, clock } = context
  requireKnownActions(store)
  store.refresh()
  const page = pageAt(store, title)
  if (title.namespace === FILE && store.getFile(title.dbkey) !== undefined)
    throw new PageRefusal('cannotdelete')
  const reason = normaliseComment(given) || normaliseComment(await reasonFor(context, page))
  const time = toSeconds(clock.nowMs())
  const own = store.mirror.ownProtection(title, time)
  const verdict = await writeAction(context, {
    kind: 'delete',
    ...headOf(page, identity, time),
    reason,
    // A new page under the title is not protected as the old one was.
    protections: isPageProtected(own) ? [{ ...plain(page), ...withoutPage(own) }] : [],
  })
  if (verdict.result === 'missing') throw new PageRefusal('missingtitle')
  if (verdict.result !== 'deleted') throw new Error(`a deletion ended as ${verdict.result}`)
  return { reason, logId: verdict.logId }
}

/** Brings the page back that was deleted last under the title. Returns the number of its revisions. */
export async function undeletePage(
  context: PageActionContext,
  { title, reason: given, identity }: Deletion,
): Promise<{ readonly revisions: number; readonly reason: string }> {
  const { store, clock } = context
  requireKnownActions(store)
  store.refresh()
  const [page] = store.deletedUnder(title)
  if (page === undefined) throw new PageRefusal('cantundelete')
  const reason = normaliseComment(given)
  const head = headOf(page, identity, toSeconds(clock.nowMs()))
  const verdict = await writeAction(context, { kind: 'undelete', ...head, reason })
  if (verdict.result === 'missing') throw new PageRefusal('cantundelete')
  if (verdict.result === 'exists')
    throw new PageRefusal('articleexists', [prefixedText(title, store.namespaces())])
  if (verdict.result !== 'undeleted') throw new Error(`a restoration ended as ${verdict.result}`)
  return { revisions: verdict.revisions, reason }
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
