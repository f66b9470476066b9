/** Where a store stands in the wiki that it follows. */
import { createHash } from 'node:crypto'
import type { UpstreamPlace, UpstreamStates } from '../../domain/upstream.js'
import type { UpstreamEntry } from '../entries/entries.js'
import { readMeta } from '../tables/meta.js'
import type { Tables } from '../tables/tables.js'

export const readPlace = (tables: Tables): UpstreamPlace | undefined => readMeta(tables, 'upstream')

/** Identifies a place: SHA-256 in hex of its JSON; empty for none. */
export function placeHash(place: UpstreamPlace | undefined): string {
  return place === undefined ? '' : createHash('sha256').update(JSON.stringify(place)).digest('hex')
}

/**
 * An entry that takes a store from one place to another. The same batch gets the same id. `time` is the newest time
 * that upstream states, in seconds since 1970.
 */
export function makeUpstreamEntry(
  from: UpstreamPlace | undefined,
  to: UpstreamPlace,
  time: number,
  states: UpstreamStates,
): UpstreamEntry {
  const body = { kind: 'upstream', time, from: placeHash(from), to, ...states } as const
  const id = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)
  return { id, ...body }
}
