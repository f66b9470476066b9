/** `list=users`: facts of named users, and `list=allusers`: all users by name. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { userName, WIKI_GROUPS } from '../../../../domain/account.js'
import { compareUtf8 } from '../../../../domain/title.js'
import type { KnownUser } from '../../../../storage/accounts/accountReader.js'
import {
  choice,
  choiceOr,
  choices,
  choicesOr,
  flag,
  integers,
  limit,
  text,
  texts,
  type Values,
} from '../../frame/declaration.js'
import { requireAtMostOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type Listing, type QueryCall } from '../module.js'
import { canonicalName, groupsOf, userFacts } from '../userFacts.js'

const PROPERTIES = [
  'blockinfo',
  'groups',
  'groupmemberships',
  'implicitgroups',
  'rights',
  'editcount',
  'registration',
  'emailable',
  'gender',
  'centralids',
  'cancreate',
] as const

const namedParameters = {
  prop: choicesOr([], PROPERTIES, 'what to tell'),
  attachedwiki: text('without effect'),
  users: texts('these users'),
  userids: integers('these users, by their ids'),
}

export const users = defineList({
  name: 'users',
  prefix: 'us',
  summary: 'Facts of users',
  isGenerator: false,
  parameters: namedParameters,
  async run(call, values) {
    const { prefix } = call.module
    requireAtMostOneOf({ [`${prefix}users`]: values.users, [`${prefix}userids`]: values.userids })
    const { context } = call
    const wants = (property: string): boolean => values.prop.includes(property as 'rights')
    if (values.userids !== undefined) {
      const found = values.userids.map((userid) => context.store.accounts.userOfId(userid) ?? { userid })
      return { items: await itemsOf(found, wants, call) }
    }
    const invalid: Fields[] = []
    const found = new Map<string, KnownUser | Fields>()
    for (const given of values.users ?? []) {
      const name = userName(given, call.wiki.namespaces)
      if (name === undefined) invalid.push({ name: given, invalid: true })
      else found.set(name, context.store.accounts.findUser(name) ?? missingUser(name, wants, call))
    }
    return {
      items: [...invalid.map((fields) => ({ fields })), ...(await itemsOf([...found.values()], wants, call))],
    }
  },
})

const missingUser = (name: string, wants: (property: string) => boolean, { context }: QueryCall): Fields => ({
  name,
  ...(wants('cancreate') && { cancreate: context.config.createAccounts }),
})

const isKnown = (user: KnownUser | Fields): user is KnownUser => 'userId' in user

async function itemsOf(
  found: readonly (KnownUser | Fields)[],
  wants: (property: string) => boolean,
  call: QueryCall,
): Promise<Item[]> {
  const facts = (await userFacts(found.filter(isKnown), wants, call)).values()
  return found.map((user) => {
    if (!isKnown(user)) return { fields: { ...user, missing: true } }
    const further = {
      ...(wants('emailable') && { emailable: false }),
      ...(wants('gender') && { gender: 'unknown' }),
      ...(wants('centralids') && centralIds(user)),
    }
    return { fields: { userid: user.userId, name: user.name, ...facts.next().value, ...further } }
  })
}

const centralIds = ({ userId }: KnownUser): Fields => ({
  centralids: { local: userId },
  attachedlocal: { local: true },
})

const allParameters = {
  from: text('begin with this name'),
  to: text('end with this name'),
  prefix: text('only names that begin so'),
  dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  group: choices(WIKI_GROUPS, 'only members of one of these groups'),
  excludegroup: choices(WIKI_GROUPS, 'no members of these groups'),
  prop: choicesOr(
    [],
    ['blockinfo', 'groups', 'implicitgroups', 'rights', 'editcount', 'registration', 'centralids'],
    'what to tell',
  ),
  limit: limit(),
  witheditsonly: flag('only users with edits'),
  activeusers: flag('without effect'),
  attachedwiki: choice([''], 'without effect'),
}
type AllValues = Values<typeof allParameters>

export const allUsers = defineList({
  name: 'allusers',
  prefix: 'au',
  summary: 'Users by name',
  isGenerator: false,
  parameters: allParameters,
  async run(call, values) {
    const { group, excludegroup } = values
    requireAtMostOneOf({
      [`${call.module.prefix}group`]: group,
      [`${call.module.prefix}excludegroup`]: excludegroup,
    })
    const { found, more } = await usersByName(values, call)
    const facts = await userFacts(found, (name) => values.prop.includes(name as 'rights'), call)
    const items = found.map(({ userId: userid, name }, n) => ({ fields: { userid, name, ...facts[n] } }))
    return { items, more }
  },
})

async function usersByName(
  { dir, group, excludegroup, limit: most, witheditsonly, ...names }: AllValues,
  call: QueryCall,
): Promise<{ readonly found: KnownUser[]; readonly more?: Listing['more'] }> {
  const { accounts, changes } = call.context.store
  const descending = dir === 'descending'
  const [from, to, prefix] = [names.from, names.to, names.prefix].map((name) => name && canonicalName(name))
  // Going down, the list begins with the last name that has the prefix.
  const [low, high] = [prefix, prefix && `${prefix}\u{10ffff}`]
  const start = from ?? (descending ? high : low)
  const all =
    group === undefined
      ? accounts.walkUsers(start, descending)
      : await members(group, start, descending, call)
  const found: KnownUser[] = []
  let read = 0
  for (const user of all) {
    const { name, userId } = user
    if (isBehind(name, to, descending) || isBehind(name, descending ? low : high, descending)) break
    const more = { from: name }
    if (read++ === MAX_READ) return { found, more }
    if (excludegroup?.some((each) => groupsOf(user, call).includes(each)) === true) continue
    if (witheditsonly && changes.countOf(changes.actorOfUser(userId) ?? 0, 1) === 0) continue
    if (found.length === most) return { found, more }
    found.push(user)
  }
  return { found }
}

const isBehind = (name: string, end: string | undefined, descending: boolean): boolean =>
  end !== undefined && (descending ? compareUtf8(name, end) < 0 : compareUtf8(name, end) > 0)

/** Rows that are read in one turn of the event loop. */
const PART = 200

/** Members of groups are few. They come from the table of groups, the settings and the accounts here. */
async function members(
  groups: readonly string[],
  start: string | undefined,
  descending: boolean,
  { context }: QueryCall,
): Promise<KnownUser[]> {
  const { store } = context
  const { accounts, imported } = store
  const stated: KnownUser[] = []
  for (let from: number | undefined = 0; from !== undefined; await nextTurn()) {
    const part = imported.usersIn(groups, from, PART)
    stated.push(...part.userIds.flatMap((userId) => accounts.userOfId(userId) ?? []))
    from = part.next
  }
  const named = groups.includes('bot')
    ? store.site().bots.flatMap((name) => accounts.findUser(name) ?? [])
    : []
  const own: KnownUser[] = []
  for (let from: number | undefined = 0; from !== undefined; await nextTurn()) {
    const part = accounts.usersFrom(from, PART)
    for (const { id, name, groups: itsGroups } of part)
      if (itsGroups.some((group) => groups.includes(group))) own.push({ userId: id, name })
    from = part.length < PART ? undefined : part.at(-1)!.id + 1
  }
  const all = new Map([...stated, ...named, ...own].map((user) => [user.name, user]))
  const sign = descending ? -1 : 1
  return [...all.values()]
    .filter(({ name }) => start === undefined || sign * compareUtf8(name, start) >= 0)
    .sort((one, other) => sign * compareUtf8(one.name, other.name))
}
