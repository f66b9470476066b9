/** `list=recentchanges`: revisions and entries of the log. changeRows.ts merges them by time. */
import { formatTimestamp } from '../../../../domain/timestamp.js'
import { parseTitle, type Title } from '../../../../domain/title.js'
import {
  choiceOr,
  choices,
  choicesOr,
  continueFrom,
  flag,
  limit,
  namespaces,
  text,
  timestamp,
  user,
  type Values,
} from '../../frame/declaration.js'
import { invalidTitle, requireAtMostOneOf, requireNoContradiction } from '../../frame/problems.js'
import { type Fields, Table } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { parsedComment, type Shown, shownOf, tagsOf, userFields } from '../../revisionFields.js'
import { type ChangeRow, changeRows, HIGHEST_CHANGE_ID, type RowFilter } from '../changeRows.js'
import { MAX_READ } from '../linkIndex.js'
import { pagesOf, paramFields, revisionOf } from '../logFields.js'
import { defineList, type Item, type QueryCall } from '../module.js'
import { changeLists, moreAt, rangeOf } from '../timePlaces.js'
import { requireNoPatrol } from './usercontribs.js'

const PROPERTIES = [
  'user',
  'userid',
  'comment',
  'parsedcomment',
  'flags',
  'timestamp',
  'title',
  'ids',
  'sizes',
  'redirect',
  'patrolled',
  'loginfo',
  'tags',
  'sha1',
] as const
type Property = (typeof PROPERTIES)[number]
const TYPES = ['edit', 'new', 'log', 'external', 'categorize'] as const
const FACTS = ['minor', 'bot', 'anon', 'redirect'] as const
const SHOWN = [
  ...FACTS,
  ...(['!minor', '!bot', '!anon', '!redirect'] as const),
  ...(['patrolled', '!patrolled', 'unpatrolled', 'autopatrolled', '!autopatrolled'] as const),
]

const parameters = {
  start: timestamp('begin with changes of this time'),
  end: timestamp('end with changes of this time'),
  dir: choiceOr('older', ['newer', 'older'], 'direction'),
  namespace: namespaces('only pages of these namespaces'),
  user: user('only changes by this user'),
  excludeuser: user('no changes by this user'),
  tag: text('only changes with this tag'),
  prop: choicesOr(['title', 'timestamp', 'ids'], PROPERTIES, 'what to tell'),
  show: choices(SHOWN, 'only such changes'),
  limit: limit(),
  type: choicesOr(['edit', 'new', 'log', 'categorize'], TYPES, 'kinds of changes'),
  toponly: flag('only changes that made the latest revision of a page'),
  title: text('only changes of this page'),
  continue: continueFrom(),
  generaterevisions: flag('as a generator, give revisions in place of pages'),
  slot: choices(['main'], 'only changes of this slot, which is the only one'),
}
type ChangeValues = Values<typeof parameters>

export const recentChanges = defineList({
  name: 'recentchanges',
  prefix: 'rc',
  summary: 'Changes of all pages, with the log',
  isGenerator: true,
  parameters,
  run(call, values) {
    const filter = filterOf(values, call)
    changeLists(call)
    const range = rangeOf(values, HIGHEST_CHANGE_ID)
    const items: Item[] = []
    if (filter === 'nothing') return { items }
    const wanted = new Set(values.prop)
    let read = 0
    for (const row of changeRows(filter, range, call)) {
      const more = moreAt({ timestamp: row.timestamp, id: row.changeId })
      if (read++ === MAX_READ) return { items, more }
      if (!isWanted(row, values, call)) continue
      if (items.length === values.limit) return { items, more }
      items.push(itemOf(row, wanted, values.generaterevisions, call))
    }
    return { items }
  },
})

/** Throws an error for filters that contradict each other, or need rights. */
function filterOf(values: ChangeValues, call: QueryCall): RowFilter | 'nothing' {
  const { prefix } = call.module
  const { user: name, excludeuser, show, prop, type, title } = values
  requireAtMostOneOf({ [`${prefix}user`]: name, [`${prefix}excludeuser`]: excludeuser })
  requireNoContradiction(show)
  requireNoPatrol(prop, show)
  const about = title === undefined ? undefined : titleOf(title, call)
  const actorIds = name === undefined ? undefined : call.context.store.changes.actorsNamed(name)
  const kinds = {
    revisions: type.includes('edit') || type.includes('new'),
    events: type.includes('log') && values.tag === undefined,
  }
  return actorIds?.length === 0 ? 'nothing' : { actorIds, title: about, ...kinds }
}

function titleOf(given: string, { wiki }: QueryCall): Title {
  const parsed = parseTitle(given, wiki.namespaces)
  if (!parsed.ok) throw invalidTitle(given)
  return parsed.title
}

/** Title of the page, as it was then for an entry of the log. Undefined: hidden, or gone. */
function subjectOf(row: ChangeRow, { context }: QueryCall): Title | undefined {
  if (row.kind === 'event') return row.event.title
  if (row.kind === 'mirror' && 'title' in row.change) return row.change.title
  const page =
    row.kind === 'revision'
      ? row.page
      : 'pageId' in row.change
        ? context.store.getPageById(row.change.pageId)
        : undefined
  return page && { namespace: page.namespace, dbkey: page.dbkey }
}

function isWanted(row: ChangeRow, values: ChangeValues, call: QueryCall): boolean {
  const { type, namespace, excludeuser, tag, toponly, show } = values
  if (row.kind === 'revision' && !type.includes(row.revision.parentId === 0 ? 'new' : 'edit')) return false
  const title = subjectOf(row, call)
  if (namespace !== undefined && (title === undefined || !namespace.includes(title.namespace))) return false
  if (tag !== undefined && (row.kind !== 'revision' || !tagsOf(row.revision, call).includes(tag)))
    return false
  if (toponly && !isTop(row, call)) return false
  const facts = show === undefined && excludeuser === undefined ? undefined : factsOf(row, call)
  if (facts === undefined) return true
  if (excludeuser !== undefined && facts.user === excludeuser) return false
  return FACTS.every((name) => {
    if (facts[name]) return show?.includes(`!${name}`) !== true
    return show?.includes(name) !== true
  })
}

function isTop(row: ChangeRow, { context }: QueryCall): boolean {
  if (row.kind === 'revision') return row.page.latestId === row.revision.id
  if (row.kind === 'mirror') return false
  const revisionId = revisionOf(row.event)
  const revision = revisionId === undefined ? undefined : context.store.getRevision(revisionId)
  return revision !== undefined && context.store.getPageById(revision.pageId)?.latestId === revision.id
}

interface Facts extends Readonly<Record<(typeof FACTS)[number], boolean>> {
  readonly user: string | undefined
}

function factsOf(row: ChangeRow, call: QueryCall): Facts {
  const { store } = call.context
  if (row.kind === 'revision') {
    const { minor, bot, anonymous } = row.revision
    const redirect = row.page.redirectTarget !== undefined
    return { minor, bot, anon: anonymous, redirect, user: shownOf(row.revision).user?.name }
  }
  if (row.kind === 'mirror')
    return { minor: false, bot: false, anon: false, redirect: false, user: undefined }
  const { performer } = row.event
  const pageId = pagesOf(row.event, call).now
  const redirect = pageId !== 0 && store.getPageById(pageId)?.redirectTarget !== undefined
  const bot = performer !== undefined && store.site().bots.includes(performer.name)
  return { minor: false, bot, anon: performer?.id === null, redirect, user: performer?.name }
}

function itemOf(
  row: ChangeRow,
  wanted: ReadonlySet<Property>,
  generatesRevisions: boolean,
  call: QueryCall,
): Item {
  const revisionId = revisionIn(row)
  const title = subjectOf(row, call)
  const fields = call.isGenerator ? undefined : fieldsOf(row, wanted, call)
  if (generatesRevisions) return { fields, ...(revisionId !== 0 && { revisionId }) }
  return { fields, ...(title !== undefined && { title }) }
}

/** 0: none. */
function revisionIn(row: ChangeRow): number {
  if (row.kind === 'revision') return row.revision.id
  return row.kind === 'event' ? (revisionOf(row.event) ?? 0) : 0
}

function fieldsOf(row: ChangeRow, wanted: ReadonlySet<Property>, call: QueryCall): Fields {
  const title = subjectOf(row, call)
  const facts = factsOf(row, call)
  const { user: editor, comment } = authorOf(row)
  const { anon, ...names } = userFields(editor, { user: wanted.has('user'), userid: wanted.has('userid') })
  const comments = wanted.has('comment') || wanted.has('parsedcomment')
  const isNew = row.kind === 'revision' && row.revision.parentId === 0
  return {
    type: row.kind !== 'revision' ? 'log' : isNew ? 'new' : 'edit',
    ...(title === undefined &&
      row.kind === 'event' &&
      (wanted.has('title') || wanted.has('ids')) && { actionhidden: true }),
    ...(title !== undefined && wanted.has('title') && titleFields(title, call.wiki.namespaces)),
    ...(wanted.has('ids') && idFields(row, call)),
    ...names,
    ...(anon === true && { anon }),
    ...(wanted.has('flags') && { bot: facts.bot, new: isNew, minor: facts.minor }),
    ...(wanted.has('sizes') && sizeFields(row, call)),
    ...(wanted.has('timestamp') && { timestamp: formatTimestamp(row.timestamp) }),
    ...(comments && comment === undefined && { commenthidden: true }),
    ...(wanted.has('comment') && comment !== undefined && { comment }),
    ...(wanted.has('parsedcomment') &&
      comment !== undefined && { parsedcomment: parsedComment(comment, title, call) }),
    ...(wanted.has('redirect') && facts.redirect && { redirect: true }),
    ...(wanted.has('loginfo') && logInfo(row, call)),
    ...(wanted.has('tags') && { tags: row.kind === 'revision' ? tagsOf(row.revision, call) : [] }),
    ...(wanted.has('sha1') && row.kind === 'revision' && sha1Fields(row.revision)),
  }
}

function authorOf(row: ChangeRow): Shown {
  if (row.kind === 'revision') return shownOf(row.revision)
  return row.kind === 'event'
    ? { user: row.event.performer, comment: row.event.comment }
    : { user: undefined, comment: undefined }
}

function idFields(row: ChangeRow, call: QueryCall): Fields {
  const rcid = row.changeId
  if (row.kind === 'revision') {
    const { id, parentId, pageId } = row.revision
    return { pageid: pageId, revid: id, old_revid: parentId, rcid }
  }
  if (row.kind === 'mirror')
    return { pageid: 'pageId' in row.change ? row.change.pageId : 0, revid: 0, old_revid: 0, rcid }
  if (row.event.title === undefined) return { rcid }
  return { pageid: pagesOf(row.event, call).then, revid: revisionOf(row.event) ?? 0, old_revid: 0, rcid }
}

function sizeFields(row: ChangeRow, { context }: QueryCall): Fields {
  if (row.kind !== 'revision') return { oldlen: 0, newlen: 0 }
  const { parentId, sizeBytes = 0 } = row.revision
  const before = parentId === 0 ? undefined : context.store.getRevision(parentId)
  return { oldlen: before?.sizeBytes ?? 0, newlen: sizeBytes }
}

/** What MediaWiki's log would say of changes of a mirror, as near as it is known. */
export const MIRRORED = {
  gone: ['delete', 'delete'],
  history: ['import', 'interwiki'],
  parts: ['delete', 'revision'],
  protection: ['protect', 'modify'],
  file: ['upload', 'overwrite'],
  bots: ['rights', 'rights'],
} as const

function logInfo(row: ChangeRow, call: QueryCall): Fields {
  if (row.kind === 'revision') return {}
  if (row.kind === 'mirror') {
    const [type, action] = MIRRORED[row.change.kind]
    const ids = row.change.kind === 'parts' ? { type: 'revision', ids: row.change.revisionIds } : {}
    return { logid: 0, logtype: type, logaction: action, logparams: new Table(ids) }
  }
  const { id, type, action, title } = row.event
  if (title === undefined) return {}
  return { logid: id, logtype: type, logaction: action, logparams: paramFields(row.event, call) }
}

const sha1Fields = ({ textHidden, sha1 }: { readonly textHidden: boolean; readonly sha1: Buffer }): Fields =>
  textHidden ? { sha1hidden: true } : { sha1: sha1.toString('hex') }
