/**
 * The package `parsoid`, as far as it is used here: what it exports, typed, and loaded only when it is asked for.
 * It is optional, takes half a second to load, and is loaded in render threads alone.
 */
import { createRequire } from 'node:module'
import { patchIds } from './ids.js'
import { patchFrenchSpaces } from './patches/frenchSpaces.js'
import { patchGalleries } from './patches/galleries.js'
import { patchGrammar } from './patches/grammar.js'
import { patchLooseCells } from './patches/looseCells.js'
import { patchUnknownSizes } from './patches/unknownSizes.js'
import { patchArgumentMarks } from './patches/markers.js'
import {
  patchAssertions,
  patchEmptyGalleries,
  patchImageWords,
  patchLogger,
  patchNestedLinks,
  patchParameters,
  patchTitles,
} from './patches.js'
import { patchStyles } from './styles.js'
import type { Load } from './patches/load.js'
import type { TagFacts } from './tagWiki.js'

/** The package is not installed. */
export class ParsoidMissingError extends Error {
  override readonly name = 'ParsoidMissingError'
}

export interface DomNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  nodeValue: string | null
  textContent: string
  removeChild(child: DomNode): DomNode
  appendChild(child: DomNode): DomNode
  insertBefore(child: DomNode, before: DomNode | null): DomNode
}

export interface DomElement extends DomNode {
  readonly ownerDocument: DomDocument
  readonly classList: { add(name: string): void }
  innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  hasAttribute(name: string): boolean
  removeAttribute(name: string): void
  querySelectorAll(selector: string): ArrayLike<DomElement>
}

export interface DomDocument extends DomNode {
  readonly head: DomElement
  readonly body: DomElement
  readonly documentElement: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomNode
  getElementById(id: string): DomElement | null
}

/** What the engine asks of MediaWiki's action interface: the parameters of one request. */
export type ApiParameters = Readonly<Record<string, string | number | undefined>>

/** One request object; `_requestCB` takes the answer. */
export interface ApiRequest {
  readonly env: ParserEnv
  _requestCB(
    startTime: undefined,
    error: Error | null,
    response?: { statusCode: number },
    body?: string,
  ): void
}

export interface RequestOptions {
  readonly qs?: ApiParameters
  readonly form?: ApiParameters
  readonly formData?: ApiParameters
}

/** Facts of a page as the engine wants them. */
export interface PageMetadata {
  readonly id: number
  readonly title: string
  readonly ns: number
  readonly latest: number
  readonly pagelanguage: string
  readonly pagelanguagedir: string
  readonly revision: {
    readonly revid: number
    readonly parentid: number
    readonly timestamp: string
    readonly sha1: string
    readonly size: number
    readonly slots: {
      readonly main: {
        readonly contentmodel: string
        readonly contentformat: string
        readonly '*': string
      }
    }
  }
}

export interface ContentHandler {
  toHTML(env: ParserEnv): PromiseLike<DomDocument>
  fromHTML(env: ParserEnv, body: DomElement, useSelser: boolean): PromiseLike<string>
}

/** One run of the engine: a page, its caches and limits. */
export interface ParserEnv {
  /** Set by us: answers this run's requests. */
  readonly answer: (parameters: ApiParameters) => unknown
  /** Set by us: for our own tags. */
  readonly tagFacts: TagFacts
  readonly pageBundle?: boolean
  readonly page: { dom: DomElement | null; src: string; meta: { title?: string } }
  setPageSrcInfo(source: string | PageMetadata): void
  getContentHandler(model: string): ContentHandler
  setOutputContentVersion(version: string): void
  createDocument(html: string): DomDocument
  bumpWt2HtmlResourceUse(resource: string, count: number): void
  bumpHtml2WtResourceUse(resource: string, count: number): void
}

/** Where elements came from in the wikitext, by their ids. */
export interface PageBundle {
  readonly parsoid: { readonly counter?: number; readonly ids: Readonly<Record<string, unknown>> }
}

export interface ExtensionState {
  readonly env: ParserEnv
  readonly frame: ParsoidFrame
  readonly parseContext: { readonly inTemplate?: boolean }
}

/** A text that is rendered, within another. */
export interface ParsoidFrame {
  readonly title: string
  readonly depth: number
  newChild(title: string, args: readonly never[], source: string): ParsoidFrame
}

export interface ExtensionArgument {
  readonly k: string
  readonly v: string
}

/** An extension as the engine registers it. */
export type ExtensionClass = new () => {
  readonly config: {
    readonly name: string
    /** Content models other than wikitext, and what shows them. */
    readonly contentmodels?: Readonly<Record<string, ContentHandler>>
    readonly tags: readonly {
      readonly name: string
      toDOM(
        state: ExtensionState,
        content: string,
        attributes: readonly ExtensionArgument[],
      ): PromiseLike<DomDocument>
    }[]
  }
}

export interface ParsoidConfig {
  readonly defaultNativeExtensions: readonly ExtensionClass[]
}

export interface ParsoidPackage {
  readonly version: string
  readonly ParsoidConfig: {
    new (localSettings: null, options: object): ParsoidConfig
    readonly prototype: ParsoidConfig
  }
  readonly ParserEnv: {
    getParserEnv(config: ParsoidConfig, options: object): PromiseLike<ParserEnv>
    resetConfCache(): void
  }
  readonly ApiRequest: {
    readonly prototype: ApiRequest & { request(options: RequestOptions): void }
  }
  readonly ContentUtils: {
    toXML(node: DomNode, options: { readonly innerXML: boolean }): string
    ppToXML(
      node: DomNode,
      options: { readonly innerXML: boolean; readonly discardDataParsoid: boolean },
    ): string
    /** Changes the places in the source that elements of a fragment remember. */
    shiftDSR(env: ParserEnv, root: DomNode, shift: (place: readonly number[]) => null): void
  }
  /** Writes the head of a document that the engine did not make itself. */
  addMetaData(env: ParserEnv, document: DomDocument): void
  readonly DOMDataUtils: {
    extractPageBundle(document: DomDocument): PageBundle | null
    applyPageBundle(document: DomDocument, bundle: PageBundle): void
    /** What the engine keeps beside elements becomes attributes, and the other way round. */
    visitAndStoreDataAttribs(node: DomNode): void
    visitAndLoadDataAttribs(node: DomNode): void
  }
  /** Renders wikitext within an extension tag; `lineStart`: lists and the like may begin at once. */
  parseWikitextToDOM(
    state: ExtensionState,
    wikitext: string,
    options: object,
    lineStart: boolean,
  ): PromiseLike<DomDocument>
  /** The engine's promises: those that its own code calls `nodify` on must be of this kind. */
  readonly Promise: { resolve<Value>(value: Value | PromiseLike<Value>): PromiseLike<Value> }
  /** Answer of a wiki's siteinfo that comes with the package; undefined when it has none of that name. */
  siteinfo(wiki: string): unknown
}

/** Loads the package. Throws a ParsoidMissingError when it is not installed. */
export function loadParsoid(): ParsoidPackage {
  const require = createRequire(import.meta.url)
  const load: Load = <Module>(path: string) => require(`parsoid/${path}`) as Module
  const version = parsoidVersion()
  if (version === undefined) throw new ParsoidMissingError('the package "parsoid" is not installed')
  // First of all: the others count on what it adds to the language.
  const { ParsoidConfig } = load<Pick<ParsoidPackage, 'ParsoidConfig'>>('lib/config/ParsoidConfig.js')
  const { MWParserEnvironment } = load<{ MWParserEnvironment: ParsoidPackage['ParserEnv'] }>(
    'lib/config/MWParserEnvironment.js',
  )
  const { ApiRequest } = load<Pick<ParsoidPackage, 'ApiRequest'>>('lib/mw/ApiRequest.js')
  const { ContentUtils } = load<Pick<ParsoidPackage, 'ContentUtils'>>('lib/utils/ContentUtils.js')
  const { DOMDataUtils } = load<Pick<ParsoidPackage, 'DOMDataUtils'>>('lib/utils/DOMDataUtils.js')
  const { DOMPostProcessor } = load<{ DOMPostProcessor: Pick<ParsoidPackage, 'addMetaData'> }>(
    'lib/wt2html/DOMPostProcessor.js',
  )
  const { parseWikitextToDOM } = load<{
    versionCheck(version: string): Pick<ParsoidPackage, 'parseWikitextToDOM'>
  }>('lib/config/extapi.js').versionCheck(version)
  patchAssertions()
  patchLogger(load)
  patchImageWords(load)
  patchNestedLinks(load)
  patchEmptyGalleries(load)
  patchGrammar(load)
  patchFrenchSpaces(load)
  patchArgumentMarks(load)
  patchGalleries(load)
  patchLooseCells(load)
  patchParameters(load)
  patchTitles(load)
  patchIds(load)
  patchStyles(load)
  patchUnknownSizes(load)
  return {
    version,
    ParsoidConfig,
    ParserEnv: MWParserEnvironment,
    ApiRequest,
    ContentUtils,
    DOMDataUtils,
    parseWikitextToDOM,
    addMetaData: (env, document) => DOMPostProcessor.addMetaData(env, document),
    Promise: load('lib/utils/promise.js'),
    siteinfo: packagedSiteinfo,
  }
}

/** Version of the installed package, which is not loaded for it; undefined when there is none. */
export function parsoidVersion(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    return (require('parsoid/package.json') as { readonly version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * The package has the siteinfo of some Wikipedias, for the words and signs of their languages; undefined for others, and
 * when it is not installed. Nothing else of it is loaded.
 */
export function packagedSiteinfo(wiki: string): unknown {
  if (!/^[a-z-]{2,20}$/.test(wiki)) return undefined
  const require = createRequire(import.meta.url)
  try {
    return (require(`parsoid/baseconfig/${wiki}.json`) as { readonly query: unknown }).query
  } catch {
    return undefined
  }
}
