/** Rows of the overlap that were looked at. A row that looks other than last time has changed. */
import type { ChangeRow } from '../api/answers.js'

export class RowMemory {
  readonly #rows = new Map<number, { readonly hash: string; readonly time: number }>()

  isKnown({ id, hash }: ChangeRow): boolean {
    return this.#rows.get(id)?.hash === hash
  }

  remember({ id, hash, time }: ChangeRow): void {
    this.#rows.set(id, { hash, time })
  }

  /** Forgets rows that are older than all later windows. */
  forgetBefore(time: number): void {
    for (const [id, row] of this.#rows) if (row.time < time) this.#rows.delete(id)
  }
}
