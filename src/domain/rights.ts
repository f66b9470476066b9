/** Rights of groups, under MediaWiki's names. Holds only the rights that this server uses. */
import type { Group } from './account.js'

/** `*` is everybody, `user` every account. */
export type EveryGroup = '*' | 'user' | Group

const EVERYBODY = ['read'] as const
/** Rights that everybody has in addition where anonymous edits are allowed. */
const ANONYMOUS_EDITOR = ['edit', 'createpage', 'createtalk'] as const
const USER = ['edit', 'createpage', 'createtalk', 'minoredit'] as const
const BOT = ['bot', 'noratelimit'] as const
const SYSOP = [
  'editprotected',
  'editinterface',
  'editusercss',
  'edituserjs',
  'edituserjson',
  'editcontentmodel',
  'deletedtext',
  'rollback',
  'noratelimit',
] as const

export type Right = (typeof EVERYBODY | typeof USER | typeof BOT | typeof SYSOP)[number]

const RIGHTS: Readonly<Record<EveryGroup, readonly Right[]>> = {
  '*': EVERYBODY,
  user: USER,
  bot: BOT,
  sysop: SYSOP,
}

/** All groups with their rights. */
export const groupRights = (): (readonly [group: string, rights: readonly Right[]])[] =>
  Object.entries(RIGHTS)

/** Rights of everybody who is not logged in. */
export function anonymousRights(anonymousEdits: boolean): ReadonlySet<Right> {
  return new Set<Right>([...EVERYBODY, ...(anonymousEdits ? ANONYMOUS_EDITOR : [])])
}

/** Rights of an account in some groups. */
export function accountRights(groups: readonly Group[]): ReadonlySet<Right> {
  return new Set([...RIGHTS['*'], ...RIGHTS.user, ...groups.flatMap((group) => RIGHTS[group])])
}
