/** The shapes of the package `parsoid`, as far as they are used here. `loadPackage.ts` loads it. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { RenderSource } from '../sources.js'
import type { DomDocument, DomElement, DomNode } from './dom.js'

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

/** What tags of our own need of the page's wiki. */
export interface TagFacts {
  readonly namespaces: Namespaces
  readonly source: RenderSource
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
