/** Marks of revisions from imported SQL tables: edits of bots by `user_groups`, reverts by `change_tag`. */
import type { Editor } from '../../domain/revision.js'
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, readTableState, sqlRowKeyOf } from './sqlTables.js'

/** Tags of revisions that revert. Source: observed answers of `filter=reverted`. */
export const REVERT_TAGS: ReadonlySet<string> = new Set(['mw-undo', 'mw-rollback', 'mw-manual-revert'])

/** In `change_tag`: the row that has the greatest revision id of the file, under the name `until`. */
export const UNTIL_ROW = 0
export const UNTIL = 'until'

/** The tables as they are when the object is made. Rows that are not settled yet count too. */
export class StatedMarks {
  readonly #tables: Tables
  readonly #groupsSet: 0 | 1 | undefined
  readonly #tagsSet: 0 | 1 | undefined
  readonly #until: number

  constructor(tables: Tables) {
    this.#tables = tables
    this.#groupsSet = readTableState(tables, 'user_groups')?.set
    this.#tagsSet = readTableState(tables, 'change_tag')?.set
    this.#until = this.#tagsSet === undefined ? 0 : this.#readUntil(this.#tagsSet)
  }

  /** Whether an editor is in the group of bots. */
  isBot({ id }: Editor): boolean {
    if (id === null || this.#groupsSet === undefined) return false
    const row = this.#tables.sqlRow.getBinary(sqlRowKeyOf(this.#groupsSet, 'user_groups', id))
    return row !== undefined && decodeSqlRow(row).some(([group]) => group === 'bot')
  }

  /**
   * Whether a revision of the mirrored wiki is a revert. Undefined for revisions after the newest in the table, of
   * which it does not know.
   */
  isRevert(revisionId: number): boolean | undefined {
    return this.#tagsSet === undefined || revisionId > this.#until
      ? undefined
      : this.#hasRevertTag(this.#tagsSet, revisionId)
  }

  #hasRevertTag(set: 0 | 1, revisionId: number): boolean {
    const row = this.#tables.sqlRow.getBinary(sqlRowKeyOf(set, 'change_tag', revisionId))
    return row !== undefined && decodeSqlRow(row).some(([tag]) => REVERT_TAGS.has(tag))
  }

  #readUntil(set: 0 | 1): number {
    const row = this.#tables.sqlRow.getBinary(sqlRowKeyOf(set, 'change_tag', UNTIL_ROW))
    const values = row === undefined ? [] : decodeSqlRow(row)
    return Number(values.find(([name]) => name === UNTIL)?.[1] ?? 0)
  }
}
