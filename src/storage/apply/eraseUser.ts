/** Erases an account and the names of editors. Their revisions have lost the names by entries of their own. */
import type { EraseChange } from '../entries/administration.js'
import { actorKey, decodeActor, ERASED_ACTOR, erasedActorKey } from '../accounts/actors.js'
import { getUser, listTokens, readJsonBytes, type SessionRow } from '../accounts/accounts.js'
import type { Verdict } from '../entries/entries.js'
import { readBots, readMeta, writeMeta } from '../tables/meta.js'
import { decodeFileRow, encodeFileRow } from '../pages/files.js'
import type { SqlRowKey } from '../rows/keys.js'
import { decodeNumber, encodeNumber } from '../rows/rows.js'
import { type Table, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { eraseFromEvents } from './applyEvents.js'
import { rangeOf } from '../sqlTables/sqlTables.js'
import { TABLES_WITH_UPLOADERS, withoutUploaders } from '../sqlTables/imageFacts.js'
import type { Editor } from '../../domain/revision.js'
import type { WriteContext } from './writeContext.js'
import { retagBots } from './retagBots.js'

type ErasedUser = Extract<EraseChange, { readonly action: 'user' }>

export function eraseUser(context: WriteContext, { actorIds, userId }: ErasedUser): Verdict {
  const { tables } = context
  const names = namesOf(tables, { actorIds, userId })
  for (const actorId of actorIds) eraseActor(tables, actorId)
  if (userId !== null) eraseAccount(tables, userId, names)
  eraseFromEvents(context, names)
  eraseUploader(tables.file, { userId, names })
  eraseUploader(tables.deletedFile, { userId, names })
  for (const table of TABLES_WITH_UPLOADERS) eraseFromTable(tables, table, { userId, names })
  forgetBots(context, names)
  return names.length === 0 ? { result: 'missing' } : { result: 'erased', revisions: 0 }
}

/** All names that lead to a user, or that editors have. */
export function namesOf(
  tables: Tables,
  { actorIds, userId }: Pick<ErasedUser, 'actorIds' | 'userId'>,
): string[] {
  const names = new Set<string>()
  for (const actorId of actorIds) {
    const row = tables.actorName.getBinary(actorId)
    if (row !== undefined && row.length > 0) names.add(decodeActor(row).name)
  }
  if (userId !== null) {
    const account = getUser(tables, userId)
    if (account !== undefined) names.add(account.name)
    for (const { key, value } of tables.userName.getRange(WHOLE_TABLE))
      if (decodeNumber(value) === userId) names.add(key)
  }
  return [...names]
}

/** The actor keeps its number, which is not given again. */
function eraseActor({ actor, actorName }: Tables, actorId: number): void {
  const row = actorName.getBinary(actorId)
  if (row === undefined || row.length === 0) return
  actor.removeSync(actorKey(decodeActor(row)))
  actor.putSync(erasedActorKey(actorId), encodeNumber(actorId))
  actorName.putSync(actorId, ERASED_ACTOR)
}

function eraseAccount(tables: Tables, userId: number, names: readonly string[]): void {
  tables.user.removeSync(userId)
  for (const name of names) {
    const id = tables.userName.getBinaryFast(name)
    if (id !== undefined && decodeNumber(id) === userId) tables.userName.removeSync(name)
  }
  for (const token of listTokens(tables)) if (token.userId === userId) tables.token.removeSync(token.id)
  // An open range does not survive writes.
  for (const { key, value } of [...tables.session.getRange(WHOLE_TABLE)])
    if (readJsonBytes<SessionRow>(value)?.userId === userId) tables.session.removeSync(key)
}

interface Uploaders {
  readonly userId: number | null
  readonly names: readonly string[]
}

/** Files stay, without the name of their uploader. It reads all rows, a million in two seconds. */
function eraseUploader<Key>(table: Table<Key>, { userId, names }: Uploaders): void {
  const isNamed = (row: Buffer): boolean =>
    (userId !== null && row.includes(`"id":${userId},`)) ||
    names.some((name) => row.includes(JSON.stringify(name)))
  // An open range does not survive writes.
  const rows = [...table.getRange(WHOLE_TABLE)].filter(({ value }) => isNamed(value))
  for (const { key, value } of rows) {
    const { uploader, ...facts } = decodeFileRow(value)
    if (uploader === undefined) continue
    if (isOneOf({ userId, names }, uploader))
      table.putSync(key, encodeFileRow({ ...facts, uploader: undefined }))
  }
}

const isOneOf = ({ userId, names }: Uploaders, { id, name }: Editor): boolean =>
  id === null ? names.includes(name) : id === userId

/** The same for rows of an imported table, both those in force and those before or after them. */
function eraseFromTable(
  { sqlRow }: Tables,
  table: (typeof TABLES_WITH_UPLOADERS)[number],
  user: Uploaders,
): void {
  // In a shared repository accounts have other ids.
  const isErased = ({ id, name }: Editor): boolean =>
    isOneOf(user, { id: table === 'shared_image' ? null : id, name })
  for (const set of [0, 1] as const) {
    const changed: [SqlRowKey, Buffer][] = []
    for (const { key, value } of sqlRow.getRange(rangeOf(set, table))) {
      const rest = value.includes('uploader') ? withoutUploaders(table, value, isErased) : undefined
      if (rest !== undefined) changed.push([key, rest])
    }
    for (const [key, row] of changed) sqlRow.putSync(key, row)
  }
}

function forgetBots(context: WriteContext, names: readonly string[]): void {
  const { tables } = context
  const isKept = (name: string): boolean => !names.includes(name)
  const accounts = readMeta(tables, 'botAccounts')
  if (accounts?.every(isKept) === false) writeMeta(tables, 'botAccounts', accounts.filter(isKept))
  for (const row of ['siteSettings', 'dumpSite'] as const) {
    const site = readMeta(tables, row)
    if (site?.bots?.every(isKept) === false)
      writeMeta(tables, row, { ...site, bots: site.bots.filter(isKept) })
  }
  retagBots(context, readBots(tables))
}
