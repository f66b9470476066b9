/** `action=edit`: saves a page by the same way as the REST API. */
import { hash } from 'node:crypto'
import type { RevisionRow } from '../../../storage/store.js'
import { KNOWN_CONTENT_MODELS } from '../../../domain/contentModel.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { parseTitle, prefixedText, type Title } from '../../../domain/title.js'
import { saveEdit } from '../../../wiki/saving.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { choice, flag, integer, secret, text, timestamp, type Values } from '../frame/declaration.js'
import { ActionError, requireAtLeastOneOf } from '../frame/problems.js'
import type { Fields } from '../frame/values.js'
import { walkHistory } from '../query/historyWalk.js'
import { editedText, isUndo } from './editedText.js'
import { missingTitle, refusing, requireWriter, titleOf } from './writing.js'

const parameters = {
  title: text('the page'),
  pageid: integer('its id'),
  section: text('number of the section that changes: 0 is the part before the first heading, `new` adds one'),
  sectiontitle: text('heading of the new section'),
  text: text('the text'),
  summary: text('what was changed; without a heading of its own, also that of a new section'),
  tags: text('without effect'),
  minor: flag('a minor edit'),
  notminor: flag('no minor edit'),
  bot: flag('without effect: accounts of the group count as bots'),
  baserevid: integer('the revision that the text was made from'),
  basetimestamp: timestamp('its time, in place of `baserevid`'),
  starttimestamp: timestamp('when the edit began: an error if the page was deleted since'),
  recreate: flag('no such error'),
  createonly: flag('an error if the page exists'),
  nocreate: flag('an error if the page is missing'),
  watch: flag('without effect'),
  watchlist: text('without effect'),
  md5: text('MD5 of the text, or of what is put before and after it: an error if it differs'),
  prependtext: text('put before the text of the page or section'),
  appendtext: text('put after the text of the page or section'),
  undo: integer('undo this edit; then the text has no effect'),
  undoafter: integer('undo all edits after this revision, up to `undo`'),
  redirect: flag('edit the page that a redirect leads to: by an addition or a new section alone'),
  contentformat: text('without effect'),
  contentmodel: choice(KNOWN_CONTENT_MODELS, 'content model of a new page'),
  token: secret('token of the type `csrf`'),
}
type EditValues = Values<typeof parameters>

export const edit = defineAction({
  name: 'edit',
  summary: 'Create or change a page',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters,
  run(call, values) {
    const asked = titleOf(call, values.title, values.pageid)
    const { text: whole, appendtext, prependtext } = values
    // An empty text is one.
    if (whole === undefined && !isUndo(values))
      requireAtLeastOneOf({
        text: whole,
        appendtext: has(appendtext),
        prependtext: has(prependtext),
        undo: undefined,
      })
    requireSum(values)
    const title = values.redirect ? targetOf(asked, values, call) : undefined
    const name = (each: Title): string => prefixedText(each, call.wiki.namespaces)
    return refusing(async () => ({
      ...(title && { redirects: { from: name(asked), to: name(title) } }),
      edit: await save(title ?? asked, call, values),
    }))
  },
})

const has = (given: string | undefined): true | undefined => (given === undefined ? undefined : true)

/** The page that a redirect leads to, in one step. Undefined for other pages. Throws a redirect-appendonly. */
function targetOf(
  asked: Title,
  { section, prependtext, appendtext }: EditValues,
  { context, wiki }: ActionCall,
): Title | undefined {
  if (section !== 'new' && prependtext === undefined && appendtext === undefined) {
    const info =
      'You have attempted to edit using the redirect-following mode, which must be used in conjunction with "section=new", "prependtext", or "appendtext".'
    throw new ActionError('redirect-appendonly', info)
  }
  const target = context.store.getPageByTitle(asked)?.redirectTarget
  const parsed = target === undefined ? undefined : parseTitle(target, wiki.namespaces)
  return parsed?.ok === true && parsed.title.namespace >= 0 ? parsed.title : undefined
}

/** Throws a pagedeleted if the page was deleted while the client edited it. */
function requireNotDeleted(title: Title, { starttimestamp }: EditValues, { context }: ActionCall): void {
  if (starttimestamp === undefined) return
  const [event] = context.store.logEvents.list({ title, type: 'delete', action: 'delete' })
  if (event !== undefined && event.timestamp > starttimestamp)
    throw new ActionError('pagedeleted', 'The page has been deleted since you fetched its timestamp.')
}

/** Throws a badmd5 for a text that was damaged on its way. */
function requireSum({ md5, text: whole = '', prependtext, appendtext }: EditValues): void {
  if (md5 === undefined) return
  const isAddition = prependtext !== undefined || appendtext !== undefined
  const sent = isAddition ? `${prependtext ?? ''}${appendtext ?? ''}` : whole
  if (hash('md5', sent) !== md5.toLowerCase())
    throw new ActionError('badmd5', 'The supplied MD5 hash was incorrect.')
}

async function save(title: Title, call: ActionCall, values: EditValues): Promise<Fields> {
  const { context, wiki } = call
  const { store } = context
  const identity = await requireWriter(call)
  const row = store.getPage(title.namespace, title.dbkey)
  const latest = row && store.getRevision(row.latestId)
  if (latest === undefined && values.nocreate) throw missingTitle()
  if (latest === undefined && !values.recreate) requireNotDeleted(title, values, call)
  if (latest !== undefined && values.createonly)
    throw new ActionError('articleexists', 'The article you tried to create has been created already.')
  const base = latest && baseOf(latest, values, call)
  const { source, comment } = await editedText(values, { base, latest }, call)
  const saved = await saveEdit(context, {
    title,
    source,
    comment,
    contentModel: values.contentmodel,
    baseId: base?.id,
    minor: values.minor && !values.notminor && identity.rights.has('minoredit'),
    identity,
  })
  const revision = store.getRevision(saved.revisionId)
  const isSame = saved.revisionId === latest?.id
  return {
    result: 'Success',
    pageid: saved.pageId,
    title: prefixedText(title, wiki.namespaces),
    contentmodel: revision?.contentModel ?? 'wikitext',
    ...(saved.created && { new: true }),
    ...(isSame
      ? { nochange: true }
      : {
          oldrevid: latest?.id ?? 0,
          newrevid: saved.revisionId,
          ...(revision && { newtimestamp: formatTimestamp(revision.timestamp) }),
        }),
  }
}

/** The revision that the client started from: the latest one unless it says so. Others are made from the latest. */
function baseOf(latest: RevisionRow, values: EditValues, { context }: ActionCall): RevisionRow {
  const { baserevid, basetimestamp, section, prependtext, appendtext } = values
  const isAddition = prependtext !== undefined || appendtext !== undefined
  if (isUndo(values) || section === 'new' || (section === undefined && isAddition)) return latest
  if (baserevid !== undefined) {
    const base = context.store.getRevision(baserevid)
    if (base?.pageId !== latest.pageId) throw new ActionError('editconflict', 'Edit conflict.')
    return base
  }
  if (basetimestamp === undefined || latest.timestamp <= basetimestamp) return latest
  const walk = {
    pageId: latest.pageId,
    isNewer: false,
    from: { timestamp: basetimestamp },
    to: undefined,
    maxRows: 1,
  }
  for (const revision of walkHistory(context.store, walk)) return revision
  return latest
}
