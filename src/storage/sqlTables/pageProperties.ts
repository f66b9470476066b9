/** Properties of pages from the imported table `page_props`. */
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, readSqlRow } from './sqlTables.js'

export interface PageProperties {
  /** Short description, also one that a template declares. */
  readonly description: string | undefined
  /** Dbkey of the file that stands for the page in lists. The file may be missing. */
  readonly picture: string | undefined
}

export const NO_PROPERTIES: PageProperties = { description: undefined, picture: undefined }

export function readProperties(tables: Tables, pageId: number): PageProperties {
  const row = readSqlRow(tables, 'page_props', pageId)
  if (row === undefined) return NO_PROPERTIES
  const values = new Map(decodeSqlRow(row))
  return {
    description: values.get('wikibase-shortdesc'),
    // Wikis that keep unfree pictures name a free one too.
    picture: values.get('page_image_free') ?? values.get('page_image'),
  }
}
