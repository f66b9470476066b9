/** Imports one snapshot of rendered pages, and shows its progress. */
import { SETTINGS } from '../../config/settings.js'
import { DumpError } from '../../dump/dumpError.js'
import type { DumpSource } from '../../dump/openDump.js'
import type { SnapshotForm } from '../../dump/snapshot/readSnapshot.js'
import { SnapshotImport } from '../../import/snapshots/snapshotImport.js'
import { Applier } from '../../storage/apply/applier.js'
import type { Store } from '../../storage/store.js'
import type { ImportProgress } from './importProgress.js'
import { NoticeLog, type NoticeLogOptions } from './noticeLog.js'
import { formatCount } from './progress.js'
import type { ImportResult } from './summary.js'

export interface SnapshotFileOptions extends NoticeLogOptions {
  readonly form: SnapshotForm
  readonly batchBytes: number | undefined
  readonly progress: ImportProgress
  /** Called often. May throw to stop the import: everything before stays. */
  readonly checkStop: () => void
  /** Called after each batch of pages. */
  readonly onWritten: () => void
}

export async function importSnapshot(
  store: Store,
  source: DumpSource,
  {
    form,
    batchBytes = SETTINGS.batchBytes.default,
    progress,
    checkStop,
    onWritten,
    ...listeners
  }: SnapshotFileOptions,
): Promise<ImportResult> {
  const start = performance.now()
  const { name } = source
  const notices = new NoticeLog(name, listeners)
  const onLine = (): void => {
    showProgress()
    checkStop()
  }
  const tell = notices.add.bind(notices)
  const nowMs = Date.now()
  const applier = new Applier(store)
  const reading = { store, applier, source, form, batchBytes, nowMs, tell, onLine, onWritten }
  const snapshot = new SnapshotImport(reading)
  const showProgress = progress.reading(source, snapshot)
  try {
    await snapshot.run()
    const seconds = (performance.now() - start) / 1000
    const { counts, htmlCounts: html } = snapshot
    return { name, counts, html, kinds: notices.counts(), seconds, xmlBytes: source.xmlBytes() }
  } catch (error) {
    throw explain(error, name, snapshot)
  } finally {
    progress.ended(source, snapshot)
    notices.end()
  }
}

/** Adds to an error how much of the file is in the store. A DumpError already names the file. */
function explain(error: unknown, name: string, { counts, htmlCounts }: SnapshotImport): unknown {
  if (!(error instanceof Error)) return error
  const html = formatCount(htmlCounts.kept + htmlCounts.known)
  const kept = `${formatCount(counts.pages)} pages were read, and HTML of ${html} is in the store`
  error.message = `${error instanceof DumpError ? '' : `${name}: `}${error.message}; ${kept}`
  return error
}
