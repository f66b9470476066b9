/** `Store.imported`: links of pages from imported SQL tables. They are as of the import; later edits do not change them. */
import { type LanguageLink, languageLinksOf, type LinkRules } from '../../render/languageLinks.js'
import type { Tables } from '../tables.js'
import { decodeSqlRow, readSqlRow } from './sqlTables.js'

export class ImportedLinks {
  readonly #tables: Tables
  readonly #rules: () => LinkRules

  constructor(tables: Tables, rules: () => LinkRules) {
    this.#tables = tables
    this.#rules = rules
  }

  /** Language links from the table `langlinks`, by language code. Undefined if the table has none for the page. */
  languageLinks(pageId: number): LanguageLink[] | undefined {
    const row = readSqlRow(this.#tables, 'langlinks', pageId)
    return row && languageLinksOf(decodeSqlRow(row), this.#rules())
  }

  /**
   * Dbkeys of at most `limit` files from the table `imagelinks`, whether they exist or not. Undefined if the table has
   * none for the page.
   */
  files(pageId: number, limit: number): string[] | undefined {
    const row = readSqlRow(this.#tables, 'imagelinks', pageId)
    return (
      row &&
      decodeSqlRow(row)
        .slice(0, limit)
        .map(([name]) => name)
    )
  }
}
