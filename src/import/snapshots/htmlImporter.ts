/** Writes HTML of a snapshot to the store, in batches, after the pages that it belongs to. */
import { createHash } from 'node:crypto'
import { parseTitle, type Title, titleFromDump } from '../../domain/title.js'
import type { SnapshotRow } from '../../dump/snapshot/snapshotRow.js'
import { type HtmlVerdict, type IncomingHtml, packHtml } from '../../storage/html/importedHtml.js'
import type { Store } from '../../storage/store.js'

/** A batch is written at this many characters of HTML and wikitext, or rows. */
const BATCH_LENGTH = 4 * 2 ** 20
const BATCH_ROWS = 1000

/** HTML with the line that it came from. */
export interface HtmlRow {
  readonly row: SnapshotRow
  readonly line: number
  readonly member: string | undefined
}

export interface HtmlCounts {
  /** Pages whose HTML is new or replaced. */
  kept: number
  /** Pages that had the same HTML. */
  known: number
  /** Rows of other pages or revisions than the store has. */
  unused: number
  /** Lines, and HTML of lines, that were left out. */
  skipped: number
}

export interface HtmlImporterOptions {
  readonly store: Store
  /** Seconds since 1970. */
  readonly now: number
  /** Called with HTML that the store does not take. */
  readonly onUnused: (row: HtmlRow, verdict: HtmlVerdict) => void
}

export class HtmlImporter {
  readonly counts: HtmlCounts = { kept: 0, known: 0, unused: 0, skipped: 0 }
  readonly #options: HtmlImporterOptions
  #batch: { readonly incoming: IncomingHtml; readonly from: HtmlRow }[] = []
  #length = 0

  constructor(options: HtmlImporterOptions) {
    this.#options = options
  }

  /** True if the batch is to be written. */
  get isFull(): boolean {
    return this.#length >= BATCH_LENGTH || this.#batch.length >= BATCH_ROWS
  }

  /** Takes the HTML of a row, if it has some. */
  take(from: HtmlRow): void {
    const { row } = from
    if (row.html === undefined) return
    const title = this.#titleOf(row)
    if (title === undefined) return this.#refuse(from, 'no-page')
    const { pageId, revisionId, text } = row
    const sha1 = text === undefined ? undefined : createHash('sha1').update(text).digest()
    const templates = row.templates.flatMap((name) => this.#templateOf(name))
    const origin = { origin: 'snapshot', version: row.html.version, madeAt: this.#options.now } as const
    const html = packHtml(row.html.text)
    this.#batch.push({
      incoming: { pageId, revisionId, title, sha1, templates, ...origin, html },
      from: strip(from),
    })
    this.#length += row.html.text.length + (text?.length ?? 0)
  }

  /** Writes the batch in one transaction. Its pages must be written. */
  flush(): void {
    const batch = this.#batch
    this.#batch = []
    this.#length = 0
    if (batch.length === 0) return
    const verdicts = this.#options.store.html.import(batch.map(({ incoming }) => incoming))
    verdicts.forEach((verdict, n) => {
      if (verdict === 'kept' || verdict === 'known') this.counts[verdict]++
      else this.#refuse(batch[n]!.from, verdict)
    })
  }

  #refuse(from: HtmlRow, verdict: HtmlVerdict): void {
    this.counts.unused++
    this.#options.onUnused(from, verdict)
  }

  #titleOf({ title, namespace }: SnapshotRow): Title | undefined {
    const parsed = titleFromDump(title, namespace, this.#options.store.namespaces())
    return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : undefined
  }

  #templateOf(name: string): Title[] {
    const parsed = parseTitle(name, this.#options.store.namespaces())
    return parsed.ok && parsed.title.namespace >= 0 ? [parsed.title] : []
  }
}

/** Drops what is large from a row that waits. */
const strip = ({ row, line, member }: HtmlRow): HtmlRow => ({
  row: { ...row, html: undefined, redirects: [], templates: [], categories: [] },
  line,
  member,
})
