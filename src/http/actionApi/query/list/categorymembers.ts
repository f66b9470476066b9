/** `list=categorymembers`: pages, subcategories and files of a category by sort key, or by time. */
import { CATEGORY } from '../../../../domain/namespaceIds.js'
import { compareUtf8, parseTitle, type Title } from '../../../../domain/title.js'
import { formatTimestamp } from '../../../../domain/timestamp.js'
import type { CategoryMember } from '../../../../storage/categories/categoryReader.js'
import { kindOf, sortKeyInCapitals } from '../../../../storage/rows/categoryRows.js'
import {
  choiceOr,
  choicesOr,
  continueFrom,
  deprecated,
  integer,
  limit,
  namespaces,
  text,
  timestamp,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, badContinue, noSuchPage, requireOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { notReady } from '../linkIndex.js'
import { defineList, type Item, type Listing, type QueryCall } from '../module.js'
import { moreAt, rangeOf } from '../timePlaces.js'

/** Members to read for one answer: more than that are left to the next one. */
const MAX_READ = 2000
const PART = 100
const KINDS = { page: 'page', subcat: 'subcategory', file: 'file' } as const
type Kind = keyof typeof KINDS
const DIRECTIONS = ['asc', 'desc', 'ascending', 'descending', 'newer', 'older'] as const

const parameters = {
  title: text('the category'),
  pageid: integer('id of its page'),
  prop: choicesOr(
    ['ids', 'title'],
    ['ids', 'title', 'sortkey', 'sortkeyprefix', 'type', 'timestamp'],
    'what to tell',
  ),
  namespace: namespaces('only pages of these namespaces'),
  type: choicesOr(['page', 'subcat', 'file'], ['page', 'subcat', 'file'], 'kinds of members, in this order'),
  continue: continueFrom(),
  limit: limit(),
  sort: choiceOr('sortkey', ['sortkey', 'timestamp'], 'order; by time, `cmtype` has no effect'),
  dir: choiceOr('ascending', DIRECTIONS, 'direction'),
  start: timestamp('begin with members of this time; needs `cmsort=timestamp`'),
  end: timestamp('end with members of this time'),
  starthexsortkey: text('begin with this key, in hexadecimal digits'),
  endhexsortkey: text('end with this key'),
  startsortkeyprefix: text('begin with this key'),
  endsortkeyprefix: text('end before keys that follow this one'),
  startsortkey: deprecated(text('as `startsortkeyprefix`')),
  endsortkey: deprecated(text('as `endsortkeyprefix`')),
}
type MemberValues = Values<typeof parameters>

export const categoryMembers = defineList({
  name: 'categorymembers',
  prefix: 'cm',
  summary: 'Members of a category',
  isGenerator: true,
  parameters,
  run(call, values) {
    const category = categoryOf(values, call)
    const isTimeWanted = values.prop.includes('timestamp') || values.sort === 'timestamp'
    if (isTimeWanted && !call.context.store.categories.hasTimes()) throw notReady('times of category members')
    if (values.sort === 'timestamp') return byTime(category, values, call)
    const walk = new MemberWalk(category, values, call)
    const items: Item[] = []
    for (const member of walk.members()) {
      const isWanted = values.namespace?.includes(member.namespace) !== false
      if ((isWanted && items.length === values.limit) || walk.read > MAX_READ)
        return { items, more: { continue: placeText(walk.kind, member) } }
      if (!isWanted) continue
      items.push(itemOf(member, category, values.prop, call))
    }
    return { items }
  },
})

/** The dbkey of the category. Throws an invalidcategory, a missingparam or a nosuchpageid. */
function categoryOf({ title, pageid }: MemberValues, { wiki, context, module }: QueryCall): string {
  requireOneOf({ [`${module.prefix}title`]: title, [`${module.prefix}pageid`]: pageid })
  let found: Title | undefined
  if (pageid !== undefined) {
    found = context.store.getPageById(pageid)
    if (found === undefined) throw noSuchPage(pageid)
  } else {
    const parsed = parseTitle(title ?? '', wiki.namespaces)
    found = parsed.ok ? parsed.title : undefined
  }
  if (found?.namespace !== CATEGORY)
    throw new ActionError('invalidcategory', 'The category name you entered is not valid.')
  return found.dbkey
}

const isReverse = ({ dir }: MemberValues): boolean => ['desc', 'descending', 'older'].includes(dir)

function byTime(category: string, values: MemberValues, call: QueryCall): Listing {
  const { start, end, limit: most, namespace, prop } = values
  const dir = isReverse(values) ? 'older' : 'newer'
  const range = rangeOf({ start, end, dir, continue: values.continue || undefined })
  const items: Item[] = []
  let read = 0
  for (const member of call.context.store.categories.byTime(category, range)) {
    const isWanted = namespace?.includes(member.namespace) !== false
    if ((isWanted && items.length === most) || read++ > MAX_READ)
      return { items, more: moreAt({ timestamp: member.timestamp, id: member.pageId }) }
    if (isWanted) items.push(itemOf(member, category, prop, call))
  }
  return { items }
}

class MemberWalk {
  /** Of the member that the walk has come to. */
  kind: Kind
  read = 0
  readonly #category: string
  readonly #values: MemberValues
  readonly #call: QueryCall
  readonly #isReverse: boolean
  readonly #end: string | undefined

  constructor(category: string, values: MemberValues, call: QueryCall) {
    this.#category = category
    this.#values = values
    this.#call = call
    this.#isReverse = isReverse(values)
    this.kind = values.type[0] ?? 'page'
    const { endhexsortkey, endsortkeyprefix, endsortkey } = values
    this.#end = (endsortkeyprefix ?? endsortkey ?? hexText(endhexsortkey))?.toUpperCase()
  }

  *members(): Generator<CategoryMember, void> {
    const { startsortkeyprefix, startsortkey, starthexsortkey, type } = this.#values
    // Some clients send it empty at the beginning.
    const given = this.#values.continue || undefined
    const start = startsortkeyprefix ?? startsortkey ?? hexText(starthexsortkey)
    const resumed = given === undefined ? undefined : placeOf(given, this.#isReverse)
    const from = resumed === undefined ? 0 : type.indexOf(resumed.kind)
    if (from < 0) throw badContinue()
    for (const kind of type.slice(from)) {
      this.kind = kind
      yield* this.#ofKind(kind, kind === resumed?.kind ? resumed.place : start)
    }
  }

  *#ofKind(kind: Kind, start: string | undefined): Generator<CategoryMember, void> {
    const { categories } = this.#call.context.store
    let place = start
    for (;;) {
      const query = this.#isReverse
        ? { until: place ?? '\u{10ffff}', limit: PART }
        : { from: place, limit: PART }
      const list = categories.listMembers(this.#category, KINDS[kind], query)
      for (const member of this.#isReverse ? [...list.members].reverse() : list.members) {
        this.read++
        if (this.#isBeyondEnd(member.sortKey)) return
        yield member
      }
      place = this.#isReverse ? list.previousUntil : list.nextFrom
      if (place === undefined) return
    }
  }

  #isBeyondEnd(sortKey: string): boolean {
    if (this.#end === undefined) return false
    const order = compareUtf8(sortKey, this.#end)
    return this.#isReverse ? order < 0 : order > 0
  }
}

const hexText = (hex: string | undefined): string | undefined =>
  hex === undefined ? undefined : Buffer.from(hex, 'hex').toString()

const placeText = (kind: Kind, { sortKey, pageId }: CategoryMember): string =>
  `${kind}|${Buffer.from(sortKey).toString('hex')}|${pageId}`

/** Where a list goes on, as the reader of categories takes it: see `ID_MARK` there. */
function placeOf(given: string, isReverse: boolean): { kind: Kind; place: string } {
  const [, kind, hex = '', id] = /^(page|subcat|file)\|((?:[0-9a-f]{2})*)\|(\d{1,10})$/.exec(given) ?? []
  if (kind === undefined) throw badContinue()
  const place = `${Buffer.from(hex, 'hex').toString()}\n\n${Number(id) + (isReverse ? 1 : 0)}`
  return { kind: kind as Kind, place }
}

const WIRE_KINDS = { page: 'page', subcategory: 'subcat', file: 'file' } as const satisfies Record<
  string,
  Kind
>

function itemOf(
  { pageId, namespace, dbkey }: Pick<CategoryMember, 'pageId' | 'namespace' | 'dbkey'>,
  category: string,
  prop: MemberValues['prop'],
  { wiki, context }: QueryCall,
): Item {
  const title = { namespace, dbkey }
  const isEntryWanted = prop.some((name) => ['sortkey', 'sortkeyprefix', 'timestamp'].includes(name))
  const entries = isEntryWanted ? context.store.categories.ofPage(pageId) : []
  const { sortKey = '', time } = entries.find((entry) => entry.category === category) ?? {}
  const key = Buffer.from(sortKeyInCapitals(sortKey, dbkey)).toString('hex')
  const fields: Fields = {
    ...(prop.includes('ids') && { pageid: pageId }),
    ...(prop.includes('title') && titleFields(title, wiki.namespaces)),
    ...(prop.includes('sortkey') && { sortkey: key }),
    ...(prop.includes('sortkeyprefix') && { sortkeyprefix: sortKey }),
    ...(prop.includes('type') && { type: WIRE_KINDS[kindOf(namespace)] }),
    ...(prop.includes('timestamp') && time !== undefined && { timestamp: formatTimestamp(time) }),
  }
  return { title, pageId, fields }
}
