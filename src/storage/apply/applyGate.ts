/** Raises the version of entries that all machines of a wiki understand. */
import type { GateEntry, Verdict } from '../entries/entries.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { WriteContext } from './writeContext.js'

/**
 * Newest version of entries that this program understands. A newer kind of entry, or another verdict on an old one,
 * takes a new version, and stays unused until a gate entry raises the version of the log to it.
 */
export const NEWEST_VERSION = 1

export function applyGate({ tables }: WriteContext, { version }: GateEntry): Verdict {
  const membership = readMeta(tables, 'membership')
  if (membership === undefined || version <= membership.version) return { result: 'done' }
  writeMeta(tables, 'membership', { ...membership, version })
  return { result: 'done' }
}
