/** `Store.imported`: imported SQL tables. Their links of pages are as of the import; later edits do not change them. */
import {
  type LanguageLink,
  languageLinksJson,
  languageLinksOf,
  type LinkRules,
} from '../../wikitext/languageLinks.js'
import { FILE } from '../../domain/namespaceIds.js'
import { areLanguagesListed, type LanguageRange, type LanguageUse, languageUses } from './languagePages.js'
import { namesInRow } from './linkNames.js'
import type { SqlTable } from '../rows/sqlTableNames.js'
import type { TableHolder } from '../tables/tables.js'
import { type OldVersion, oldVersions } from './imageFacts.js'
import { decodeSqlRow, rangeOf, readSqlRow, readTableState } from './sqlTables.js'

/** The parts of the store that this class needs. */
interface StoreOfLinks extends TableHolder {
  readonly links: { rules(): LinkRules }
}

export class ImportedLinks {
  readonly #store: StoreOfLinks

  constructor(store: StoreOfLinks) {
    this.#store = store
  }

  /** Whether a table was imported. */
  has(table: SqlTable): boolean {
    return readTableState(this.#store.tables, table) !== undefined
  }

  /** False while pages of an older store are being listed by their language links. */
  areLanguagesListed(): boolean {
    return areLanguagesListed(this.#store.tables)
  }

  /** Pages by their language links in the table `langlinks`, as far as the caller iterates. */
  pagesByLanguage(range: LanguageRange): Generator<LanguageUse, void> {
    return languageUses(this.#store.tables, range)
  }

  /** Whether the table `langlinks` has links of a page. */
  hasLanguageLinks(pageId: number): boolean {
    return readSqlRow(this.#store.tables, 'langlinks', pageId) !== undefined
  }

  /**
   * Language links from the table `langlinks`, as the JSON that clients get. Undefined if the table has none for the
   * page.
   */
  languageLinksJson(pageId: number): Buffer | undefined {
    const row = readSqlRow(this.#store.tables, 'langlinks', pageId)
    return row && Buffer.from(languageLinksJson(this.languageLinksIn(row)))
  }

  /** The row behind these links, undecoded: a copy. */
  languageRow(pageId: number): Buffer | undefined {
    const row = readSqlRow(this.#store.tables, 'langlinks', pageId)
    return row && Buffer.from(row.subarray(0, row.length))
  }

  /** The links in a row of `languageRow`, under the present settings. */
  languageLinksIn(row: Buffer): LanguageLink[] {
    return languageLinksOf(decodeSqlRow(row), this.#store.links.rules())
  }

  /**
   * Dbkeys of at most `limit` files from the table `imagelinks`, whether they exist or not. Undefined if the table has
   * none for the page, or has numbers without the table `linktarget`.
   */
  files(pageId: number, limit: number): string[] | undefined {
    const { tables } = this.#store
    const row = readSqlRow(tables, 'imagelinks', pageId)
    return row && namesInRow(tables, Buffer.from(row), FILE, limit)
  }

  /** Earlier uploads of a file, newest first; none if the table `oldimage` was not imported. */
  oldVersions(dbkey: string): OldVersion[] {
    return oldVersions(this.#store.tables, dbkey)
  }

  /** Tags of a revision from the table `change_tag`. */
  tagsOf(revisionId: number): string[] {
    const row = readSqlRow(this.#store.tables, 'change_tag', revisionId)
    return row === undefined ? [] : decodeSqlRow(row).map(([name]) => name)
  }

  /** Groups of a user from the table `user_groups`. */
  groupsOf(userId: number): string[] {
    const row = readSqlRow(this.#store.tables, 'user_groups', userId)
    return row === undefined ? [] : decodeSqlRow(row).map(([group]) => group)
  }

  /**
   * Users in one of some groups, among the next `limit` of the same table from an id on: see WIKI_GROUPS. `next` is
   * where to go on; undefined at the end.
   */
  usersIn(
    groups: readonly string[],
    from: number,
    limit: number,
  ): { readonly userIds: readonly number[]; readonly next: number | undefined } {
    const { tables } = this.#store
    const state = readTableState(tables, 'user_groups')
    if (state === undefined) return { userIds: [], next: undefined }
    const rows = [...tables.sqlRow.getRange({ ...rangeOf(state.set, 'user_groups', from), limit })]
    const userIds = rows.flatMap(({ key, value }) =>
      decodeSqlRow(value).some(([group]) => groups.includes(group)) ? [Number(key[2])] : [],
    )
    return { userIds, next: rows.length < limit ? undefined : Number(rows.at(-1)!.key[2]) + 1 }
  }

  /** Names of tags by their numbers from the table `change_tag_def`; undefined if it was not imported. */
  changeTags(): ReadonlyMap<string, string> | undefined {
    const { tables } = this.#store
    const state = readTableState(tables, 'change_tag_def')
    if (state === undefined) return undefined
    const rows = tables.sqlRow.getRange(rangeOf(state.set, 'change_tag_def'))
    return new Map([...rows].map(({ key, value }) => [String(key[2]), decodeSqlRow(value)[0]![0]]))
  }
}
