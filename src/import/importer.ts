/** Turns the events of the dump reader into pages of the store, one transaction for each batch. */
import { MAIN } from '../domain/namespaceIds.js'
import { defaultContentModel } from '../domain/contentModel.js'
import { Namespaces } from '../domain/namespaces.js'
import { type IncomingPage, statedId } from '../domain/page.js'
import { heldBytes } from '../domain/revision.js'
import { DEFAULT_SITE, type Namespace, type Site } from '../domain/site.js'
import { prefixedText, type Title, titleFromDump, undeclaredNamespace } from '../domain/title.js'
import { wikimediaLicense } from '../domain/wikimediaSettings.js'
import type { LogEvent } from '../domain/logEvent.js'
import type {
  DumpEvent,
  DumpLogItem,
  DumpPage,
  DumpRevision,
  DumpSite,
  DumpUpload,
  DumpWarning,
} from '../dump/types.js'
import type { PageOutcome, Rival, Verdict } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import type { Notice } from './notices.js'
import { UploadImporter, type UploadTools } from './uploadImporter.js'
import { UserError } from '../runtime/userError.js'

/** A batch is written at this many revisions, however short they are. A part without revisions counts as one. */
const BATCH_REVISIONS = 5000
/** Entries of the wiki's log in one transaction. */
const BATCH_EVENTS = 5000
/**
 * Bytes of a page's history (text, comments and names) to hold in memory. A longer history is written in parts, so a
 * damaged dump may cut it off between two revisions.
 */
export const MAX_PART_BYTES = 4 * 2 ** 20
/** Content model of pages whose text is the number of a discussion that another database has. */
const FLOW_BOARD = 'flow-board'
const MAX_DBKEY_BYTES = 255

/**
 * Progress of an import. `pages` and `revisions` count the contents of the dump; the others count changes and faults.
 */
export interface ImportCounts {
  pages: number
  revisions: number
  newPages: number
  newRevisions: number
  changedRevisions: number
  renamedPages: number
  /** Pages left out as a whole, or from some revision on. */
  skippedPages: number
  /** Revisions left out of pages that are imported. */
  skippedRevisions: number
  /** Entries of the wiki's log left out. */
  skippedLogEvents: number
  /** Uploads left out as a whole, or without their contents. */
  skippedFiles: number
  /** Entries of the wiki's public log. */
  logEvents: number
  /** Of these, entries of batches with news. */
  newLogEvents: number
  /** New or changed files. */
  files: number
  /** All notices: about parts left out, and about differences from the dump. */
  warnings: number
}

export const NO_COUNTS: Readonly<ImportCounts> = {
  pages: 0,
  revisions: 0,
  newPages: 0,
  newRevisions: 0,
  changedRevisions: 0,
  renamedPages: 0,
  skippedPages: 0,
  skippedRevisions: 0,
  skippedFiles: 0,
  skippedLogEvents: 0,
  logEvents: 0,
  newLogEvents: 0,
  files: 0,
  warnings: 0,
}

/** Destination of the importer's pages. */
export interface DumpSink {
  /** The verdict is `adopted` or `site-refused`. */
  writeSite(site: Site): Verdict
  writePages(pages: readonly IncomingPage[]): readonly PageOutcome[]
  /** Returns the number of entries, or 0 if the store had all of them. */
  writeEvents(events: readonly LogEvent[]): number
  /** Line of the dump at which a written page begins, if known. */
  lineOf(pageId: number): number | undefined
}

export interface ImporterOptions {
  /** A batch is written when its texts, comments and names reach this many bytes. */
  readonly batchBytes: number
  readonly tell: (notice: Notice) => void
  /** Services that store files. Without them, uploads are ignored. */
  readonly files?: UploadTools
  /** Called after each batch of pages. */
  readonly onWritten?: () => void
}

/** The dump cannot be imported into this store; nothing of it was written. */
export class ImportRefused extends UserError {
  override readonly name = 'ImportRefused'
}

export class Importer {
  readonly counts: ImportCounts = { ...NO_COUNTS }
  /** Approximate bytes of the texts that the search index will add. */
  textBytes = 0
  readonly #store: Store
  readonly #sink: DumpSink
  readonly #options: ImporterOptions
  /** Namespaces as the dump names them, for its titles. */
  #namespaces: Namespaces
  #declared: readonly Namespace[]
  #schema = ''
  readonly #uploads: UploadImporter | undefined
  /** Line of the last page left out because of another page; its later parts are left out as well. */
  #rivalLine = 0
  readonly #events: LogEvent[] = []
  #batch: BatchPage[] = []
  #batchBytes = 0
  #batchRevisions = 0

  constructor(store: Store, sink: DumpSink, options: ImporterOptions) {
    const { files } = options
    this.#uploads = files && new UploadImporter(files, (notice) => this.#tell(notice))
    this.#store = store
    this.#sink = sink
    this.#options = options
    this.#declared = store.site().namespaces
    this.#namespaces = store.namespaces()
  }

  /**
   * Takes one event, and writes the batch when it is full. Throws ImportRefused for a dump of another wiki. Returns a
   * promise only if it has to wait.
   */
  take(event: DumpEvent): Promise<void> | undefined {
    switch (event.type) {
      case 'site':
        this.#takeSite(event.site)
        break
      case 'page':
        this.#takePage(event.page)
        break
      case 'contents':
        this.#uploads?.takeContents(event.bytes)
        break
      case 'upload':
        return this.#takeUpload(event.upload)
      case 'logItem':
        this.#takeItem(event.item)
        break
      case 'warning':
        this.#takeWarning(event)
        break
    }
    return undefined
  }

  #takeItem({ line: _line, title, ...item }: DumpLogItem): void {
    this.counts.logEvents++
    this.#events.push({ ...item, title: title === undefined ? undefined : this.#titleOfEvent(title) })
    if (this.#events.length >= Math.min(BATCH_EVENTS, 1 + this.#options.batchBytes)) this.flush()
  }

  /** Entries name pages of any namespace, and names that are no titles. */
  #titleOfEvent(text: string): Title {
    const parsed = titleFromDump(text, undefined, this.#namespaces)
    if (parsed.ok) return parsed.title
    const dbkey = text.trim().replaceAll(' ', '_')
    return {
      namespace: MAIN,
      dbkey: Buffer.from(dbkey)
        .toString('utf8', 0, MAX_DBKEY_BYTES)
        .replace(/\ufffd+$/, ''),
    }
  }

  /** Writes the events taken since the last write. */
  flush(): void {
    if (this.#events.length > 0) this.counts.newLogEvents += this.#sink.writeEvents(this.#events.splice(0))
    this.#uploads?.flush()
    this.counts.files = this.#uploads?.count ?? 0
    if (this.#batch.length === 0) return
    const outcomes = this.#sink.writePages(this.#batch)
    outcomes.forEach((outcome, n) => this.#count(outcome, this.#batch[n]!))
    this.#batch = []
    this.#batchBytes = 0
    this.#batchRevisions = 0
    this.#options.onWritten?.()
  }

  #takeWarning(warning: DumpWarning): void {
    if (warning.leftOut === 'page') this.counts.pages++
    if (warning.leftOut === 'revision') this.counts.revisions++
    if (warning.leftOut !== undefined && warning.leftOut !== 'revision') this.#uploads?.dropContents()
    this.#tell(warning)
  }

  #takeUpload(upload: DumpUpload): Promise<void> | undefined {
    const parsed = titleFromDump(upload.page, upload.namespace, this.#namespaces)
    return this.#uploads?.takeUpload(upload, parsed.ok ? parsed.title : undefined)
  }

  #takeSite(dumpSite: DumpSite): void {
    const { wikiId } = this.#store.site()
    requireSameWiki(wikiId, dumpSite)
    this.#schema = dumpSite.schema
    const site = siteOfDump(dumpSite)
    const verdict = this.#sink.writeSite(site)
    if (verdict.result === 'site-refused')
      throw new ImportRefused(`${verdict.reason}: give another --data-dir`)
    this.#declared = dumpSite.namespaces.length > 0 ? dumpSite.namespaces : this.#store.site().namespaces
    this.#namespaces = new Namespaces({ ...site, namespaces: this.#declared })
  }

  #takePage(page: DumpPage): void {
    if (page.part === 0) this.counts.pages++
    this.counts.revisions += page.revisions.length
    this.#declareNamespace(page)
    const title = this.#titleOf(page)
    if (title === undefined) return
    const { namespace, dbkey } = title
    if (page.last && page.revisions.at(-1)?.contentModel === FLOW_BOARD) {
      const reason = 'it is a Flow board: the dump has its number, and not its posts'
      this.#tellOfPage(page, { kind: 'flow-board', reason })
    }
    const revisions = page.revisions.map((revision) =>
      this.#completeRevision(page, revision, namespace, dbkey),
    )
    // The stated target belongs to the revision in the last part of the page.
    const redirectTarget = page.last ? page.redirectTarget : undefined
    const { id, title: fullTitle, line, last } = page
    const incoming = { id, namespace, dbkey, redirectTarget, revisions, fullTitle, line, last }
    const { redirects } = page
    this.#batch.push(
      redirects === undefined ? incoming : { ...incoming, redirects: this.#titlesOf(redirects) },
    )
    this.#batchBytes += redirectTarget?.length ?? 0
    for (const revision of revisions) this.#batchBytes += heldBytes(revision)
    this.#batchRevisions += Math.max(1, revisions.length)
    if (this.#batchBytes >= this.#options.batchBytes || this.#batchRevisions >= BATCH_REVISIONS) this.flush()
  }

  #titlesOf(names: readonly string[]): Title[] {
    return names.flatMap((name) => {
      const parsed = titleFromDump(name, undefined, this.#namespaces)
      return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : []
    })
  }

  /** The page's title; undefined when no row could hold it. Only the page's first part causes warnings. */
  #titleOf(page: DumpPage): Title | undefined {
    const parsed = titleFromDump(page.title, page.namespace, this.#namespaces)
    if (parsed.ok && parsed.title.namespace >= 0) {
      if (parsed.title.namespace === MAIN && (page.namespace ?? MAIN) !== MAIN) {
        const reason = `its namespace ${page.namespace} has another name, so it goes into the main namespace`
        if (page.part === 0) this.#tellOfPage(page, { kind: 'namespace-name', reason })
      }
      return parsed.title
    }
    const dbkey = page.title.replaceAll(' ', '_')
    const reason = parsed.ok ? 'its namespace cannot hold pages' : `its title is not valid (${parsed.error})`
    if (dbkey === '' || Buffer.byteLength(dbkey) > MAX_DBKEY_BYTES) {
      if (page.part === 0) this.#tellOfPage(page, { kind: 'page-title', leftOut: 'page', reason })
      return undefined
    }
    if (page.part === 0)
      this.#tellOfPage(page, {
        kind: 'title-invalid',
        reason: `it can be read by its revisions only: ${reason}`,
      })
    return { namespace: Math.max(MAIN, page.namespace ?? MAIN), dbkey }
  }

  /** Declares a namespace that the dump uses but does not list in its siteinfo. */
  #declareNamespace(page: DumpPage): void {
    if (page.namespace === undefined || this.#namespaces.byId(page.namespace) !== undefined) return
    const namespace = undeclaredNamespace(page.title, page.namespace, this.#namespaces)
    if (namespace === undefined) return
    this.#declared = [...this.#declared, namespace]
    const site = this.#store.site()
    this.#sink.writeSite({ ...site, namespaces: [...site.namespaces, namespace] })
    this.#namespaces = new Namespaces({ ...site, namespaces: this.#declared })
    const reason = `namespace ${namespace.id} is not declared: named "${namespace.name}" after this page`
    this.#tellOfPage(page, { kind: 'namespace', reason })
  }

  #completeRevision(page: DumpPage, revision: DumpRevision, namespace: number, dbkey: string): DumpRevision {
    if (revision.contentModel === '')
      return { ...revision, contentModel: defaultContentModel(namespace, dbkey) }
    if (/^[\x21-\x7e]{1,64}$/.test(revision.contentModel)) return revision
    this.#tell({
      kind: 'model-name',
      reason: 'its content model is not a valid name, so it counts as wikitext',
      line: revision.line,
      title: page.title,
      pageId: statedId(page.id),
      revisionId: statedId(revision.id),
    })
    return { ...revision, contentModel: 'wikitext' }
  }

  #count(outcome: PageOutcome, page: BatchPage): void {
    const { counts } = this
    if (outcome.newPage) counts.newPages++
    if (outcome.renamed) counts.renamedPages++
    counts.newRevisions += outcome.addedRevisions
    counts.changedRevisions += outcome.changedRevisions
    if (page.last && (outcome.addedRevisions > 0 || outcome.renamed)) {
      this.textBytes += page.revisions.at(-1)?.text?.length ?? 0
    }
    if (outcome.rival !== undefined) this.#leaveOut(page, outcome.rival)
    for (const { id, madeHere } of outcome.takenRevisions) {
      const holder = madeHere ? 'an edit made here' : 'a revision with another time or text'
      const kind = madeHere ? 'revision-made-here' : 'revision-taken'
      const reason = `the store has ${holder} under this id`
      this.#tellOfRevision(page, id, { kind, leftOut: 'revision', reason })
    }
    for (const id of outcome.foreignRevisions) {
      const reason = 'the store has it under another page, where it stays'
      this.#tellOfRevision(page, id, { kind: 'revision-elsewhere', reason })
    }
    for (const id of outcome.wrongSha1) {
      if (this.#isMaybeOfSlots(page.revisions.findLast((revision) => revision.id === id))) {
        const reason = 'its SHA-1 differs from the one in the dump, which may be that of several slots'
        this.#tellOfRevision(page, id, { kind: 'sha1-of-slots', reason })
      } else {
        const reason = 'its SHA-1 differs from the one in the dump; the text was imported'
        this.#tellOfRevision(page, id, { kind: 'wrong-sha1', reason })
      }
    }
  }

  /** Schema 0.10 has the text of the main slot alone, beside the SHA-1 over all slots. */
  #isMaybeOfSlots(revision: DumpRevision | undefined): boolean {
    const { text, statedSizeBytes } = revision ?? {}
    return this.#schema === '0.10' && text !== undefined && Buffer.byteLength(text) === statedSizeBytes
  }

  #leaveOut(page: BatchPage, rival: Rival): void {
    if (this.#rivalLine === page.line) return
    this.#rivalLine = page.line
    const shared = rival.shares === 'id' ? `its id ${page.id}` : 'its title'
    const held = `"${prefixedText(rival, this.#store.namespaces())}"`
    const place = {
      line: page.line,
      title: page.fullTitle,
      pageId: statedId(page.id),
      leftOut: 'page',
    } as const
    if (rival.madeHere) {
      const reason = `${shared} is that of ${held}, which was created here`
      return this.#tell({ kind: 'page-made-here', reason, ...place })
    }
    const line = this.#sink.lineOf(rival.id)
    const where = line === undefined ? '' : `, line ${line}`
    const kind = rival.shares === 'id' ? 'page-same-id' : 'page-same-title'
    this.#tell({
      kind,
      reason: `${shared} is that of page ${rival.id}, ${held}, earlier in this dump${where}`,
      ...place,
    })
  }

  #tellOfPage({ line, title, id }: DumpPage, notice: Pick<Notice, 'kind' | 'leftOut' | 'reason'>): void {
    this.#tell({ ...notice, line, title, pageId: statedId(id) })
  }

  #tellOfRevision(
    page: BatchPage,
    revisionId: number,
    notice: Pick<Notice, 'kind' | 'leftOut' | 'reason'>,
  ): void {
    // If two revisions share an id, the notice is about the later one.
    const line = page.revisions.findLast(({ id }) => id === revisionId)?.line
    this.#tell({ ...notice, line, title: page.fullTitle, pageId: statedId(page.id), revisionId })
  }

  #tell(notice: Notice): void {
    const { counts } = this
    counts.warnings++
    if (notice.leftOut === 'page' || notice.leftOut === 'rest') counts.skippedPages++
    else if (notice.leftOut === 'revision') counts.skippedRevisions++
    else if (notice.leftOut === 'log entry') counts.skippedLogEvents++
    else if (notice.leftOut !== undefined) counts.skippedFiles++
    this.#options.tell(notice)
  }
}

/** Throws ImportRefused for a dump of another wiki than the store's. Either may be unknown. */
export function requireSameWiki(wikiId: string, dump: Pick<DumpSite, 'wikiId'>): void {
  if (wikiId === '' || dump.wikiId === undefined || dump.wikiId === wikiId) return
  throw new ImportRefused(
    `the store holds the wiki "${wikiId}", but the dump is of "${dump.wikiId}": give another --data-dir`,
  )
}

/** A page in the batch, with its position in the dump. */
interface BatchPage extends IncomingPage {
  readonly fullTitle: string
  readonly line: number
  readonly last: boolean
  readonly revisions: readonly DumpRevision[]
}

function siteOfDump(dump: DumpSite): Site {
  return {
    ...DEFAULT_SITE,
    name: dump.name ?? DEFAULT_SITE.name,
    wikiId: dump.wikiId ?? '',
    language: dump.language ?? DEFAULT_SITE.language,
    base: dump.base ?? '',
    license: wikimediaLicense(dump.base ?? '', dump.wikiId ?? '') ?? DEFAULT_SITE.license,
    case: dump.case,
    namespaces: dump.namespaces.length > 0 ? dump.namespaces : DEFAULT_SITE.namespaces,
    ...(dump.isSnapshot && { isSnapshot: true as const }),
  }
}
