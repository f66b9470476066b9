/**
 * When a mirror was last equal to the wiki that it follows. It depends on the clock of this machine, so it is derived,
 * and no entry has it.
 */
import { type Figure, sharedGauge } from '../../metrics/figures.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, Tables } from '../tables/tables.js'

export interface MirrorState {
  /** Address of the followed wiki's action API. */
  readonly url: string
  /** When the last poll began that took over everything, in seconds since 1970; undefined: none has yet. */
  readonly equalAt: number | undefined
}

/** Says that the store has all that the wiki had at a time, in seconds since 1970. */
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
