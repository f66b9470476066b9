/** An engine over pages given in the test, without a store. */
import { defaultInterwikiMap } from '../../../src/domain/interwiki.js'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE, type Site } from '../../../src/domain/site.js'
import { parseTitle, prefixedKey, type Title } from '../../../src/domain/title.js'
import { ParsoidEngine, type ToHtmlInput } from '../../../src/render/parsoid/engine.js'
import { loadParsoid } from '../../../src/render/parsoid/loadPackage.js'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import type { WikiSource as ExpansionSource } from '../../../src/render/preprocessor/source.js'
import type { RenderedPage, RenderedFile, RenderSource } from '../../../src/render/html/sources.js'
import { siteFacts } from '../../../src/workers/html/pageExpander.js'

export const parsoid = loadParsoid()

export interface TestPage {
  readonly text: string
  readonly model?: string
}

export class TestWiki {
  readonly #site: Site
  readonly #namespaces: Namespaces
  readonly #pages: Readonly<Record<string, string | TestPage>>
  readonly #files: Readonly<Record<string, RenderedFile>>
  readonly #engine: ParsoidEngine
  /** Keys of pages that were read or looked for. */
  readonly asked = new Set<string>()

  constructor(
    pages: Readonly<Record<string, string | TestPage>> = {},
    site: Partial<Site> = {},
    files: Readonly<Record<string, RenderedFile>> = {},
  ) {
    this.#site = { ...DEFAULT_SITE, base: 'https://garden.example/wiki/Main_Page', ...site }
    this.#namespaces = new Namespaces(this.#site)
    this.#pages = pages
    this.#files = files
    this.#engine = new ParsoidEngine(
      parsoid,
      { site: this.#site, interwiki: defaultInterwikiMap(this.#site) },
      this.#namespaces,
    )
  }

  /** HTML of a text, as that of a page that is not stored. */
  async html(
    wikitext: string,
    options: Partial<ToHtmlInput> & { readonly title?: string } = {},
  ): Promise<string> {
    const { html } = await this.render(wikitext, options)
    return html
  }

  async body(
    wikitext: string,
    options: Partial<ToHtmlInput> & { readonly title?: string } = {},
  ): Promise<string> {
    const html = await this.html(wikitext, { origins: 'inline', bodyOnly: true, ...options })
    return html.replace(/ data-parsoid=('[^']*'|"[^"]*")/g, '')
  }

  render(wikitext: string, options: Partial<ToHtmlInput> & { readonly title?: string } = {}) {
    const page = this.page(options.title ?? 'Rose')
    return this.#engine.toHtml({
      ...this.#runInput(page),
      wikitext,
      contentModel: 'wikitext',
      origins: 'ids',
      ...options,
    })
  }

  wikitext(html: string, original?: Parameters<ParsoidEngine['toWikitext']>[0]['original']): Promise<string> {
    return this.#engine.toWikitext({
      ...this.#runInput(this.page('Rose')),
      html,
      contentModel: 'wikitext',
      ...(original !== undefined && { original }),
    })
  }

  page(title: string): RenderedPage {
    const parsed = parseTitle(title, this.#namespaces)
    if (!parsed.ok) throw new Error(`no title: ${title}`)
    return { title: parsed.title, pageId: 0, revision: undefined }
  }

  #runInput(page: RenderedPage) {
    const source = this.#source()
    const facts = { title: page.title, id: undefined, revision: undefined }
    return { page, source, expander: new Preprocessor(facts, this.#expansionSource(source)) }
  }

  #expansionSource(source: RenderSource): ExpansionSource {
    const site = siteFacts(this.#site, this.#namespaces)
    return {
      site,
      now: 0,
      readPage: (title) => {
        const page = source.readPage(title)
        return (
          page && {
            id: page.pageId,
            text: page.wikitext,
            contentModel: page.contentModel,
            revision: { id: page.revisionId, timestamp: 0, userName: 'Ann', sizeBytes: page.sizeBytes },
          }
        )
      },
      pageExists: (title) => source.pageExists(title),
      fileUrl: (name) => source.readFile(name)?.url,
      fileFacts: () => undefined,
      pageTitle: () => undefined,
      interwikiMap: () => [],
      interwikiUrl: () => undefined,
      statistics: () => ({ pages: 0, articles: 0, edits: 0, files: 0, users: 0, activeUsers: 0, admins: 0 }),
      pagesInNamespace: () => 0,
      usersInGroup: () => 0,
      protection: () => ({ edit: undefined, create: undefined, expires: undefined }),
      categorySize: () => 0,
    }
  }

  #source(): RenderSource {
    const find = (title: Title): TestPage | undefined => {
      const key = prefixedKey(title, this.#namespaces)
      this.asked.add(key)
      const page = this.#pages[key]
      return typeof page === 'string' ? { text: page } : page
    }
    return {
      readPage: (title) => {
        const page = find(title)
        return (
          page && {
            pageId: 1,
            revisionId: 7,
            timestamp: 0,
            userName: 'Ann',
            sizeBytes: page.text.length,
            contentModel: page.model ?? 'wikitext',
            wikitext: page.text,
          }
        )
      },
      pageExists: (title) => find(title) !== undefined,
      readFile: (dbkey) => this.#files[dbkey],
    }
  }
}

export const ROSE_PICTURE: RenderedFile = {
  width: 800,
  height: 600,
  sizeBytes: 12_345,
  mime: 'image/jpeg',
  mediaType: 'BITMAP',
  url: 'https://garden.example/images/Rose.jpg',
  descriptionUrl: 'https://garden.example/wiki/File:Rose.jpg',
  thumbUrl: (width) => `https://garden.example/images/thumb/${width}px-Rose.jpg`,
}
