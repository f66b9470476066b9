/** Tells if a store can be served at present. */
import { FORMAT_VERSION, readCounters, readFormat, readMeta } from './tables/meta.js'
import type { Tables } from './tables/tables.js'

export type ServingFault = 'first import is under way' | 'format has changed'

export function servingFault(tables: Tables): ServingFault | undefined {
  if (readFormat(tables) !== FORMAT_VERSION) return 'format has changed'
  const running = readMeta(tables, 'import') ?? undefined
  // Every page comes from the running import, so it is the first one.
  return running?.pages === readCounters(tables).pages ? 'first import is under way' : undefined
}
