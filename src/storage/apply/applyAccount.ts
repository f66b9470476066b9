/** Applies entries of accounts and tokens. */
import { encodeNumber } from '../rows/rows.js'
import { findUserId, getUser, type TokenRow, type UserRow } from '../accounts/accounts.js'
import type { TokenChange, UserChange } from '../entries/administration.js'
import type { Verdict } from '../entries/entries.js'
import { userOfPseudonym } from '../accounts/pseudonyms.js'
import { readBots, readMeta, writeMeta } from '../tables/meta.js'
import { type WriteContext } from './writeContext.js'
import { retagBots } from './retagBots.js'

export function applyUser(context: WriteContext, entry: UserChange & { readonly time: number }): Verdict {
  if (entry.action === 'create') return createUser(context, entry)
  const user = getUser(context.tables, entry.userId)
  if (user === undefined) return { result: 'missing' }
  const { id, ...before } = user
  const row: UserRow =
    entry.action === 'groups'
      ? { ...before, groups: entry.groups }
      : { ...before, passwordHash: entry.passwordHash }
  putUser(context, id, row, before)
  return { result: 'account', userId: id }
}

/** If imported revisions use the name with a user id, the account gets that id, unless another account has it. */
function createUser(
  context: WriteContext,
  entry: Extract<UserChange, { action: 'create' }> & { readonly time: number },
): Verdict {
  const { tables } = context
  const { name, passwordHash, groups, time } = entry
  const known = findUserId(tables, name)
  const owner = known === undefined ? undefined : getUser(tables, known)
  if (owner?.name === name) return { result: 'name-taken', userId: owner.id }
  const userId = idForAccount(context, name, owner === undefined ? known : undefined)
  tables.userName.putSync(name, encodeNumber(userId))
  putUser(context, userId, { name, passwordHash, groups, registered: time }, undefined)
  return { result: 'account', userId }
}

/** `known` is the id of an imported editor with the name. The pseudonym of an erased account has the id. */
function idForAccount({ counters }: WriteContext, name: string, known: number | undefined): number {
  const id = userOfPseudonym(name) ?? known ?? counters.nextUserId
  counters.nextUserId = Math.max(counters.nextUserId, id + 1)
  return id
}

function putUser(context: WriteContext, id: number, row: UserRow, before: UserRow | undefined): void {
  const { tables } = context
  tables.user.putSync(id, Buffer.from(JSON.stringify(row)))
  const isBot = row.groups.includes('bot')
  if (isBot === (before?.groups.includes('bot') ?? false)) return
  const others = (readMeta(tables, 'botAccounts') ?? []).filter((name) => name !== row.name)
  writeMeta(tables, 'botAccounts', isBot ? [...others, row.name].sort() : others)
  retagBots(context, readBots(tables))
}

export function applyToken(context: WriteContext, entry: TokenChange & { readonly time: number }): Verdict {
  const { tables, counters } = context
  if (entry.action === 'revoke') {
    return tables.token.removeSync(entry.tokenId) ? { result: 'done' } : { result: 'missing' }
  }
  if (!tables.user.doesExist(entry.userId)) return { result: 'missing' }
  const { userId, secretHash, scopes, expires, name, time } = entry
  const row: TokenRow = { userId, secretHash, scopes, expires, name, created: time }
  const tokenId = counters.nextTokenId++
  tables.token.putSync(tokenId, Buffer.from(JSON.stringify(row)))
  return { result: 'token', tokenId }
}
