/** `list=logevents`: the log of the wiki. */
import { formatTimestamp } from '../../../../domain/timestamp.js'
import { parseTitle, type Title } from '../../../../domain/title.js'
import type { EventFilter, ListedEvent } from '../../../../storage/changes/logEventReader.js'
import {
  choiceOr,
  choicesOr,
  continueFrom,
  limit,
  namespaceOr,
  text,
  timestamp,
  user,
  type Parameter,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, badValue, invalidTitle, requireAtMostOneOf, shown } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { parsedComment, userFields } from '../../revisionFields.js'
import { MAX_READ } from '../linkIndex.js'
import { pagesOf, paramFields } from '../logFields.js'
import { defineList, type Item, type QueryCall } from '../module.js'
import { moreAt, rangeOf } from '../timePlaces.js'

const TYPES =
  'block,contentmodel,create,delete,import,managetags,merge,move,newusers,patrol,protect,rights,suppress,tag,upload'.split(
    ',',
  )
const ACTIONS =
  `block/block block/reblock block/unblock contentmodel/change contentmodel/new create/create delete/delete
  delete/delete_redir delete/delete_redir2 delete/event delete/restore delete/revision import/interwiki import/upload
  managetags/activate managetags/create managetags/deactivate managetags/delete merge/merge move/move move/move_redir
  newusers/autocreate newusers/byemail newusers/create newusers/create2 newusers/newusers patrol/autopatrol patrol/patrol
  protect/modify protect/move_prot protect/protect protect/unprotect rights/autopromote rights/rights
  suppress/block suppress/delete suppress/event suppress/reblock suppress/revision tag/update
  upload/overwrite upload/revert upload/upload`.split(/\s+/)

const PROPERTIES = [
  ...([
    'ids',
    'title',
    'type',
    'user',
    'userid',
    'timestamp',
    'comment',
    'parsedcomment',
    'details',
  ] as const),
  'tags',
] as const
const DEFAULTS = ['ids', 'title', 'type', 'user', 'timestamp', 'comment', 'details'] as const

const parameters = {
  prop: choicesOr(DEFAULTS, PROPERTIES, 'what to tell'),
  type: choiceOr('', ['', ...TYPES], 'only entries of this type'),
  action: text('only entries of this type and action, such as `move/move`'),
  start: timestamp('begin with entries of this time'),
  end: timestamp('end with entries of this time'),
  dir: choiceOr('older', ['newer', 'older'], 'direction'),
  user: user('only entries by this user'),
  title: text('only entries about this page'),
  namespace: {
    ...namespaceOr(0, 'only entries about pages of this namespace'),
    default: undefined,
  } as Parameter<number | undefined>,
  prefix: text('only entries about titles that begin so'),
  tag: text('an error: tags of entries are not known here'),
  limit: limit(),
  continue: continueFrom(),
}
type EventValues = Values<typeof parameters>

export const logEvents = defineList({
  name: 'logevents',
  prefix: 'le',
  summary: 'Entries of the log',
  isGenerator: false,
  parameters,
  run(call, values) {
    const { namespace, prefix, limit: most, prop, tag } = values
    const filters = filtersOf(values, call)
    const range = rangeOf(values)
    warnOfMissingLog(call)
    const start = prefix === undefined ? undefined : prefixOf(prefix, call)
    const isWanted = ({ title }: ListedEvent): boolean =>
      (namespace === undefined || title?.namespace === namespace) &&
      (start === undefined || (title?.namespace === start.namespace && title.dbkey.startsWith(start.dbkey)))
    const items: Item[] = []
    if (tag !== undefined) throw badValue(`${call.module.prefix}tag`, tag)
    if (filters === 'nothing') return { items }
    let read = 0
    for (const event of call.context.store.logEvents.list(filters, range)) {
      if (read++ === MAX_READ) return { items, more: moreAt(event) }
      if (!isWanted(event)) continue
      if (items.length === most) return { items, more: moreAt(event) }
      items.push({ fields: fieldsOf(event, new Set(prop), call) })
    }
    return { items }
  },
})

/** An empty list alone would say that nothing ever happened. Clients stop at an error, though. */
function warnOfMissingLog({ context, warnings, module }: QueryCall): void {
  if (context.store.logEvents.hasAny()) return
  const text = 'This wiki has no log: its operator can import one by "palimpsest import".'
  warnings.add(module.path, 'nolog', text)
}

/** Throws an unknown_leaction or an invalidparammix. */
function filtersOf(
  { type, action, title, prefix, namespace, user: name }: EventValues,
  call: QueryCall,
): EventFilter | 'nothing' {
  const { module, wiki, context } = call
  const own = module.prefix
  requireAtMostOneOf({ [`${own}title`]: title, [`${own}prefix`]: prefix, [`${own}namespace`]: namespace })
  if (action !== undefined && !/^[a-z-]+\/\*$/.test(action) && !ACTIONS.includes(action))
    throw new ActionError(`unknown_${own}action`, badValue(`${own}action`, action).message)
  const [ofAction, part] = action?.split('/') ?? []
  const about = title === undefined ? undefined : parseTitle(title, wiki.namespaces)
  if (about?.ok === false) throw invalidTitle(title ?? '')
  const actorId = name === undefined ? undefined : context.store.changes.actorsNamed(name)[0]
  if (name !== undefined && actorId === undefined) return 'nothing'
  return {
    type: ofAction ?? (type === '' ? undefined : type),
    action: part === '*' ? undefined : part,
    title: about?.title,
    actorId,
  }
}

function prefixOf(given: string, { wiki }: QueryCall): Title {
  const parsed = parseTitle(`${given}x`, wiki.namespaces)
  if (!parsed.ok) throw new ActionError('invalidtitle', `Bad title "${shown(given)}".`)
  return { namespace: parsed.title.namespace, dbkey: parsed.title.dbkey.slice(0, -1) }
}

function fieldsOf(
  event: ListedEvent,
  wanted: ReadonlySet<(typeof PROPERTIES)[number]>,
  call: QueryCall,
): Fields {
  const { id, type, action, performer, comment, title } = event
  const pages = wanted.has('ids') ? pagesOf(event, call) : undefined
  const isPerformerHidden = performer === undefined
  const comments = wanted.has('comment') || wanted.has('parsedcomment')
  const { anon, ...editor } = userFields(performer, {
    user: wanted.has('user'),
    userid: wanted.has('userid'),
  })
  return {
    ...(wanted.has('ids') && { logid: id }),
    ...(title !== undefined && wanted.has('title') && titleFields(title, call.wiki.namespaces)),
    ...(title === undefined && (wanted.has('title') || wanted.has('ids')) && { actionhidden: true }),
    ...(title !== undefined && pages && { pageid: pages.now, logpage: pages.then }),
    ...(title !== undefined && wanted.has('details') && { params: paramFields(event, call) }),
    ...(wanted.has('type') && { type, action }),
    ...editor,
    ...(!isPerformerHidden && anon === true && { anon }),
    ...(wanted.has('timestamp') && { timestamp: formatTimestamp(event.timestamp) }),
    ...(comments && comment === undefined && { commenthidden: true }),
    ...(wanted.has('comment') && comment !== undefined && { comment }),
    ...(wanted.has('parsedcomment') &&
      comment !== undefined && { parsedcomment: parsedComment(comment, title, call) }),
    ...(wanted.has('tags') && { tags: [] }),
  }
}
