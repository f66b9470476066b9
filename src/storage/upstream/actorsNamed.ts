/** Finds the actors of a name. */
import { findUserId } from '../accounts/accounts.js'
import { actorKey } from '../accounts/actors.js'
import { decodeNumber } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

/** Ids of the actor without an account that has the name, of the account that it leads to, and of the stated one. */
export function actorsNamed(tables: Tables, name: string, userId?: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (const id of [null, findUserId(tables, name), userId]) {
    const row = id === undefined ? undefined : tables.actor.getBinaryFast(actorKey({ id, name }))
    if (row !== undefined) found.add(decodeNumber(row))
  }
  return found
}
