/** Figures of a store for its operator. */
import { FILE } from '../domain/namespaceIds.js'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { FORMAT_VERSION, readCounters, readMeta, readPosition } from './tables/meta.js'
import type { Store } from './store.js'

interface StoreStats {
  readonly wiki: string
  readonly wikiId: string
  readonly language: string
  readonly pages: number
  readonly revisions: number
  readonly redirects: number
  readonly editors: number
  /** Pages that describe files (namespace 6). */
  readonly filePages: number
  /** Files with known facts, wherever their contents are. */
  readonly files: number
  /** Categories with members, or null if an older version made the index. */
  readonly categories: number | null
  /** Whether the index has the times of members of categories. An older version made an index without them. */
  readonly categoryTimes: 'indexed' | null
  /** Whether the index has the links of pages. An older version made an index without them. */
  readonly links: 'indexed' | null
  /** Whether lists by time and by editor have all revisions. The first server fills those of an older version. */
  readonly changes: 'listed' | null
  /** Namespaces that the site declares. */
  readonly namespaces: number
  /** Entries in the log. */
  readonly logEntries: number
  readonly sizeBytes: number
  readonly formatVersion: number
  readonly storeId: string
  /** Name of the dump whose import has begun and not ended, or null. */
  readonly unfinishedImport: string | null
}

export function readStats(store: Store): StoreStats {
  const { tables } = store
  const { pages, revisions, redirects, actors, files } = readCounters(tables)
  const site = store.site()
  return {
    wiki: site.name,
    wikiId: site.wikiId,
    language: site.language,
    pages,
    revisions,
    redirects,
    editors: actors,
    filePages: tables.title.getKeysCount({ start: [FILE, ''], end: [FILE + 1, ''] }),
    files,
    categories: store.categories.isComplete() ? store.categories.count() : null,
    categoryTimes: store.categories.hasTimes() ? 'indexed' : null,
    links: store.pageLinks.isComplete() ? 'indexed' : null,
    changes: store.changes.isComplete() ? 'listed' : null,
    namespaces: site.namespaces.length,
    logEntries: readPosition(tables).sequence,
    sizeBytes: statSync(join(store.path, 'data.mdb')).size,
    formatVersion: FORMAT_VERSION,
    storeId: store.storeId,
    unfinishedImport: readMeta(tables, 'import')?.name ?? null,
  }
}
