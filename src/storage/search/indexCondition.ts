/** Whether the search index can be used. */
import { ENCODER_VERSION } from '../../index/encoder.js'
import { readMeta } from '../meta.js'
import type { Tables } from '../tables.js'

/**
 * - `ready`: it can be searched, and every edit writes it
 * - `rebuilding`: it is being made anew, or that was interrupted
 * - `outdated`: there is none, or another version of the program made it
 */
export type IndexCondition = 'ready' | 'rebuilding' | 'outdated'

export function indexCondition(tables: Tables): IndexCondition {
  const state = readMeta(tables, 'index')
  if (state?.encoder !== ENCODER_VERSION) return 'outdated'
  return state.rebuilding ? 'rebuilding' : 'ready'
}
