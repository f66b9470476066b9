/**
 * The state of the two indexes. Searches read the one in force and edits write to it, while a rebuild fills the other
 * one.
 *
 *     meta.index      set a in force ──► rebuild fills b ──► set b in force ──► tables of a are emptied
 *     an edit         writes a           writes a,           writes b
 *                                        queues for b
 */
import { ENCODER_VERSION } from '../../index/text/encoder.js'
import { type IndexState, readMeta, readTally, writeMeta } from '../tables/meta.js'
import { type IndexName, type IndexSet, type Tables, WHOLE_TABLE } from '../tables/tables.js'

/**
 * - `ready`: the index in force can be searched, and every edit updates it
 * - `rebuilding`: it cannot be used, and a rebuild has begun
 * - `outdated`: it cannot be used, since another version of the program made it
 */
export type IndexCondition = 'ready' | 'rebuilding' | 'outdated'

/** An index that is written over many transactions. */
export interface IndexTarget {
  readonly set: IndexName
  /** Undefined: the index in force. */
  readonly rebuild: string | undefined
}

/** A rebuild put another index into force, or another rebuild began. */
export class IndexReplacedError extends Error {
  override readonly name = 'IndexReplacedError'
}

/** The state of an index that was filled by this version of the program. */
export const completeState = (set: IndexName): IndexState => ({
  encoder: ENCODER_VERSION,
  set,
  categories: true,
  categoryTimes: true,
  links: true,
})

const NO_INDEX: IndexState = { encoder: 0, set: 'a' }

export const readIndexState = (tables: Tables): IndexState => ({ ...NO_INDEX, ...readMeta(tables, 'index') })

export const otherSet = (set: IndexName): IndexName => (set === 'a' ? 'b' : 'a')

export function conditionOf({ encoder, rebuild }: IndexState): IndexCondition {
  if (encoder === ENCODER_VERSION) return 'ready'
  return rebuild === undefined ? 'outdated' : 'rebuilding'
}

export const indexCondition = (tables: Tables): IndexCondition => conditionOf(readIndexState(tables))

export const indexInForce = (tables: Tables): IndexSet => tables.indexes[readIndexState(tables).set]

export const targetInForce = (tables: Tables): IndexTarget => ({
  set: readIndexState(tables).set,
  rebuild: undefined,
})

/** Tells a rebuild that a page was erased: what it still has to write may have its words. */
export function countErasure(tables: Tables): void {
  const state = readIndexState(tables)
  if (state.rebuild !== undefined)
    writeMeta(tables, 'index', { ...state, erasures: (state.erasures ?? 0) + 1 })
}

/** Checks within a transaction that a target may still be written. Throws an IndexReplacedError. */
export function requireTarget(tables: Tables, target: IndexTarget): void {
  const { set, rebuild } = readIndexState(tables)
  const isOurs = target.rebuild === undefined ? set === target.set : rebuild === target.rebuild
  if (!isOurs) throw new IndexReplacedError('another search index has taken the place of this one')
}

/** Adds to the pages whose links the ranking of titles does not know yet. Call it within a transaction. */
export function addUnranked(tables: Tables, target: IndexTarget, pages: number): void {
  if (target.rebuild !== undefined) return
  const { unranked = 0, ...state } = readIndexState(tables)
  writeMeta(tables, 'index', { ...state, unranked: unranked + pages })
}

/** Notes that titles were ranked with the links of all pages. Call it within a transaction. */
export function clearUnranked(tables: Tables, target: IndexTarget): void {
  if (target.rebuild !== undefined) return
  const { unranked: _ranked, ...state } = readIndexState(tables)
  writeMeta(tables, 'index', state)
}

/**
 * Queues a page for the bulk build, with the generation of the change. A build that read an older generation leaves the
 * page queued.
 */
export function queuePage(tables: Tables, { indexQueue }: IndexSet, pageId: number): void {
  const generation = Buffer.allocUnsafe(8)
  generation.writeDoubleBE(readTally(tables, 'generation') + 1, 0)
  indexQueue.putSync(pageId, generation)
}

/** Ids of queued pages after `afterId`, in order, at most `limit`. */
export function queuedPages({ indexQueue }: IndexSet, afterId: number, limit: number): number[] {
  return [...indexQueue.getKeys({ start: afterId + 1, limit })]
}

export function countQueued({ indexQueue }: IndexSet): number {
  return indexQueue.getKeysCount(WHOLE_TABLE)
}
