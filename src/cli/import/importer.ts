/** Turns what the dump reader yields into pages of the store, a batch to a transaction. */
import { defaultContentModel } from '../../domain/contentModel.js'
import { Namespaces } from '../../domain/namespaces.js'
import type { IncomingPage } from '../../domain/page.js'
import { heldBytes, type IncomingRevision } from '../../domain/revision.js'
import { DEFAULT_SITE, type Namespace, type Site } from '../../domain/site.js'
import { prefixedText, type Title, titleFromDump, undeclaredNamespace } from '../../domain/title.js'
import type { DumpEvent, DumpPage, DumpSite, DumpUpload, DumpWarning } from '../../dump/types.js'
import { SiteRefused } from '../../storage/apply/adoptSite.js'
import type { Applier } from '../../storage/apply/applier.js'
import type { PageOutcome, Rival } from '../../storage/apply/applyPage.js'
import type { Store } from '../../storage/store.js'
import { UploadImporter, type UploadTools } from './uploadImporter.js'

/** A batch is written when it holds this many revisions, or pages without any, however short they are. */
const BATCH_REVISIONS = 5000
const MAIN = 0
const MAX_DBKEY_BYTES = 255

/** What an import did so far. `pages` and `revisions` count what the dump holds, the others what that changed. */
export interface ImportCounts {
  pages: number
  revisions: number
  newPages: number
  newRevisions: number
  changedRevisions: number
  renamedPages: number
  skippedPages: number
  /** Revisions with values that no row can hold, or whose ids the store has for others. */
  skippedRevisions: number
  /** Files that are new or have changed. */
  files: number
  warnings: number
}

export interface ImporterOptions {
  readonly dumpName: string
  /** A batch is written when its texts, comments and names reach this many bytes. */
  readonly batchBytes: number
  readonly warn: (message: string) => void
  /** What takes files in. */
  readonly files: Pick<UploadTools, 'originals' | 'processes' | 'maxFileBytes'>
}

/** The dump cannot go into this store; nothing of it was written. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

export class Importer {
  readonly counts: ImportCounts = {
    pages: 0,
    revisions: 0,
    newPages: 0,
    newRevisions: 0,
    changedRevisions: 0,
    renamedPages: 0,
    skippedPages: 0,
    skippedRevisions: 0,
    files: 0,
    warnings: 0,
  }
  readonly #store: Store
  readonly #applier: Applier
  readonly #options: ImporterOptions
  /** Namespaces as the dump names them: its titles are read by these. */
  #namespaces: Namespaces
  #declared: readonly Namespace[]
  readonly #uploads: UploadImporter
  readonly #reported = new Set<string>()
  /** Pages left out for one that was made here: their further parts are as well. */
  readonly #rivalled = new Set<number>()
  #batch: IncomingPage[] = []
  #batchBytes = 0
  #batchRevisions = 0

  constructor(store: Store, applier: Applier, options: ImporterOptions) {
    this.#uploads = new UploadImporter({ ...options.files, store, applier }, (message) =>
      this.#report(message),
    )
    this.#store = store
    this.#applier = applier
    this.#options = options
    this.#declared = store.site().namespaces
    this.#namespaces = store.namespaces()
  }

  /**
   * Takes one event; writes the batch when it is full. Throws ImportRefused for a dump of another wiki. Gives back a
   * promise only where it has to wait.
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
        this.#uploads.takeContents(event.bytes)
        break
      case 'upload':
        return this.#takeUpload(event.upload)
      case 'uploadLeftOut':
        this.#uploads.dropContents()
        break
      case 'warning':
        this.#takeWarning(event)
        break
    }
    return undefined
  }

  /** Writes what has been taken and not yet written. */
  flush(): void {
    this.#uploads.flush()
    this.counts.files = this.#uploads.count
    if (this.#batch.length === 0) return
    const outcomes = this.#applier.importPages(this.#options.dumpName, this.#batch)
    outcomes.forEach((outcome, n) => this.#count(outcome, this.#batch[n]!))
    this.#batch = []
    this.#batchBytes = 0
    this.#batchRevisions = 0
  }

  #takeWarning({ message, line, title, leftOut }: DumpWarning): void {
    if (leftOut === 'page') {
      this.counts.pages++
      this.counts.skippedPages++
    } else if (leftOut === 'revision') {
      this.counts.revisions++
      this.counts.skippedRevisions++
    }
    this.#report(`line ${line}${title === undefined ? '' : `, page "${title}"`}: ${message}`)
  }

  #takeUpload(upload: DumpUpload): Promise<void> {
    const parsed = titleFromDump(upload.page, upload.namespace, this.#namespaces)
    return this.#uploads.takeUpload(upload, parsed.ok ? parsed.title : undefined)
  }

  #takeSite(dumpSite: DumpSite): void {
    const { wikiId } = this.#store.site()
    if (wikiId !== '' && dumpSite.wikiId !== undefined && dumpSite.wikiId !== wikiId) {
      throw new ImportRefused(
        `the store holds the wiki "${wikiId}", but the dump is of "${dumpSite.wikiId}": give another --data-dir`,
      )
    }
    const site = siteOfDump(dumpSite)
    try {
      this.#applier.adoptSite(site)
    } catch (error) {
      if (!(error instanceof SiteRefused)) throw error
      throw new ImportRefused(`${error.message}: give another --data-dir`)
    }
    this.#declared = dumpSite.namespaces.length > 0 ? dumpSite.namespaces : this.#store.site().namespaces
    this.#namespaces = new Namespaces({ namespaces: this.#declared, case: dumpSite.case })
  }

  #takePage(page: DumpPage): void {
    if (page.part === 0) this.counts.pages++
    this.counts.revisions += page.revisions.length
    this.#declareNamespace(page)
    const title = this.#titleOf(page)
    if (title === undefined) return
    const { namespace, dbkey } = title
    const revisions = page.revisions.map((revision) =>
      this.#completeRevision(page, revision, namespace, dbkey),
    )
    // Only the part that ends the page has the revision that the stated target belongs to.
    const redirectTarget = page.last ? page.redirectTarget : undefined
    this.#batch.push({ id: page.id, namespace, dbkey, redirectTarget, revisions })
    this.#batchBytes += redirectTarget?.length ?? 0
    for (const revision of revisions) this.#batchBytes += heldBytes(revision)
    this.#batchRevisions += Math.max(1, revisions.length)
    if (this.#batchBytes >= this.#options.batchBytes || this.#batchRevisions >= BATCH_REVISIONS) this.flush()
  }

  /** The page's title; undefined when no row could hold it. Warnings are given with the page's first part. */
  #titleOf(page: DumpPage): Title | undefined {
    const parsed = titleFromDump(page.title, page.namespace, this.#namespaces)
    if (parsed.ok && parsed.title.namespace >= 0) {
      if (parsed.title.namespace === MAIN && (page.namespace ?? MAIN) !== MAIN) {
        const pages = `pages titled "${prefixOf(page.title)}…" in namespace ${page.namespace}`
        this.#reportOnce(`${pages}, which has another name, are kept in the main namespace`)
      }
      return parsed.title
    }
    const dbkey = page.title.replaceAll(' ', '_')
    const reason = parsed.ok ? 'its namespace holds no pages' : `its title is not valid (${parsed.error})`
    if (dbkey === '' || Buffer.byteLength(dbkey) > MAX_DBKEY_BYTES) {
      if (page.part === 0) this.#skip(page, reason)
      return undefined
    }
    if (page.part === 0)
      this.#report(`line ${page.line}: page "${page.title}" can be read by its revisions only: ${reason}`)
    return { namespace: Math.max(MAIN, page.namespace ?? MAIN), dbkey }
  }

  /** Declares a namespace that the dump uses without naming it in its siteinfo. */
  #declareNamespace(page: DumpPage): void {
    if (page.namespace === undefined || this.#namespaces.byId(page.namespace) !== undefined) return
    const namespace = undeclaredNamespace(page.title, page.namespace, this.#namespaces)
    if (namespace === undefined) return
    this.#declared = [...this.#declared, namespace]
    const site = this.#store.site()
    this.#applier.adoptSite({ ...site, namespaces: [...site.namespaces, namespace] })
    this.#namespaces = new Namespaces({ namespaces: this.#declared, case: site.case })
    this.#report(`namespace ${namespace.id} is not declared: named "${namespace.name}" after "${page.title}"`)
  }

  #completeRevision(
    page: DumpPage,
    revision: IncomingRevision,
    namespace: number,
    dbkey: string,
  ): IncomingRevision {
    if (revision.contentModel === '')
      return { ...revision, contentModel: defaultContentModel(namespace, dbkey) }
    if (/^[\x21-\x7e]{1,64}$/.test(revision.contentModel)) return revision
    this.#report(
      `page "${page.title}", revision ${revision.id}: content model is not a name, taken as wikitext`,
    )
    return { ...revision, contentModel: 'wikitext' }
  }

  #skip(page: DumpPage, reason: string): void {
    this.counts.skippedPages++
    this.#report(`line ${page.line}: page "${page.title}" left out: ${reason}`)
  }

  #count(outcome: PageOutcome, page: IncomingPage): void {
    const { counts } = this
    if (outcome.newPage) counts.newPages++
    if (outcome.renamed) counts.renamedPages++
    counts.newRevisions += outcome.addedRevisions
    counts.changedRevisions += outcome.changedRevisions
    if (outcome.rival !== undefined) this.#leaveOut(page, outcome.rival)
    for (const { id, madeHere } of outcome.takenRevisions) {
      counts.skippedRevisions++
      const holder = madeHere ? 'an edit made here' : 'a revision with another time or text'
      this.#report(`page "${page.dbkey}": revision ${id} left out: the store has ${holder} under this id`)
    }
    for (const id of outcome.foreignRevisions) {
      this.#report(`page "${page.dbkey}": revision ${id} belongs to another page of the store, left there`)
    }
    for (const id of outcome.wrongSha1) {
      this.#report(
        `page "${page.dbkey}": revision ${id} has another SHA-1 than the dump states, its text was kept`,
      )
    }
  }

  #leaveOut(page: IncomingPage, rival: Rival): void {
    if (this.#rivalled.has(page.id)) return
    this.#rivalled.add(page.id)
    this.counts.skippedPages++
    const [title, held] = [page, rival].map((titled) => prefixedText(titled, this.#store.namespaces()))
    const shared = rival.shares === 'id' ? `its id ${page.id}` : 'its title'
    this.#report(`page "${title}" left out: ${shared} is that of "${held}", which was made here`)
  }

  #reportOnce(message: string): void {
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#report(message)
  }

  #report(message: string): void {
    this.counts.warnings++
    this.#options.warn(message)
  }
}

/** What stands before the first colon of a title, with the colon; the whole title when it has none. */
const prefixOf = (title: string): string => title.slice(0, title.indexOf(':') + 1) || title

function siteOfDump(dump: DumpSite): Site {
  return {
    ...DEFAULT_SITE,
    name: dump.name ?? DEFAULT_SITE.name,
    wikiId: dump.wikiId ?? '',
    language: dump.language ?? DEFAULT_SITE.language,
    base: dump.base ?? '',
    case: dump.case,
    namespaces: dump.namespaces.length > 0 ? dump.namespaces : DEFAULT_SITE.namespaces,
  }
}
