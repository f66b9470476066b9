/** Options of a dump import. */
import type { Display } from './display.js'
import type { ImportResult } from './summary.js'
import type { Site } from '../../domain/site.js'

export interface ImportOptions {
  readonly dataDir: string
  /** Files, or `-` for standard input, in the order to read them. */
  readonly paths: readonly string[]
  /** Refuses files that are no snapshots of rendered pages. */
  readonly onlyHtml?: boolean
  /** Displays progress and warnings; by default nothing does. */
  readonly display?: Display
  /** File for a report: one line of JSON for each item that was left out or changed. */
  readonly reportPath?: string | undefined
  /** Bytes of text, comments and names per transaction; the setting's default when absent. */
  readonly batchBytes?: number
  /** Larger files are left out; the setting's default when absent. */
  readonly maxFileBytes?: number
  /** The setting of this name; its default when absent. */
  readonly indexThreads?: number
  /** With so many pages to index, and no fewer than the index has, the index is made again: for tests. */
  readonly rebuildFrom?: number
  /** The SQL table `image` is that of a repository that many wikis share. */
  readonly isShared?: boolean
  /** Called with the result of each complete dump, also when a later dump fails. */
  readonly onResult?: (result: ImportResult) => void
  /** Called with lines about the result of indexing. */
  readonly onIndexed?: (lines: readonly string[]) => void
  /** Gets the wiki's settings after an import without a fault. */
  readonly onImported?: (site: Site) => void
  /** Ends the import between two pages, or while it waits for input. The import throws the signal's reason. */
  readonly signal?: AbortSignal
}
