/** Does the jobs of a render thread, with pages from the store. */
import type { Site } from '../../domain/site.js'
import { MAIN, MEDIAWIKI } from '../../domain/namespaceIds.js'
import { parseTitle, type Title } from '../../domain/title.js'
import { encodeOutline } from '../../domain/outline.js'
import { outlineOf } from '../../render/outline.js'
import { categoriesOfHtml, categoryLinks } from '../../wikitext/categoryLinks.js'
import { htmlTargets } from '../../wikitext/htmlTargets.js'
import { MAX_TARGETS, targetOf } from '../../wikitext/pageTargets.js'
import { renderingConfiguration } from '../../render/configuration.js'
import { boundWikitext, WikitextLimitError } from '../../render/parsoid/limits.js'
import { EngineError, type HtmlOutput, ParsoidEngine, type RunInput } from '../../render/parsoid/engine.js'
import type { PageBundle, ParsoidPackage } from '../../render/parsoid/package.js'
import { importedDocument, isSameBody } from '../../render/imported/importedDocument.js'
import { isMarked } from '../../render/imported/fit.js'
import type { RenderedWiki } from '../../render/parsoid/siteinfo.js'
import type { ModuleRuntime } from '../../render/preprocessor/expander.js'
import type { Preprocessor } from '../../render/preprocessor/preprocessor.js'
import type { RenderedPage } from '../../render/html/sources.js'
import { marked } from '../../storage/categories/pageCategories.js'
import type { RenderedLinks } from '../../storage/links/pageLinks.js'
import { packedParts, packInParts, unpackParts } from '../../storage/html/packedHtml.js'
import { type Rendering, renderingTag, type Use } from '../../storage/html/renderings.js'
import type { RevisionRow, Store } from '../../storage/store.js'
import { PageExpander } from './pageExpander.js'
import { packMenu, pageLanguages } from './pageLanguages.js'
import { type RecordingSource, type RenderedFiles, userNameOf } from './renderSource.js'
import type { ExpandedWikitext, RenderJob, RenderResult } from './renderTasks.js'
import { toSeconds } from '../../domain/timestamp.js'

const MISSING: RenderResult = { result: 'missing' }
const LINE_ENDS = /\r\n?/g
const NEW_PAGE_TITLE: Title = { namespace: 0, dbkey: 'Main_Page' }

/** A revision with everything that its rendering needs at the start. */
interface StoredRevision {
  readonly page: RenderedPage
  readonly contentModel: string
  readonly wikitext: string
}

/** HTML of a page, and the imported HTML that it was made of. */
type PageHtml = HtmlOutput & Pick<Rendering, 'imported'>

/** One run: its input, and the record of what it has read. */
interface Run extends RunInput {
  readonly source: RecordingSource
  readonly expander: Preprocessor
}

/** Objects made once from the wiki's settings. */
interface AdoptedSite {
  readonly engine: ParsoidEngine
  readonly configuration: Uint8Array
}

export interface RendererOptions {
  readonly files: RenderedFiles
  /** Server settings that affect HTML: see `renderingConfiguration`. */
  readonly settings: object
  /** Runs modules. Without it, calls of modules show an error. */
  readonly modules?: ModuleRuntime | undefined
}

export class Renderer {
  readonly #store: Store
  readonly #parsoid: ParsoidPackage
  readonly #expander: PageExpander
  readonly #settings: object
  #adopted: AdoptedSite

  constructor(store: Store, parsoid: ParsoidPackage, { files, settings, modules }: RendererOptions) {
    this.#store = store
    this.#parsoid = parsoid
    this.#expander = new PageExpander(store, files, modules)
    this.#settings = settings
    this.#adopted = this.#adopt(store.site())
  }

  /** Does a job. Faults of its text are part of the result. */
  async run(job: RenderJob): Promise<RenderResult> {
    this.#refresh()
    try {
      switch (job.task) {
        case 'page':
          return await this.#renderPage(job.revisionId, job.nowMs)
        case 'editable':
          return await this.#renderEditable(job.revisionId, job.nowMs)
        case 'toHtml':
          return await this.#toHtml(job)
        case 'expand':
          return this.#expand(job)
        case 'toWikitext':
          return await this.#toWikitext(job)
      }
    } catch (error) {
      if (error instanceof WikitextLimitError) return { result: 'limit', reason: error.message }
      if (!(error instanceof EngineError)) throw error
      return { result: error.limit ? 'limit' : 'failed', reason: error.message.slice(0, 500) }
    }
  }

  /** Refreshes the view of the store, and adopts changed settings. */
  #refresh(): void {
    this.#store.refresh()
    if (this.#store.reloadSite()) this.#adopted = this.#adopt(this.#store.site())
  }

  #adopt(site: Site): AdoptedSite {
    const wiki: RenderedWiki = { site, interwiki: [...this.#store.interwiki().values()] }
    return {
      engine: new ParsoidEngine(this.#parsoid, wiki, this.#store.namespaces()),
      configuration: renderingConfiguration(site, this.#parsoid.version, this.#settings),
    }
  }

  async #renderPage(revisionId: number, nowMs: number): Promise<RenderResult> {
    const visibility = this.#store.html.visibility()
    const stored = this.#load(revisionId)
    if (stored === undefined) return MISSING
    const run = this.#begin(stored.page, nowMs)
    run.source.pageExists(stored.page.title)
    const { html, document, bundle, imported } = await this.#pageHtml(stored, run)
    const facts = {
      ...{ title: stored.page.title, namespaces: this.#store.namespaces(), source: run.source },
      isHidden: (category: Title) => this.#isHidden(category),
    }
    const madeAt = toSeconds(nowMs)
    const bytes = encode(html)
    const { languages, ...outline } = outlineOf(document, html, facts)
    const { lifetimeSeconds } = run.expander.report
    return {
      result: 'rendering',
      rendering: {
        revisionId,
        configuration: this.#adopted.configuration,
        madeAt,
        expiresAt: lifetimeSeconds === undefined ? 0 : madeAt + Math.max(1, lifetimeSeconds),
        packedHtml: packInParts(bytes, outline.body),
        outline: encodeOutline(outline),
        languageMenu: packMenu(languages, pageLanguages(stored.page.pageId, this.#store)),
        tag: renderingTag(bytes),
        bundle: encode(JSON.stringify(bundle ?? NO_BUNDLE)),
        uses: run.source.uses(),
        categories: this.#categories(stored, html),
        links: this.#links(stored, html, imported === undefined ? run.source.uses() : undefined),
        visibility,
        ...(imported !== undefined && { imported }),
      },
    }
  }

  /**
   * This is no use of the page: with each edit of a large category's page, all HTML of its members would be made again.
   */
  #isHidden({ namespace, dbkey }: Title): boolean {
    const page = this.#store.getPage(namespace, dbkey)
    return page !== undefined && this.#store.links.hidesCategory(page)
  }

  #categories({ contentModel, wikitext }: StoredRevision, html: string): Rendering['categories'] {
    const namespaces = this.#store.namespaces()
    const literal = contentModel === 'wikitext' ? categoryLinks(wikitext, namespaces) : []
    return marked(categoriesOfHtml(html, namespaces), literal)
  }

  /** The templates of HTML from outside are not known. */
  #links({ page }: StoredRevision, html: string, uses: readonly Use[] | undefined): RenderedLinks {
    const links = htmlTargets(html, page.title, this.#store.links.rules())
    return uses === undefined ? links : { ...links, template: templatesOf(uses) }
  }

  /** HTML from outside if the revision has some, or our own. */
  async #pageHtml(stored: StoredRevision, run: Run): Promise<PageHtml> {
    try {
      const imported = this.#importedHtml(stored, run)
      if (imported !== undefined) return imported
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return { ...(await this.#html(stored, run, 'ids')), imported: 'unusable' }
    }
    return this.#html(stored, run, 'ids')
  }

  /** HTML from outside, cleaned; undefined if the revision has none. */
  #importedHtml({ page }: StoredRevision, run: Run): PageHtml | undefined {
    const { id = 0, latestId } = page.revision ?? {}
    const imported = id === latestId ? this.#store.html.getImported(id) : undefined
    if (imported === undefined) return undefined
    const { tag, version } = imported
    const facts = { site: this.#store.site(), namespaces: this.#store.namespaces(), source: run.source }
    const made = importedDocument(imported.html, this.#parsoid, facts)
    return { ...made, bundle: undefined, imported: { tag, version } }
  }

  async #renderEditable(revisionId: number, nowMs: number): Promise<RenderResult> {
    const stored = this.#load(revisionId)
    if (stored === undefined) return MISSING
    const { html } = await this.#html(stored, this.#begin(stored.page, nowMs), 'inline')
    return { result: 'text', bytes: encode(html) }
  }

  async #toHtml(job: RenderJob & { task: 'toHtml' }): Promise<RenderResult> {
    const page = this.#pageFor(job.title)
    const { html } = await this.#adopted.engine.toHtml({
      ...this.#begin(page, job.nowMs),
      // Browsers send the text of forms with Windows line ends.
      wikitext: boundWikitext(job.wikitext.replace(LINE_ENDS, '\n')),
      contentModel: 'wikitext',
      origins: 'inline',
      bodyOnly: job.bodyOnly,
    })
    return { result: 'text', bytes: encode(html) }
  }

  #expand({ wikitext, title, revisionId, nowMs }: RenderJob & { task: 'expand' }): RenderResult {
    const stored = revisionId === undefined ? undefined : this.#load(revisionId)
    if (revisionId !== undefined && stored === undefined) return MISSING
    const { expander } = this.#begin(stored?.page ?? this.#pageFor(title), nowMs)
    const text = boundWikitext(wikitext.replace(LINE_ENDS, '\n'))
    const { wikitext: expanded, categories } = expander.expandForReaders(text)
    const { lifetimeSeconds } = expander.report
    const answer: ExpandedWikitext = {
      wikitext: expanded,
      categories,
      ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
    }
    return { result: 'text', bytes: encode(JSON.stringify(answer)) }
  }

  async #toWikitext(job: RenderJob & { task: 'toWikitext' }): Promise<RenderResult> {
    const { html, title, revisionId, nowMs } = job
    const stored = revisionId === undefined ? undefined : this.#load(revisionId)
    if (revisionId !== undefined && stored === undefined) return MISSING
    if (isMarked(html)) return this.#ofImported(html, stored, nowMs)
    const page = stored?.page ?? this.#pageFor(title)
    const original = stored === undefined ? undefined : await this.#original(stored, nowMs)
    const wikitext = await this.#adopted.engine.toWikitext({
      ...this.#begin(page, nowMs),
      html,
      contentModel: stored?.contentModel ?? 'wikitext',
      ...(original !== undefined && { original }),
    })
    // The engine may have got braces as character references (`boundSource`). If nothing changed, return the stored
    // text.
    const isUnchanged = stored !== undefined && wikitext === original?.wikitext
    return { result: 'text', bytes: encode(isUnchanged ? stored.wikitext : wikitext) }
  }

  /** The source of a page for its HTML from outside. The engine does not know all forms of such HTML. */
  #ofImported(html: string, stored: StoredRevision | undefined, nowMs: number): RenderResult {
    const imported = stored && this.#importedHtml(stored, this.#begin(stored.page, nowMs))
    return stored !== undefined && imported !== undefined && isSameBody(html, imported.html, this.#parsoid)
      ? { result: 'text', bytes: encode(stored.wikitext) }
      : { result: 'imported' }
  }

  /** The original of a revision's HTML: the kept rendering, or a new one, which is equal. */
  async #original(
    stored: StoredRevision,
    nowMs: number,
  ): Promise<{ wikitext: string; html: string; bundle: PageBundle }> {
    const wikitext = boundSource(stored)
    const kept = this.#kept(stored.page.revision?.id ?? 0)
    if (kept !== undefined) return { wikitext, ...kept }
    const { html, bundle } = await this.#html(stored, this.#begin(stored.page, nowMs), 'ids')
    return { wikitext, html, bundle: bundle ?? NO_BUNDLE }
  }

  #kept(revisionId: number): { html: string; bundle: PageBundle } | undefined {
    const kept = this.#store.html
    const row = kept.get(revisionId, this.#adopted.configuration)
    if (row === undefined || row.version !== 0) return undefined
    const html = unpackParts(packedParts(row.packedHtml)).toString()
    const bundle = kept.getBundle(revisionId)
    if (bundle === undefined) return undefined
    return { html, bundle: JSON.parse(bundle) as PageBundle }
  }

  #html(stored: StoredRevision, run: Run, origins: 'ids' | 'inline'): Promise<HtmlOutput> {
    const { contentModel } = stored
    return this.#adopted.engine.toHtml({ ...run, wikitext: boundSource(stored), contentModel, origins })
  }

  #begin(page: RenderedPage, nowMs: number): Run {
    const facts = {
      title: page.title,
      id: page.pageId === 0 ? undefined : page.pageId,
      revision: page.revision,
    }
    const { source, preprocessor } = this.#expander.begin(facts, toSeconds(nowMs))
    return { page, source, expander: preprocessor }
  }

  #load(revisionId: number): StoredRevision | undefined {
    const store = this.#store
    const revision = store.getRevision(revisionId)
    const page = revision === undefined ? undefined : store.getPageById(revision.pageId)
    const wikitext = store.getText(revisionId)
    if (revision === undefined || page === undefined || wikitext === undefined) return undefined
    const { namespace, dbkey, latestId, pageId } = page
    const { id, timestamp, contentModel, sha1 } = revision
    const parentId = revision.parentId === 0 ? previousRevision(store, revision) : revision.parentId
    const sizeBytes = revision.sizeBytes ?? 0
    const userName = userNameOf(revision)
    const facts = { id, parentId, timestamp, sizeBytes, userName, sha1: sha1.toString('hex'), latestId }
    return { page: { title: { namespace, dbkey }, pageId, revision: facts }, contentModel, wikitext }
  }

  /** The page for which a text is rendered. It need not exist, and its name need not be a valid title. */
  #pageFor(name: string): RenderedPage {
    const parsed = parseTitle(name, this.#store.namespaces())
    const title = parsed.ok ? parsed.title : NEW_PAGE_TITLE
    const row = this.#store.getPage(title.namespace, title.dbkey)
    return { title, pageId: row?.pageId ?? 0, revision: undefined }
  }
}

/** Pages whose texts the templates read. Pages of files are read for redirects, and messages by the engine. */
function templatesOf(uses: readonly Use[]): string[] {
  const read = uses.filter(
    ({ kind, file, namespace }) =>
      kind === 'content' && file === undefined && namespace >= MAIN && namespace !== MEDIAWIKI,
  )
  return read
    .slice(0, MAX_TARGETS)
    .map(({ namespace, dbkey }) => targetOf(namespace, dbkey))
    .sort()
}

/** The previous revision of the history, as the parent if none was stated; 0 for the first. */
function previousRevision(store: Store, revision: RevisionRow): number {
  const [previous] = store.listRevisions(revision.pageId, { olderThan: revision, limit: 1 }).revisions
  return previous === undefined ? 0 : (JSON.parse(previous.toString()) as { readonly id: number }).id
}

/** The source of a revision as the engine gets it. */
function boundSource({ contentModel, wikitext }: StoredRevision): string {
  return contentModel === 'wikitext' ? boundWikitext(wikitext) : wikitext
}

const NO_BUNDLE: PageBundle = { parsoid: { ids: {} } }

/** Bytes that own their memory, so that they can be moved to another thread. Small Buffers share a pool. */
function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
