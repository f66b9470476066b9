/**
 * Imports a snapshot of rendered pages.
 *
 *     a store that is empty, or made from snapshots  →  pages with sources, redirects and HTML
 *     any other store, or one that follows a wiki    →  HTML of revisions that are the latest here
 */
import { toSeconds } from '../../domain/timestamp.js'
import type { DumpSource } from '../../dump/openDump.js'
import { readSnapshot, type SnapshotEvent, type SnapshotForm } from '../../dump/snapshot/readSnapshot.js'
import { pageOfRow } from '../../dump/snapshot/snapshotPages.js'
import type { Applier } from '../../storage/apply/applier.js'
import type { HtmlVerdict } from '../../storage/html/importedHtml.js'
import type { Store } from '../../storage/store.js'
import { DumpWriter } from '../dumpWriter.js'
import { type ImportCounts, Importer, NO_COUNTS, requireSameWiki } from '../importer.js'
import type { Notice } from '../notices.js'
import { type HtmlCounts, HtmlImporter, type HtmlRow } from './htmlImporter.js'

export interface SnapshotImportOptions {
  readonly store: Store
  readonly applier: Applier
  readonly source: DumpSource
  readonly form: SnapshotForm
  readonly batchBytes: number
  readonly nowMs: number
  readonly tell: (notice: Notice) => void
  /** Called after each line. May throw to stop the import: everything before stays. */
  readonly onLine: () => void
  /** Called after each batch of pages. */
  readonly onWritten?: () => void
}

export class SnapshotImport {
  readonly #options: SnapshotImportOptions
  readonly #html: HtmlImporter
  /** Undefined if only HTML goes into the store, which leaves no entry in the log. */
  readonly #pages: Importer | undefined
  readonly #writer: DumpWriter | undefined
  #rows = 0
  #warnings = 0

  constructor(options: SnapshotImportOptions) {
    const { store, applier, source, batchBytes, nowMs, tell, onWritten } = options
    this.#options = options
    const isMadeOfSnapshots = store.counters().pages === 0 || store.site().isSnapshot === true
    if (isMadeOfSnapshots && store.mirror.place() === undefined) {
      this.#writer = new DumpWriter(store, applier, source.name)
      this.#pages = new Importer(store, this.#writer, { batchBytes, tell, ...(onWritten && { onWritten }) })
    }
    const onUnused = (row: HtmlRow, verdict: HtmlVerdict): void => this.#tellUnused(row, verdict)
    this.#html = new HtmlImporter({ store, now: toSeconds(nowMs), onUnused })
  }

  /** What was read so far. */
  get counts(): ImportCounts {
    const counts = this.#pages?.counts ?? { ...NO_COUNTS, pages: this.#rows, revisions: this.#rows }
    return { ...counts, warnings: counts.warnings + this.#warnings }
  }

  get htmlCounts(): HtmlCounts {
    return this.#html.counts
  }

  /** Approximate bytes of the texts that the search index will add. */
  get textBytes(): number {
    return this.#pages?.textBytes ?? 0
  }

  /** Reads the file. Throws a DumpError or ImportRefused; then everything read before is in the store. */
  async run(): Promise<void> {
    const { source, form, onLine } = this.#options
    try {
      for await (const event of readSnapshot(source, form)) {
        this.#take(event)
        onLine()
      }
    } finally {
      this.#flush()
    }
    this.#writer?.end(source.sha256())
  }

  #take(event: SnapshotEvent): void {
    switch (event.type) {
      case 'site':
        requireSameWiki(this.#options.store.site().wikiId, event.site)
        void this.#pages?.take(event)
        break
      case 'fault':
        this.#leaveOut(event, {
          kind: 'snapshot-line',
          leftOut: 'line',
          reason: event.reason,
          title: event.title,
        })
        break
      case 'row':
        this.#takeRow(event)
    }
  }

  #takeRow(from: HtmlRow): void {
    const { row, line } = from
    this.#rows++
    const page = this.#pages && pageOfRow(row, line)
    if (page !== undefined) void this.#pages?.take({ type: 'page', page })
    if (row.htmlFault !== undefined)
      this.#leaveOut(from, { kind: 'snapshot-html', leftOut: 'html', reason: row.htmlFault, ...about(from) })
    else if (row.html === undefined) this.#takeWithoutHtml(from)
    this.#html.take(from)
    if (this.#html.isFull) this.#flush()
  }

  /** A row without HTML is no fault if it made a page, and without use in a store of other dumps. */
  #takeWithoutHtml(from: HtmlRow): void {
    const { text, isTextHidden } = from.row
    if (text !== undefined || isTextHidden) {
      if (this.#pages === undefined) this.#html.counts.unused++
      return
    }
    const reason = 'it has neither wikitext nor HTML'
    this.#leaveOut(from, { kind: 'snapshot-source', leftOut: 'page', reason, ...about(from) })
  }

  #flush(): void {
    this.#pages?.flush()
    this.#html.flush()
  }

  /** In a store of other dumps, rows of other revisions are no fault. A row without wikitext cannot make a page. */
  #tellUnused(from: HtmlRow, verdict: HtmlVerdict): void {
    if (this.#pages === undefined || from.row.text !== undefined || from.row.isTextHidden) return
    const has = verdict === 'other-revision' ? 'has another revision of it' : 'does not have it'
    const reason = `it has no wikitext, and the store ${has}`
    this.#leaveOut(from, { kind: 'snapshot-source', leftOut: 'page', reason, ...about(from) })
  }

  #leaveOut({ line, member }: { line: number; member: string | undefined }, notice: Notice): void {
    this.#warnings++
    this.#html.counts.skipped++
    this.#options.tell({ ...notice, line, ...(member !== undefined && { member }) })
  }
}

const about = ({ row }: HtmlRow): Pick<Notice, 'title' | 'pageId' | 'revisionId'> => ({
  title: row.title,
  pageId: row.pageId,
  revisionId: row.revisionId,
})
