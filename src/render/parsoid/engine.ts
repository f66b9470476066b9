/**
 * The rendering engine: converts wikitext to HTML 2.1.0 and back with the package `parsoid`. All requests that the
 * package would send to a MediaWiki are answered from the store. Only one run at a time is possible, since the package
 * keeps the failure of a run in shared state.
 */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { directionOf } from '../../domain/direction.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedText } from '../../domain/title.js'
import type { RenderedPage, RenderSource } from '../html/sources.js'
import { engineModel } from './sourcePages.js'
import { MAX_TABLE_CELLS } from './limits.js'
import { answerRequest, type TemplateExpander } from './apiAnswers.js'
import { toKnownForms } from './newerHtml.js'
import { finishDocument, dropFileQueries } from './document.js'
import { dropBundleIds } from './ids.js'
import type { DomDocument } from '../html/dom.js'
import type {
  ApiRequest,
  ExtensionClass,
  PageBundle,
  ParserEnv,
  ParsoidConfig,
  ParsoidPackage,
  RequestOptions,
} from './package.js'
import { hasTag, type RenderedWiki, siteinfo } from './siteinfo.js'
import { keptSheets } from '../tags/templateStyles.js'
import { ENGINE_TAGS, ownExtension, renderForeignTag } from './tags.js'

export const HTML_VERSION = '2.1.0'
/** Name of the only wiki that the engine knows. */
const WIKI = 'wiki'
/** A placeholder that is never contacted, since requests are answered locally. */
const NO_URI = 'http://wiki.invalid/api.php'

const LIMITS = {
  wt2html: {
    maxWikitextSize: 2_500_000,
    maxListItems: 30_000,
    maxTableCells: MAX_TABLE_CELLS,
    maxTransclusions: 10_000,
    maxImages: 2000,
    maxTokens: 1_000_000,
  },
  html2wt: { maxHTMLSize: 10_000_000 },
}

/** Messages for the package's resource counters. */
const EXCESSES: ReadonlyMap<string, string> = new Map([
  ['wikitextSize', `more than ${LIMITS.wt2html.maxWikitextSize} characters`],
  ['listItem', `more than ${LIMITS.wt2html.maxListItems} list items`],
  ['tableCell', `more than ${LIMITS.wt2html.maxTableCells} table cells`],
  ['transclusion', `more than ${LIMITS.wt2html.maxTransclusions} templates`],
  ['token', `more than ${LIMITS.wt2html.maxTokens} parts`],
  ['htmlSize', `more than ${LIMITS.html2wt.maxHTMLSize} characters`],
])

/** The engine gave up: the text is too large, or broke it. `limit` is true if a limit was reached. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly limit: boolean

  constructor(message: string, options: { readonly limit: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.limit = options.limit
  }
}

/** The page of a run, and its access to the wiki. */
export interface RunInput {
  readonly page: RenderedPage
  readonly source: RenderSource
  readonly expander: TemplateExpander
}

export interface ToHtmlInput extends RunInput {
  readonly wikitext: string
  readonly contentModel: string
  /**
   * Where the HTML stores the source positions of elements. `ids`: in the bundle, by element id. `inline`: in
   * `data-parsoid` attributes.
   */
  readonly origins: 'ids' | 'inline'
  /** Return only the content of the body. */
  readonly bodyOnly?: boolean
}

export interface HtmlOutput {
  readonly html: string
  readonly bundle: PageBundle | undefined
  /** The document that `html` was written from. */
  readonly document: DomDocument
}

export interface ToWikitextInput extends RunInput {
  readonly html: string
  /** Model of the page. Text of other models than wikitext is returned in its own form. */
  readonly contentModel: string
  /** Source and HTML before the edit. Unchanged parts are then copied from the source wikitext. */
  readonly original?: { readonly wikitext: string; readonly html: string; readonly bundle: PageBundle }
}

export class ParsoidEngine {
  readonly #parsoid: ParsoidPackage
  readonly #namespaces: Namespaces
  readonly #wiki: RenderedWiki
  readonly #config: ParsoidConfig
  readonly #siteinfo: { readonly query: object }
  readonly #sanitiseStyles = keptSheets()
  #fail: ((error: Error) => void) | undefined

  /**
   * The package serves one engine at a time, so a new engine (for example, after changed settings) replaces the last
   * one.
   */
  constructor(parsoid: ParsoidPackage, wiki: RenderedWiki, namespaces: Namespaces) {
    this.#parsoid = parsoid
    this.#wiki = wiki
    this.#namespaces = namespaces
    this.#siteinfo = siteinfo(parsoid, wiki, ENGINE_TAGS)
    parsoid.ParserEnv.resetConfCache()
    parsoid.ApiRequest.prototype.request = answerInPlace
    const all = [...parsoid.ParsoidConfig.prototype.defaultNativeExtensions, ownExtension(parsoid)]
    const extensions = all.map((extension) => withTagsOf(wiki.site, extension))
    this.#config = new parsoid.ParsoidConfig(null, {
      limits: LIMITS,
      mwApis: [{ prefix: WIKI, uri: NO_URI, domain: WIKI, extensions }],
    })
  }

  async toHtml(input: ToHtmlInput): Promise<HtmlOutput> {
    return this.#run(input, input.origins === 'ids', async (env) => {
      env.setOutputContentVersion(HTML_VERSION)
      this.#setPage(env, input)
      env.bumpWt2HtmlResourceUse('wikitextSize', input.wikitext.length)
      const document = await env.getContentHandler(engineModel(input.contentModel)).toHTML(env)
      const bundle = input.origins === 'ids' ? this.#parsoid.DOMDataUtils.getPageBundle(document) : undefined
      finishDocument(document, { namespaces: this.#namespaces, source: input.source, page: input.page })
      const innerXML = input.bodyOnly === true
      const html = this.#parsoid.ContentUtils.toXML(innerXML ? document.body : document, { innerXML })
      return { html, bundle, document }
    })
  }

  /** Converts HTML of any origin to wikitext. `original` keeps unchanged parts as they were. */
  async toWikitext(input: ToWikitextInput): Promise<string> {
    return this.#run(input, false, async (env) => {
      const { original } = input
      env.bumpHtml2WtResourceUse('htmlSize', input.html.length)
      env.setPageSrcInfo(original?.wikitext ?? '')
      if (input.contentModel !== 'wikitext') return this.#toSource(env, input)
      const document = env.createDocument(input.html)
      toKnownForms(document)
      dropFileQueries(document)
      if (original !== undefined) {
        const before = env.createDocument(original.html)
        dropFileQueries(before)
        const { DOMDataUtils } = this.#parsoid
        DOMDataUtils.applyPageBundle(before, original.bundle)
        // The comparison includes attributes, so both documents must store source positions in the same way.
        if (isInline(document)) dropBundleIds(before, original.bundle)
        else DOMDataUtils.applyPageBundle(document, original.bundle)
        env.page.dom = before.body
      }
      return env.getContentHandler('wikitext').fromHTML(env, document.body, original !== undefined)
    })
  }

  /**
   * The source of a page that is not wikitext. If the HTML shows the same text as before, the original source stays,
   * including its blanks.
   */
  async #toSource(env: ParserEnv, { html, contentModel, original }: ToWikitextInput): Promise<string> {
    const handler = env.getContentHandler(engineModel(contentModel))
    const sourceOf = (shown: string): PromiseLike<string> =>
      handler.fromHTML(env, env.createDocument(shown).body, false)
    const source = await sourceOf(html)
    const isUnchanged = original !== undefined && source === (await sourceOf(original.html))
    return isUnchanged ? original.wikitext : source
  }

  async #run<Output>(
    { page, source, expander }: RunInput,
    pageBundle: boolean,
    work: (env: ParserEnv) => Promise<Output>,
  ): Promise<Output> {
    const sources = {
      siteinfo: this.#siteinfo,
      namespaces: this.#namespaces,
      source,
      expander,
      renderTag: renderForeignTag,
      sanitiseStyles: this.#sanitiseStyles,
    }
    const options = {
      domain: WIKI,
      prefix: WIKI,
      pageName: prefixedText(page.title, this.#namespaces),
      onFatal: (told: readonly unknown[]) => this.#onFatal(told),
      pageBundle,
      tagFacts: { title: page.title, namespaces: this.#namespaces, source },
      answer: (parameters: Parameters<ParserEnv['answer']>[0]) => answerRequest(parameters, sources),
    }
    const failed = new Promise<never>((_resolve, reject) => (this.#fail = reject))
    const done = (async () => work(await this.#parsoid.ParserEnv.getParserEnv(this.#config, options)))()
    try {
      return await Promise.race([done, failed])
    } catch (error) {
      throw asEngineError(error)
    } finally {
      this.#fail = undefined
    }
  }

  #setPage(env: ParserEnv, { page, wikitext, contentModel }: ToHtmlInput): void {
    const { revision } = page
    if (revision === undefined) {
      env.setPageSrcInfo(wikitext)
      env.page.meta.title = prefixedText(page.title, this.#namespaces)
      return
    }
    const { language } = this.#wiki.site
    env.setPageSrcInfo({
      id: page.pageId,
      title: prefixedText(page.title, this.#namespaces),
      ns: page.title.namespace,
      latest: revision.latestId,
      pagelanguage: language,
      pagelanguagedir: directionOf(language),
      revision: {
        revid: revision.id,
        parentid: revision.parentId,
        timestamp: formatTimestamp(revision.timestamp),
        sha1: revision.sha1,
        size: revision.sizeBytes,
        slots: { main: { contentmodel: contentModel, contentformat: 'text/x-wiki', '*': wikitext } },
      },
    })
  }

  /** Ends the run, since the package would leave its promise pending forever. */
  #onFatal(told: readonly unknown[]): void {
    const thrown = told.find((part) => part instanceof Error || typeof part === 'object')
    this.#fail?.(thrown instanceof Error ? thrown : new Error(told.map(String).join(' ')))
  }
}

/**
 * True if the HTML itself stores source positions, without a bundle. Descriptions of templates in attributes always
 * contain some, but in attributes of their own.
 */
/** The extension without tags that the wiki lacks, which are text there. */
function withTagsOf(site: Site, extension: ExtensionClass): ExtensionClass {
  if (site.extensionTags === undefined) return extension
  return class {
    readonly config: InstanceType<ExtensionClass>['config']

    constructor() {
      const { config } = new extension()
      this.config = { ...config, tags: (config.tags ?? []).filter(({ name }) => hasTag(site, name)) }
    }
  }
}

const isInline = ({ body }: DomDocument): boolean => body.querySelectorAll('[data-parsoid]').length > 0

/** Replaces the method that would send a request, and answers from the run's own sources. */
function answerInPlace(this: ApiRequest, options: RequestOptions): void {
  const parameters = options.qs ?? options.form ?? options.formData ?? {}
  // Deferred, since the caller adds its listeners after this returns.
  setImmediate(() => {
    let body: string
    try {
      body = JSON.stringify(this.env.answer(parameters))
    } catch (error) {
      this._requestCB(undefined, error instanceof Error ? error : new Error(String(error)))
      return
    }
    this._requestCB(undefined, null, { statusCode: 200 }, body)
  })
}

/** The error of a run as one of its text. */
export function asEngineError(error: unknown): EngineError {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return new EngineError('elements that nest too deeply', { limit: true, cause: error })
  const message = error instanceof Error ? error.message : String(error)
  const limit = (error as { readonly httpStatus?: unknown }).httpStatus === 413
  const [, resource = ''] = /Exceeded max resource use: (\w+)/.exec(message) ?? []
  return new EngineError(EXCESSES.get(resource) ?? message, { limit, cause: error })
}
