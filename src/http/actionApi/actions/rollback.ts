/** `action=rollback`: takes back all latest edits of a page that are by one user. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fillMessage } from '../../../domain/refusal.js'
import { USER, USER_TALK } from '../../../domain/namespaceIds.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { prefixedText, type Title } from '../../../domain/title.js'
import type { RevisionRow } from '../../../storage/store.js'
import { readText } from '../../../wiki/readText.js'
import { saveEdit } from '../../../wiki/saving.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { flag, integer, requiredText, secret, text, type Values } from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import type { Fields } from '../frame/values.js'
import { shownOf } from '../revisionFields.js'
import { missingTitle, refusing, requireWriter, titleOf } from './writing.js'

const parameters = {
  title: text('the page'),
  pageid: integer('its id'),
  user: requiredText('whose edits go'),
  summary: text('what was changed; `$1` is the user whose revision comes back, `$2` the one whose edits go'),
  markbot: flag('without effect: accounts of the group count as bots'),
  tags: text('without effect'),
  watchlist: text('without effect'),
  watchlistexpiry: text('without effect'),
  token: secret('token of the type `rollback`'),
}
type RollbackValues = Values<typeof parameters>

export const rollback = defineAction({
  name: 'rollback',
  summary: 'Take back the latest edits of a page, if they are by one user',
  mustBePosted: true,
  needsToken: 'rollback',
  parameters,
  run(call, values) {
    const title = titleOf(call, values.title, values.pageid)
    return refusing(async () => ({ rollback: await rollBack(title, values, call) }))
  },
})

async function rollBack(title: Title, { user, summary }: RollbackValues, call: ActionCall): Promise<Fields> {
  const { context, wiki } = call
  const { store } = context
  const identity = await requireWriter(call, 'rollback')
  const row = store.getPage(title.namespace, title.dbkey)
  const latest = row && store.getRevision(row.latestId)
  if (latest === undefined) throw missingTitle()
  const name = user.replaceAll('_', ' ')
  if (shownOf(latest).user?.name !== name) throw alreadyRolled(name, title, latest, call)
  const target = await lastByOthers(latest, call)
  const source = await readText(context, target)
  if (source === undefined || target.contentModel !== latest.contentModel)
    throw new ActionError('notvisiblerev', 'Cannot revert the edit. The text to go back to is not shown.')
  const comment = commentOf(summary, { target, latest }, call)
  const saved = await saveEdit(context, {
    title,
    source,
    comment,
    contentModel: undefined,
    baseId: latest.id,
    minor: true,
    identity,
  })
  return {
    title: prefixedText(title, wiki.namespaces),
    pageid: saved.pageId,
    summary: saved.comment,
    revid: saved.revisionId,
    old_revid: latest.id,
    last_revid: target.id,
  }
}

/** Revisions that are read in one turn of the event loop. */
const PART = 100

/** The newest revision that another editor made. Throws an onlyauthor. */
async function lastByOthers(latest: RevisionRow, { context }: ActionCall): Promise<RevisionRow> {
  const { pageId, actorId } = latest
  for (let olderThan = latest; ;) {
    const { rows, hasOlder } = context.store.lists.history(pageId, { olderThan, limit: PART })
    const found = rows.find((row) => row.actorId !== actorId)
    if (found !== undefined) return found
    const last = rows.at(-1)
    if (last === undefined || !hasOlder) break
    olderThan = last
    await nextTurn()
  }
  const info = 'Cannot revert the edit. The last contributor is the only author of this page.'
  throw new ActionError('onlyauthor', info)
}

interface Ends {
  readonly target: RevisionRow
  readonly latest: RevisionRow
}

const HIDDEN = '(username removed)'
const DEFAULT_COMMENT =
  'Reverted edits by [[Special:Contributions/$2|$2]] ([[$7:$2|talk]]) to last revision by [[$8:$1|$1]]'

function commentOf(given: string | undefined, { target, latest }: Ends, { wiki }: ActionCall): string {
  const [to, from] = [target, latest].map((revision) => shownOf(revision).user?.name ?? HIDDEN)
  const [talk, user] = [USER_TALK, USER].map((id) => wiki.namespaces.nameOf(id) ?? '')
  return fillMessage(given || DEFAULT_COMMENT, [
    to!,
    from!,
    target.id,
    formatTimestamp(target.timestamp),
    latest.id,
    formatTimestamp(latest.timestamp),
    talk!,
    user!,
  ])
}

function alreadyRolled(user: string, title: Title, latest: RevisionRow, { wiki }: ActionCall): ActionError {
  const last = shownOf(latest).user?.name ?? HIDDEN
  const links = (name: string, further: string): string =>
    `[[User:${name}|${name}]] ([[User talk:${name}|talk]] | [[Special:Contributions/${name}|contribs]])${further}`
  const info =
    `Cannot rollback the last edit of [[:${prefixedText(title, wiki.namespaces)}]] by ${links(user, '. ')}` +
    `Someone else has edited or rolled back the page already. The last edit to the page was by ${links(last, '.')}`
  return new ActionError('alreadyrolled', info)
}
