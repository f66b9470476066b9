/**
 * The generation of the store that a search reads. What a search read is kept in memory with its generation, and is
 * right until a later change concerns it.
 */
import type { SearchChange } from '../../rows/searchChange.js'

/** The changes of a store. */
export interface ChangeHistory {
  /** The generation of the snapshot that is read now. Every transaction that searches can see raises it. */
  generation(): number
  /** The change that led to a generation; undefined if anything may have changed. */
  at(generation: number): SearchChange | undefined
}

/** Changes to look at. To read the row of an older one again takes as long. */
const MAX_CHANGES = 16

export class Moment {
  generation = Number.NaN
  readonly #history: ChangeHistory

  constructor(history: ChangeHistory) {
    this.#history = history
  }

  /** Call it at the start of each search, since the snapshot may be another one. */
  renew(): void {
    this.generation = this.#history.generation()
  }

  /** The changes after a generation; undefined if anything may have changed. */
  changesSince(generation: number): readonly SearchChange[] | undefined {
    if (generation > this.generation || generation < this.generation - MAX_CHANGES) return undefined
    const changes: SearchChange[] = []
    for (let next = generation + 1; next <= this.generation; next++) {
      const change = this.#history.at(next)
      if (change === undefined) return undefined
      changes.push(change)
    }
    return changes
  }
}
