/** Rights of groups, under MediaWiki's names. Holds only the rights that this server uses. */
import type { Group } from './account.js'

/** `*` is everybody, `user` every account. */
export type EveryGroup = '*' | 'user' | Group

const EVERYBODY = ['read'] as const
/** Rights that everybody has in addition where anonymous edits are allowed. */
const ANONYMOUS_EDITOR = ['edit', 'createpage', 'createtalk'] as const
const USER = ['edit', 'createpage', 'createtalk', 'minoredit'] as const
const BOT = ['bot', 'noratelimit', 'suppressredirect'] as const
const SYSOP = [
  'editprotected',
  'editinterface',
  'editusercss',
  'edituserjs',
  'edituserjson',
  'editcontentmodel',
  'deletedtext',
  'noratelimit',
  'rollback',
  'move',
  'suppressredirect',
  'delete',
  'undelete',
  'protect',
  'movefile',
  'upload',
  'reupload',
] as const

/** Rights that a setting gives to every account, or to the group sysop alone. */
export interface RightSettings {
  readonly moveGroup: 'user' | 'sysop'
  readonly uploadGroup: 'user' | 'sysop' | 'none'
}

export type Right = (typeof EVERYBODY | typeof USER | typeof BOT | typeof SYSOP)[number]

const RIGHTS: Readonly<Record<EveryGroup, readonly Right[]>> = {
  '*': EVERYBODY,
  user: USER,
  bot: BOT,
  sysop: SYSOP,
}

/** All groups with their rights. */
export const groupRights = (
  settings: RightSettings,
): (readonly [group: string, rights: readonly Right[]])[] =>
  Object.keys(RIGHTS).map((group) => [group, rightsOf(group as EveryGroup, settings)])

const UPLOAD = ['upload', 'reupload'] as const satisfies readonly Right[]

function rightsOf(group: EveryGroup, { moveGroup, uploadGroup }: RightSettings): readonly Right[] {
  if (group === 'sysop' && uploadGroup === 'none')
    return SYSOP.filter((right) => !(UPLOAD as readonly Right[]).includes(right))
  if (group !== 'user') return RIGHTS[group]
  return [
    ...USER,
    ...(moveGroup === 'user' ? (['move', 'movefile'] as const) : []),
    ...(uploadGroup === 'user' ? UPLOAD : []),
  ]
}

/** Rights of everybody who is not logged in. */
export function anonymousRights(anonymousEdits: boolean): ReadonlySet<Right> {
  return new Set<Right>([...EVERYBODY, ...(anonymousEdits ? ANONYMOUS_EDITOR : [])])
}

/** Rights of an account in some groups. */
export function accountRights(groups: readonly Group[], settings: RightSettings): ReadonlySet<Right> {
  return new Set((['*', 'user', ...groups] as const).flatMap((group) => rightsOf(group, settings)))
}
