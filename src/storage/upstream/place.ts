/** Where a store stands in the wiki that it follows, and when it was last equal to it. */
import { createHash } from 'node:crypto'
import type { UpstreamPlace, UpstreamStates } from '../../domain/upstream.js'
import type { UpstreamEntry } from '../entries/entries.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, Tables } from '../tables/tables.js'
import { type Figure, sharedGauge } from '../../metrics/figures.js'

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

export interface MirrorState {
  /** Address of the followed wiki's action API. */
  readonly url: string
  /** When the last poll began that took over everything, in seconds since 1970; undefined: none has yet. */
  readonly equalAt: number | undefined
}

/**
 * Says that the store has all that the wiki had at a time, in seconds since 1970. That depends on the clock of this
 * machine, so it is derived, and no entry has it.
 */
export function noteEqual(store: DerivedWriter, equalAt: number): void {
  store.transactDerived(() => writeMeta(store.tables, 'upstreamEqualAt', equalAt))
}

/** Undefined for a store that follows no wiki. */
export function mirrorState(tables: Tables): MirrorState | undefined {
  const place = readMeta(tables, 'upstream')
  return place && { url: place.url, equalAt: readMeta(tables, 'upstreamEqualAt') }
}

/** Without a value for a store that follows no wiki. */
export function mirrorFigure(tables: Tables): Figure {
  const state = mirrorState(tables)
  return sharedGauge(
    'palimpsest_mirror_equal_timestamp_seconds',
    'When a mirror was last equal to the wiki that it follows. 0 means never; a store that follows no wiki has no value.',
    state === undefined ? [] : (state.equalAt ?? 0),
  )
}
