/** The table `change_tag`: tags of revisions. */
import { DumpError } from '../../dump/dumpError.js'
import { UNTIL, UNTIL_ROW } from '../../storage/sqlTables/statedMarks.js'
import type { Store } from '../../storage/store.js'
import type { RowSieve } from './rowSieve.js'
import type { RowMeaning, TableKind } from './tableKind.js'
import { isId, isShort, MAX_TITLE_BYTES } from './values.js'

export const changeTagKind: TableKind = {
  columns: [
    { name: 'ct_rev_id', kind: 'number' },
    { name: 'ct_tag_id', kind: 'number', isOptional: true },
    // MediaWiki before 1.33.
    { name: 'ct_tag', kind: 'name', isOptional: true },
  ],
  needsOneOf: ['ct_tag_id', 'ct_tag'],
  usual: ['ct_id', 'ct_rc_id', 'ct_log_id', 'ct_rev_id', 'ct_params', 'ct_tag_id'],
  // The name of a tag, or its number.
  read: ([id, tagId, tag]) => {
    if (!isId(id)) return undefined
    const name = isShort(tag, MAX_TITLE_BYTES) ? tag : String(tagId)
    return { id, values: [[name, '']] }
  },
}

/** A tag whose name is not known. */
const NUMBER = /^\d+$/

/** Gives tags their names, and remembers the newest revision that has one. */
export class TagSieve implements RowSieve {
  readonly #names: ReadonlyMap<string, string>
  #newest = 0

  /** Throws a DumpError if the table has numbers of tags, and their names are not known. */
  constructor(store: Store, present: readonly string[]) {
    const names = store.imported.changeTags()
    this.#names = names ?? new Map()
    if (!present.includes('ct_tag') && names === undefined)
      throw new DumpError('has numbers of tags: import the table change_tag_def first')
  }

  take({ id, values }: RowMeaning): RowMeaning | undefined {
    this.#newest = Math.max(this.#newest, Number(id))
    const tag = values[0]![0]
    const name = this.#names.get(tag) ?? tag
    return NUMBER.test(name) ? undefined : { id, values: [[name, '']] }
  }

  end(): RowMeaning {
    return { id: UNTIL_ROW, values: [[UNTIL, String(this.#newest)]] }
  }

  close(): void {
    this.#newest = 0
  }
}
