/** Imports one file of SQL tables, and shows its progress. */
import { DumpError } from '../../dump/dumpError.js'
import type { DumpSource } from '../../dump/openDump.js'
import { NO_COUNTS } from '../../import/importer.js'
import { type TableCounts, TableImport } from '../../import/tables/importTables.js'
import { Applier } from '../../storage/apply/applier.js'
import type { Store } from '../../storage/store.js'
import type { ImportProgress } from './importProgress.js'
import { NoticeLog, type NoticeLogOptions } from './noticeLog.js'
import { formatCount } from './progress.js'
import type { ImportResult } from './summary.js'

export interface TableFileOptions extends NoticeLogOptions {
  readonly progress: ImportProgress
  /** Called often. May throw to stop the import: the tables then stay as they were. */
  readonly checkStop: () => void
  readonly isShared: boolean
}

export async function importTableFile(
  store: Store,
  source: DumpSource,
  { progress, checkStop, isShared, ...listeners }: TableFileOptions,
): Promise<ImportResult> {
  const start = performance.now()
  const { name } = source
  const notices = new NoticeLog(name, listeners)
  const reading = { textBytes: 0, counts: { ...NO_COUNTS, rows: 0 } }
  const showProgress = progress.reading(source, reading)
  const tables = new TableImport({
    store,
    applier: new Applier(store),
    source,
    isShared,
    tell: notices.add.bind(notices),
    onPiece: () => {
      reading.counts.rows = tables.counts.rows
      showProgress()
      checkStop()
    },
  })
  try {
    await tables.run()
    const seconds = (performance.now() - start) / 1000
    const counts = { ...NO_COUNTS, warnings: tables.counts.skippedRows }
    const kinds = notices.counts()
    return { name, counts, sql: tables.counts, kinds, seconds, xmlBytes: source.xmlBytes() }
  } catch (error) {
    throw explain(error, tables.counts)
  } finally {
    progress.ended(source, reading)
    notices.end()
  }
}

function explain(error: unknown, { rows, changedTables }: TableCounts): unknown {
  if (!(error instanceof DumpError)) return error
  const kept = changedTables > 0 ? 'they are in the store' : 'nothing changed'
  error.message = `${error.message}; ${formatCount(rows)} rows were read, ${kept}`
  return error
}
