/** Types for the parts in use of the package `parsoid`, which `loadPackage.ts` loads. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'
import type { RenderSource } from '../html/sources.js'
import type { DomDocument, DomElement, DomNode } from '../html/dom.js'

/** Parameters of one request of the engine to MediaWiki's action API. */
export type ApiParameters = Readonly<Record<string, string | number | undefined>>

/** One request object; `_requestCB` receives the answer. */
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

/** Facts of a page in the engine's form. */
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

/** The page and access to its wiki, for this server's own tags and content models. */
export interface TagFacts {
  /** Of the page. */
  readonly title: Title
  readonly namespaces: Namespaces
  readonly source: RenderSource
}

/** One run of the engine: a page, its caches and limits. */
export interface ParserEnv {
  /** Added by this server: answers this run's requests. */
  readonly answer: (parameters: ApiParameters) => unknown
  /** Added by this server: for its own tags. */
  readonly tagFacts: TagFacts
  readonly pageBundle?: boolean
  readonly page: { dom: DomElement | null; src: string; meta: { title?: string } }
  /** The text that is rendered. */
  readonly topFrame: { srcText: string }
  setPageSrcInfo(source: string | PageMetadata): void
  getContentHandler(model: string): ContentHandler
  setOutputContentVersion(version: string): void
  createDocument(html: string): DomDocument
  bumpWt2HtmlResourceUse(resource: string, count: number): void
  bumpHtml2WtResourceUse(resource: string, count: number): void
}

/** Source positions of elements in the wikitext, by element id. */
export interface PageBundle {
  readonly parsoid: { readonly counter?: number; readonly ids: Readonly<Record<string, unknown>> }
}

export interface ExtensionState {
  readonly env: ParserEnv
  readonly frame: ParsoidFrame
  readonly parseContext: { readonly inTemplate?: boolean }
}

/** A text rendered within another one. */
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
    /** Handlers of content models other than wikitext. */
    readonly contentmodels?: Readonly<Record<string, ContentHandler>>
    readonly tags?: readonly {
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
    /** Changes the source positions that elements of a fragment store. */
    shiftDSR(env: ParserEnv, root: DomNode, shift: (place: readonly number[]) => null): void
  }
  /** Parses HTML as browsers do. */
  parseHtml(html: string): DomDocument
  /** Writes the head of a document that the engine did not create itself. */
  addMetaData(env: ParserEnv, document: DomDocument): void
  readonly DOMDataUtils: {
    getPageBundle(document: DomDocument): PageBundle
    applyPageBundle(document: DomDocument, bundle: PageBundle): void
    /** Convert between the data that the engine keeps beside elements and attributes. */
    visitAndStoreDataAttribs(node: DomNode): void
    visitAndLoadDataAttribs(node: DomNode): void
  }
  /** Renders wikitext within an extension tag. `lineStart` allows lists and similar markup right at the start. */
  parseWikitextToDOM(
    state: ExtensionState,
    wikitext: string,
    options: object,
    lineStart: boolean,
  ): PromiseLike<DomDocument>
  /** The engine's promises. Its own code calls `nodify` on some, which must be of this kind. */
  readonly Promise: { resolve<Value>(value: Value | PromiseLike<Value>): PromiseLike<Value> }
  /** Siteinfo of a wiki that comes with the package; undefined when it has none for that name. */
  siteinfo(wiki: string): unknown
}
