/**
 * The state of the wiki that every search asks for. It is read again only when the generation has changed: a read of
 * each row takes a microsecond, and all that changes them raises the generation.
 */
import { readCounters, readTally } from '../tables/meta.js'
import type { IndexName, Tables } from '../tables/tables.js'
import { conditionOf, type IndexCondition, readIndexState } from './indexState.js'

export class SearchState {
  generation = Number.NaN
  /** The index in force. */
  set: IndexName = 'a'
  condition: IndexCondition = 'outdated'
  /** Most mirrors have no files. Their results need no reads for pictures. */
  hasFiles = false
  /** Write transactions so far, without those that only changed texts. */
  otherWrites = 0
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** The state in the snapshot that is read now. */
  now(): this {
    const generation = readTally(this.#tables, 'generation')
    if (generation !== this.generation) this.#read(generation)
    return this
  }

  #read(generation: number): void {
    const index = readIndexState(this.#tables)
    this.set = index.set
    this.condition = conditionOf(index)
    this.hasFiles = readCounters(this.#tables).fileChanges > 0
    this.otherWrites = generation - readTally(this.#tables, 'textEdits')
    this.generation = generation
  }
}
