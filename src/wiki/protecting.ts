/** Protecting a title: who may edit and move its page, or create one. */
import type { Identity } from '../auth/identities.js'
import type { ProtectionLevel } from '../domain/protection.js'
import { formatTimestamp, toSeconds } from '../domain/timestamp.js'
import type { Title } from '../domain/title.js'
import { normaliseComment } from '../edit/comment.js'
import { randomEntryId } from '../storage/entries/entryIds.js'
import { isPageProtected, type PageActionContext, writeAction } from './pageActions.js'
import { PageRefusal, requireKnownActions } from './pageRefusal.js'

/** Kinds of protection: those of a page, and that of a title without one. */
export type Levels = { readonly [Kind in 'edit' | 'move' | 'create']?: ProtectionLevel }

interface Protecting {
  readonly title: Title
  /** Kinds that are left out end. */
  readonly levels: Levels
  /** Seconds since 1970; null: it does not expire. */
  readonly expires: number | null
  readonly reason: string
  readonly identity: Identity
}

/** Throws a PageRefusal for kinds that do not fit the title. */
export async function protectTitle(context: PageActionContext, wish: Protecting): Promise<void> {
  const { store, clock } = context
  const { title, levels, identity } = wish
  requireKnownActions(store)
  store.refresh()
  const pageId = store.getPage(title.namespace, title.dbkey)?.pageId ?? null
  if (pageId !== null && levels.create !== undefined) throw new PageRefusal('create-titleexists')
  if (pageId === null && (levels.edit ?? levels.move) !== undefined)
    throw new PageRefusal('missingtitle-createonly')
  const time = toSeconds(clock.nowMs())
  const before = store.mirror.ownProtection(title, time)
  const { edit = 'none', move = 'none' } = levels
  const create = pageId === null ? (levels.create ?? 'none') : before.create
  const expires = [edit, move, create].every((level) => level === 'none') ? null : wish.expires
  const after = { edit, create, expires, ...(move !== 'none' && { move }) }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  const isNow = pageId === null ? create !== 'none' : isPageProtected(after)
  const was = pageId === null ? before.create !== 'none' : isPageProtected(before)
  const shown = pageId === null ? { create } : { edit, move }
  const verdict = await writeAction(context, {
    kind: 'restrict',
    id: randomEntryId(),
    time,
    pageId,
    namespace: title.namespace,
    dbkey: title.dbkey,
    ...after,
    action: !isNow ? 'unprotect' : was ? 'modify' : 'protect',
    editor: identity.editor,
    reason: normaliseComment(wish.reason),
    description: Object.entries(shown)
      .filter(([, level]) => level !== 'none')
      .map(
        ([kind, level]) =>
          `\u200E[${kind}=${level === 'user' ? 'autoconfirmed' : level}] (${until(expires)})`,
      )
      .join(''),
  })
  if (verdict.result !== 'restricted') throw new Error(`a protection ended as ${verdict.result}`)
}

const until = (expires: number | null): string =>
  expires === null ? 'indefinite' : `expires ${formatTimestamp(expires)}`
