/** Facts of users for `list=users` and `list=allusers`. */
import { isGroup } from '../../../domain/account.js'
import { accountRights } from '../../../domain/rights.js'
import { USER } from '../../../domain/namespaceIds.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import type { KnownUser } from '../../../storage/accounts/accountReader.js'
import type { Fields } from '../frame/values.js'
import type { QueryCall } from './module.js'
import { changeLists } from './timePlaces.js'

const IMPLICIT = ['*', 'user', 'autoconfirmed'] as const
const GROUP_PROPERTIES = ['groups', 'groupmemberships', 'rights']

/** Edits to count: a thread walks over them. */
const MAX_COUNTED = 100_000

/** Names begin with a capital letter. */
export const canonicalName = (name: string): string =>
  name.replaceAll('_', ' ').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** Groups of a user: of the account here, of the imported table, and of the wiki that is followed. */
export function groupsOf({ userId, name }: KnownUser, { context }: QueryCall): string[] {
  const { store } = context
  const account = store.accounts.getUser(userId)
  const own = account?.name === name ? account.groups : []
  const isStatedBot = store.site().bots.includes(name)
  return [...new Set([...own, ...store.imported.groupsOf(userId), ...(isStatedBot ? ['bot'] : [])])].sort()
}

/** Fields of the properties that both lists have, for each user in turn. */
export async function userFacts(
  users: readonly KnownUser[],
  wants: (property: string) => boolean,
  call: QueryCall,
): Promise<Fields[]> {
  const counts = wants('editcount') ? await countsOf(users, call) : []
  return users.map((user, n) => {
    const groups = GROUP_PROPERTIES.some(wants) ? groupsOf(user, call) : []
    return {
      ...(wants('editcount') && { editcount: counts[n] }),
      ...(wants('registration') && { registration: registrationOf(user, call) }),
      ...(wants('groups') && { groups: [...IMPLICIT, ...groups] }),
      ...(wants('groupmemberships') && {
        groupmemberships: groups.map((group) => ({ group, expiry: 'infinity' })),
      }),
      ...(wants('implicitgroups') && { implicitgroups: IMPLICIT }),
      ...(wants('rights') && { rights: [...accountRights(groups.filter(isGroup), call.context.config)] }),
    }
  })
}

async function countsOf(users: readonly KnownUser[], call: QueryCall): Promise<readonly number[]> {
  const { store, pool } = call.context
  changeLists(call)
  const actorIds = users.map(({ userId }) => store.changes.actorOfUser(userId) ?? 0)
  return pool.run('countRevisions', { actorIds, cap: MAX_COUNTED })
}

/** Of an account here, or from the log; null as in MediaWiki if it is not known. */
function registrationOf({ userId, name }: KnownUser, { context }: QueryCall): string | null {
  const { store } = context
  const account = store.accounts.getUser(userId)
  if (account?.name === name) return formatTimestamp(account.registered)
  const title = { namespace: USER, dbkey: name.replaceAll(' ', '_') }
  const [event] = store.logEvents.list({ title, type: 'newusers' }, { ascending: true })
  return event === undefined ? null : formatTimestamp(event.timestamp)
}
