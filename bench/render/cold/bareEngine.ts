/**
 * The package `parsoid` as it is, without this server's changes. It renders pages with the answers that the server's
 * preprocessor gave before, so that its time is that of the engine alone.
 */
import { createRequire } from 'node:module'
import type { Title } from '../../../src/domain/title.js'
import { prefixedText } from '../../../src/domain/title.js'
import { answerRequest } from '../../../src/render/parsoid/apiAnswers.js'
import { packagedSiteinfo } from '../../../src/render/parsoid/loadPackage.js'
import type {
  ApiParameters,
  ApiRequest,
  ParserEnv,
  ParsoidConfig,
  ParsoidPackage,
  RequestOptions,
} from '../../../src/render/parsoid/package.js'
import { siteinfo } from '../../../src/render/parsoid/siteinfo.js'
import { ENGINE_TAGS, renderForeignTag } from '../../../src/render/parsoid/tags.js'
import type { Store } from '../../../src/storage/store.js'
import { PageExpander } from '../../../src/workers/html/pageExpander.js'
import type { RenderedFiles } from '../../../src/workers/html/renderSource.js'
import type { LuaRuntime } from '../../../src/render/lua/runtime.js'

const WIKI = 'wiki'
const HTML_VERSION = '2.1.0'
const load = createRequire(import.meta.url)
const NO_LIMIT = 1e9

type Answer = (parameters: ApiParameters) => unknown

export interface BareOptions {
  readonly store: Store
  readonly files: RenderedFiles
  readonly modules: LuaRuntime | undefined
}

export class BareEngine {
  readonly #options: BareOptions
  readonly #config: ParsoidConfig
  readonly #environments: ParsoidPackage['ParserEnv']
  readonly #contentUtils: ParsoidPackage['ContentUtils']
  readonly #siteinfo: { readonly query: object }
  /** Answers as JSON, by page and parameters. */
  readonly #answers = new Map<number, Map<string, string>>()

  constructor(options: BareOptions) {
    this.#options = options
    const { ParsoidConfig } = load('parsoid/lib/config/ParsoidConfig.js') as ParsoidPackage
    const { MWParserEnvironment } = load('parsoid/lib/config/MWParserEnvironment.js') as {
      readonly MWParserEnvironment: ParsoidPackage['ParserEnv']
    }
    const { ApiRequest } = load('parsoid/lib/mw/ApiRequest.js') as ParsoidPackage
    this.#contentUtils = (load('parsoid/lib/utils/ContentUtils.js') as ParsoidPackage).ContentUtils
    this.#environments = MWParserEnvironment
    const { store } = options
    const wiki = { site: store.site(), interwiki: [...store.interwiki().values()] }
    this.#siteinfo = siteinfo({ siteinfo: packagedSiteinfo }, wiki, ENGINE_TAGS)
    ApiRequest.prototype.request = answerInPlace
    const limits = {
      wt2html: {
        maxWikitextSize: NO_LIMIT,
        maxListItems: NO_LIMIT,
        maxTableCells: NO_LIMIT,
        maxTransclusions: NO_LIMIT,
        maxImages: NO_LIMIT,
        maxTokens: NO_LIMIT,
      },
    }
    this.#config = new ParsoidConfig(null, {
      limits,
      mwApis: [{ prefix: WIKI, uri: 'http://wiki.invalid/api.php', domain: WIKI }],
    })
  }

  /** HTML of a stored page. The first time, templates are expanded; later, the recorded answers are given. */
  async render(pageId: number, nowSeconds: number): Promise<string> {
    const { store } = this.#options
    const page = store.getPageById(pageId)
    const wikitext = page && store.getText(page.latestId)
    if (page === undefined || wikitext === undefined) throw new Error(`page ${pageId} has no text`)
    const title: Title = { namespace: page.namespace, dbkey: page.dbkey }
    const options = {
      domain: WIKI,
      prefix: WIKI,
      pageName: prefixedText(title, store.namespaces()),
      pageBundle: true,
      answer: this.#answer(pageId, title, nowSeconds),
    }
    const env: ParserEnv = await this.#environments.getParserEnv(this.#config, options)
    env.setOutputContentVersion(HTML_VERSION)
    env.setPageSrcInfo(wikitext)
    const document = await env.getContentHandler('wikitext').toHTML(env)
    return this.#contentUtils.toXML(document, { innerXML: false })
  }

  #answer(pageId: number, title: Title, nowSeconds: number): Answer {
    const known = this.#answers.get(pageId)
    if (known !== undefined)
      return (parameters) => JSON.parse(known.get(JSON.stringify(parameters))!) as unknown
    const { store, files, modules } = this.#options
    const recorded = new Map<string, string>()
    this.#answers.set(pageId, recorded)
    const expander = new PageExpander(store, files, modules)
    const facts = { title, id: pageId, revision: undefined }
    const { preprocessor, source } = expander.begin(facts, nowSeconds)
    const namespaces = store.namespaces()
    const sources = {
      siteinfo: this.#siteinfo,
      namespaces,
      source,
      expander: preprocessor,
      renderTag: renderForeignTag,
    }
    return (parameters) => {
      const answer = answerRequest(parameters, sources)
      recorded.set(JSON.stringify(parameters), JSON.stringify(answer))
      return answer
    }
  }
}

function answerInPlace(this: ApiRequest, options: RequestOptions): void {
  const parameters = options.qs ?? options.form ?? options.formData ?? {}
  setImmediate(() => {
    this._requestCB(undefined, null, { statusCode: 200 }, JSON.stringify(this.env.answer(parameters)))
  })
}
