/** Transcluded pages: resolves their names and loads their trees. */
import { redirectTarget } from '../../domain/redirect.js'
import { type Title, titleId } from '../../domain/title.js'
import { parseTree } from './parser.js'
import type { Report } from './report.js'
import type { WikiPage, WikiSource } from './source.js'
import { withoutReserved } from './stripMarkers.js'
import { hasSubpages, NAMESPACE, type Titles } from './titles.js'
import { markupOf } from './tags.js'
import type { TreeCache } from './treeCache.js'
import type { Tree } from './tree.js'
import { titlesInVariants } from '../variants/titles.js'

export interface Template {
  /** Title of the page that has the text: for a redirect, its target. */
  readonly title: Title
  readonly text: string
  readonly tree: Tree
}

export interface TemplateOptions {
  readonly page: Title
  readonly source: WikiSource
  readonly titles: Titles
  readonly report: Report
  readonly cache: TreeCache | undefined
  /** True if trees keep their comments. */
  readonly keepHidden: boolean
}

export class Templates {
  readonly #options: TemplateOptions
  readonly #titles = new Map<string, Title | undefined>()
  readonly #loaded = new Map<string, Template | undefined>()

  constructor(options: TemplateOptions) {
    this.#options = options
  }

  /**
   * The page that `{{text}}` names. Without a prefix it is a template; `/part` and `../part` are relative to the page.
   */
  resolve(text: string): Title | undefined {
    if (this.#titles.has(text)) return this.#titles.get(text)
    const { titles, page, source } = this.#options
    const isRelative = hasSubpages(page.namespace, source.site.namespaces)
    const relative = isRelative ? this.#relativeTitle(text) : undefined
    const title = relative === undefined ? titles.parseIn(NAMESPACE.template, text) : titles.parse(relative)
    this.#titles.set(text, title)
    return title
  }

  /** Loads text and tree, and follows one redirect. Undefined when the page does not exist. */
  load(title: Title): Template | undefined {
    const key = titleId(title)
    if (!this.#loaded.has(key)) this.#loaded.set(key, this.#read(title))
    return this.#loaded.get(key)
  }

  /** Resolves `/part` and `../part` against the title of the page, not of the template that contains them. */
  #relativeTitle(text: string): string | undefined {
    const { titles, page } = this.#options
    if (text.startsWith('/')) return titles.fullText(page) + text.replace(/\/$/, '')
    if (!text.startsWith('../')) return undefined
    const parts = titles.fullText(page).split('/')
    let rest = text
    while (rest.startsWith('../') && parts.length > 1) {
      rest = rest.slice('../'.length)
      parts.pop()
    }
    if (rest.startsWith('../')) return undefined
    return rest === '' ? parts.join('/') : `${parts.join('/')}/${rest.replace(/\/$/, '')}`
  }

  #read(title: Title): Template | undefined {
    const page = this.#readPage(title) ?? this.#readInVariant(title)
    const target = page && this.#target(page)
    const targetPage = target && this.#readPage(target)
    if (target && targetPage) return { title: target, ...this.#parse(targetPage) }
    return page && { title, ...this.#parse(page) }
  }

  #readPage(title: Title): WikiPage | undefined {
    this.#options.report.addPage(title)
    return title.namespace < NAMESPACE.main ? undefined : this.#options.source.readPage(title)
  }

  /** A page whose title is written in another variant of the language. */
  #readInVariant(title: Title): WikiPage | undefined {
    for (const other of titlesInVariants(title, this.#options.source.site.language)) {
      const page = this.#readPage(other)
      if (page !== undefined) return page
    }
    return undefined
  }

  #target(page: WikiPage): Title | undefined {
    const target = page.contentModel === 'wikitext' ? redirectTarget(page.text) : undefined
    return target === undefined ? undefined : this.#options.titles.parse(target)
  }

  #parse(page: WikiPage): { readonly text: string; readonly tree: Tree } {
    const text = withoutReserved(page.text)
    const { cache, source, keepHidden } = this.#options
    const parse = (): Tree => parseTree(text, { inclusion: true, keepHidden, ...markupOf(source.site) })
    return { text, tree: cache && !keepHidden ? cache.get(page.revision.id, text, parse) : parse() }
  }
}
