/** `list=usercontribs`: revisions of chosen users. */
import { formatTimestamp } from '../../../../domain/timestamp.js'
import type { Change } from '../../../../storage/changes/changeReader.js'
import type { PageSummary, RevisionRow, Store } from '../../../../storage/store.js'
import {
  choiceOr,
  choices,
  choicesOr,
  continueFrom,
  deprecated,
  flag,
  integers,
  limit,
  namespaces,
  text,
  timestamp,
  users,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, badContinue, requireNoContradiction, requireOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { parsedComment, shownOf, tagsOf } from '../../revisionFields.js'
import { canonicalName } from '../userFacts.js'
import { MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type QueryCall } from '../module.js'
import { changeLists, moreAt, placeOf, rangeOf } from '../timePlaces.js'

const PROPERTIES = [
  ...([
    'ids',
    'title',
    'timestamp',
    'comment',
    'parsedcomment',
    'size',
    'sizediff',
    'flags',
    'patrolled',
  ] as const),
  'tags',
] as const
type Property = (typeof PROPERTIES)[number]
const SHOWN = ['minor', '!minor', 'patrolled', '!patrolled', 'autopatrolled', '!autopatrolled'] as const
const SHOWN_TOO = ['top', '!top', 'new', '!new'] as const

const parameters = {
  limit: limit(),
  start: timestamp('begin with revisions of this time'),
  end: timestamp('end with revisions of this time'),
  continue: continueFrom(),
  user: users('these users'),
  userids: integers('users by their ids'),
  userprefix: text('users whose names begin so'),
  dir: choiceOr('older', ['newer', 'older'], 'direction'),
  namespace: namespaces('only pages of these namespaces'),
  prop: choicesOr(['ids', 'title', 'timestamp', 'comment', 'size', 'flags'], PROPERTIES, 'what to tell'),
  show: choices([...SHOWN, ...SHOWN_TOO], 'only such revisions'),
  tag: text('only revisions with this tag'),
  toponly: deprecated(flag('as `ucshow=top`')),
}
type ContribValues = Values<typeof parameters>

interface Author {
  readonly actorId: number
  readonly userId: number
  readonly name: string
}

export const userContribs = defineList({
  name: 'usercontribs',
  prefix: 'uc',
  summary: 'Revisions of users',
  isGenerator: false,
  parameters,
  run(call, values) {
    requireFitting(values, call)
    const changes = changeLists(call)
    const { limit: most, continue: given, dir } = values
    const [ofActor, place] = given === undefined ? [] : splitPlace(given)
    const items: Item[] = []
    let read = 0
    const authors = authorsOf(values, call)
    const first = ofActor === undefined ? 0 : authors.findIndex(({ actorId }) => actorId === ofActor)
    if (first < 0) throw badContinue()
    for (const author of authors.slice(first)) {
      const resumed = author.actorId === ofActor ? place : undefined
      const range = rangeOf({ ...values, continue: resumed, dir })
      for (const change of changes.byActor(author.actorId, range)) {
        const { continue: at } = moreAt({ timestamp: change.timestamp, id: change.revisionId })
        const more = { continue: `${author.actorId}|${at}` }
        if (read++ === MAX_READ) return { items, more }
        const found = readChange(change, call)
        if (found === undefined || !isWanted(found, values, call)) continue
        if (items.length === most) return { items, more }
        items.push({ fields: fieldsOf(found, author, new Set(values.prop), call) })
      }
    }
    return { items }
  },
})

function requireFitting(
  { user, userids, userprefix, prop, show }: ContribValues,
  { module }: QueryCall,
): void {
  const { prefix } = module
  if (user?.length === 0)
    throw new ActionError(`paramempty_${prefix}user`, `The parameter "${prefix}user" may not be empty.`)
  requireOneOf({
    [`${prefix}user`]: user?.[0],
    [`${prefix}userids`]: userids?.[0],
    [`${prefix}userprefix`]: userprefix,
    [`${prefix}iprange`]: undefined,
  })
  requireNoContradiction(show)
  requireNoPatrol(prop, show)
}

/** Throws an ActionError for requests of what nobody here may see. */
export function requireNoPatrol(prop: readonly string[], show: readonly string[] | undefined): void {
  if (prop.includes('patrolled') || show?.some((word) => word.endsWith('patrolled')) === true)
    throw new ActionError(
      'permissiondenied',
      'You need the "patrol" or "patrolmarks" right to request the patrolled flag.',
    )
}

/** The highest user id comes first, unless the list begins with the oldest. */
function authorsOf({ user, userids, userprefix, dir }: ContribValues, { context }: QueryCall): Author[] {
  const { changes, accounts } = context.store
  if (userprefix !== undefined) return authorsWithPrefix(userprefix, dir, { changes, accounts })
  const actorIds = [
    ...(user ?? []).flatMap((name) => changes.actorsNamed(name)),
    ...(userids ?? []).flatMap((id) => changes.actorOfUser(id) ?? []),
  ]
  const authors = [...new Set(actorIds)].flatMap((actorId): Author[] => {
    const [change] = changes.byActor(actorId)
    const revision = change && context.store.getRevision(change.revisionId)
    const editor = revision && shownOf(revision).user
    return editor === undefined ? [] : [{ actorId, userId: editor.id ?? 0, name: editor.name }]
  })
  const sign = dir === 'newer' ? 1 : -1
  return authors.sort((one, other) => sign * (one.userId - other.userId || one.actorId - other.actorId))
}

/** Users whose names begin so, at most. */
const MAX_AUTHORS = 500

/** By name: the last one comes first, unless the list begins with the oldest. */
function authorsWithPrefix(
  given: string,
  dir: ContribValues['dir'],
  { changes, accounts }: Pick<Store, 'changes' | 'accounts'>,
): Author[] {
  const prefix = canonicalName(given)
  const authors: Author[] = []
  for (const { userId, name } of accounts.walkUsers(prefix, false)) {
    if (!name.startsWith(prefix) || authors.length === MAX_AUTHORS) break
    const actorId = changes.actorOfUser(userId)
    if (actorId !== undefined) authors.push({ actorId, userId, name })
  }
  return dir === 'newer' ? authors : authors.reverse()
}

function splitPlace(given: string): [actorId: number, place: string] {
  const [, actor, place] = /^(\d{1,10})\|(.*)$/.exec(given) ?? []
  if (place === undefined) throw badContinue()
  placeOf(place)
  return [Number(actor), place]
}

interface FoundRevision {
  readonly revision: RevisionRow
  readonly page: PageSummary
}

function readChange({ revisionId, pageId }: Change, { context }: QueryCall): FoundRevision | undefined {
  const revision = context.store.getRevision(revisionId)
  const page = context.store.getPageById(pageId)
  return revision && page && { revision, page }
}

function isWanted({ revision, page }: FoundRevision, values: ContribValues, call: QueryCall): boolean {
  const { namespace, show, tag, toponly } = values
  if (namespace?.includes(page.namespace) === false) return false
  const isTop = page.latestId === revision.id
  if (toponly && !isTop) return false
  if (tag !== undefined && !tagsOf(revision, call).includes(tag)) return false
  const facts = { top: isTop, minor: revision.minor, new: revision.parentId === 0 }
  return Object.entries(facts).every(
    ([name, is]) =>
      show === undefined ||
      ((is || !show.includes(name as 'top')) && (!is || !show.includes(`!${name}` as '!top'))),
  )
}

function fieldsOf(
  { revision, page }: FoundRevision,
  { userId, name }: Author,
  wanted: ReadonlySet<Property>,
  call: QueryCall,
): Fields {
  const { comment } = shownOf(revision)
  const size = revision.sizeBytes ?? 0
  const comments = wanted.has('comment') || wanted.has('parsedcomment')
  const before = wanted.has('sizediff') ? call.context.store.getRevision(revision.parentId)?.sizeBytes : 0
  return {
    userid: userId,
    user: name,
    ...(revision.textHidden && { texthidden: true }),
    ...(wanted.has('ids') && { pageid: page.pageId, revid: revision.id, parentid: revision.parentId }),
    ...(wanted.has('title') && titleFields(page, call.wiki.namespaces)),
    ...(wanted.has('timestamp') && { timestamp: formatTimestamp(revision.timestamp) }),
    ...(wanted.has('flags') && {
      new: revision.parentId === 0,
      minor: revision.minor,
      top: page.latestId === revision.id,
    }),
    ...(comments && comment === undefined && { commenthidden: true }),
    ...(wanted.has('comment') && comment !== undefined && { comment }),
    ...(wanted.has('parsedcomment') &&
      comment !== undefined && { parsedcomment: parsedComment(comment, page, call) }),
    ...(wanted.has('size') && { size }),
    ...(wanted.has('sizediff') && { sizediff: size - (before ?? 0) }),
    ...(wanted.has('tags') && { tags: tagsOf(revision, call) }),
  }
}
